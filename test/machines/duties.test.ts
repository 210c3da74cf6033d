import { describe, expect, test } from 'vitest';
import { taskMachine } from '../../machines/index.ts';
import { callOf } from 'agentcharter/testing';
import { requests } from '../../src/testing/charter/world.ts';
import {
  accepted,
  answered,
  asksForInformation,
  awaits,
  cancelled,
  decided,
  doubted,
  drafted,
  granted,
  needsHelp,
  offered,
  passed,
  planned,
  raises,
  rejects,
  reported,
  rollback,
  run,
  started,
  succeeded,
  unsurelyDrafted,
  unsurelyPlanned,
  written,
  type TaskClassGiven,
  type FactMaker,
} from './scene.ts';
import { nodesOf } from './transitions.ts';

const { note, read, send, undoable } = callOf;

const [request] = requests;
const checked = { beforeWrite: { verifiers: ['check'] }, beforeDeliver: { verifiers: ['facts', 'style'] } };

/** A state, how a run comes to rest there, what the world owes it then, and when it is to be woken. */
type Row = readonly [
  state: string,
  taskClass: TaskClassGiven,
  told: readonly FactMaker[],
  owes: readonly string[],
  wakes: readonly string[],
];

const table: readonly Row[] = [
  ['intake', {}, [], ['accept'], [`accept ${request}`]],
  ['plan.proposing', {}, [accepted], ['propose'], ['model 0.0.0.0.0']],
  ['plan.correcting', {}, [accepted, rejects()], ['correct plan'], ['model 0.0.1.0.0']],
  [
    'execute.calling',
    {},
    [accepted, planned('plan', read('r'), read('s'), read('t')), started('r'), started('s'), succeeded('s')],
    ['call t', 'observe r'],
    ['start t', 'call r', 'evidence evidence-s'],
  ],
  [
    'execute.checking',
    checked,
    [accepted, planned('plan', note('n'))],
    ['verify check action-n 0'],
    ['verifier action-n check'],
  ],
  [
    'execute.authorizing',
    {},
    [accepted, planned('plan', note('n'), send('w')), granted('action-w'), decided('w')],
    ['decide n'],
    ['policy n', 'approval action-w'],
  ],
  ['execute.concluding', {}, [accepted, planned('plan')], ['conclude'], ['model 0.1.0.0.0']],
  ['execute.correcting', {}, [accepted, planned('plan'), rejects()], ['correct draft'], ['model 0.1.1.0.0']],
  [
    'verify.verifying',
    checked,
    [accepted, planned('plan'), drafted()],
    ['verify facts draft 0', 'verify style draft 0'],
    ['verifier draft facts', 'verifier draft style'],
  ],
  [
    'undoing.stop',
    {},
    [
      accepted,
      planned('plan', undoable('u'), undoable('v'), undoable('x')),
      decided('u'),
      decided('v'),
      decided('x'),
      started('u'),
      succeeded('u'),
      started('v'),
      succeeded('v'),
      cancelled,
    ],
    ['undo action-v'],
    ['rollback action-v', 'evidence evidence-u', 'evidence evidence-v'],
  ],
  [
    'undoing.stop',
    {},
    [accepted, planned('plan', undoable('u')), decided('u'), started('u'), cancelled],
    ['observe u'],
    ['call u'],
  ],
  [
    'undoing.stop',
    {},
    [accepted, planned('plan', undoable('u')), decided('u'), started('u'), awaits('u', 'x'), cancelled],
    ['await x u'],
    ['dependency x'],
  ],
  [
    'undoing.replace',
    { beforeDeliver: { verifiers: ['facts'] } },
    [
      accepted,
      planned('plan', undoable('u')),
      ...written('u'),
      drafted(),
      reported('facts', 'draft', 'fail'),
      planned('another'),
    ],
    ['undo action-u'],
    ['rollback action-u', 'evidence evidence-u'],
  ],
  [
    'needsHumanDecision',
    {},
    [
      accepted,
      planned('plan', read('r'), read('s'), read('t'), read('x')),
      started('r'),
      started('s'),
      started('t'),
      started('x'),
      raises('r', 'p'),
      raises('x', 'q'),
      awaits('s', 'event'),
    ],
    ['ask p', 'ask q', 'await event s', 'observe t'],
    ['question p', 'question q', 'dependency event', 'call t'],
  ],
  ['needsHumanDecision', {}, [asksForInformation('q')], ['ask q'], ['question q']],
  ['needsHumanDecision', {}, [accepted, needsHelp()], ['ask help'], ['question help']],
  ['needsHumanDecision', {}, [accepted, unsurelyPlanned('p')], ['ask plan:p'], ['question plan:p']],
  [
    'needsHumanDecision',
    {},
    [accepted, planned('plan'), unsurelyDrafted('d')],
    ['ask draft:d'],
    ['question draft:d'],
  ],
  [
    'needsHumanDecision',
    {},
    [accepted, planned('plan', send('w')), decided('w')],
    ['ask approval:action-w'],
    ['question approval:action-w'],
  ],
  [
    'needsHumanDecision',
    {},
    [accepted, planned('plan', undoable('u')), decided('u'), started('u'), doubted('u')],
    ['ask doubt:u'],
    ['question doubt:u'],
  ],
  [
    'waiting',
    {},
    [
      accepted,
      planned('plan', read('r'), read('s')),
      started('r'),
      started('s'),
      awaits('r', 'x'),
      awaits('s', 'x'),
    ],
    ['await x r', 'await x s'],
    ['dependency x', 'dependency x'],
  ],
  [
    'completed.offering',
    { followup: true },
    [accepted, planned('plan', note('n')), ...written('n'), drafted()],
    ['offer'],
    [`offer ${request}`],
  ],
  [
    'followup',
    { followup: true },
    [accepted, planned('plan', note('n')), ...written('n'), drafted(), offered],
    ['refine'],
    [`followup ${request}`],
  ],
  ['completed.settled', {}, [accepted, planned('plan'), drafted()], [], []],
  ['failed', {}, [passed('accept', request)], [], []],
  ['cancelled', {}, [cancelled], [], []],
];

describe('what the world owes', () => {
  test.each(table)('in %s', (state, taskClass, told, owes, wakes) => {
    const task = run(taskClass, told);
    expect(task.at).toBe(state);
    expect(task.owes).toEqual(owes);
    expect(task.wakes).toEqual(wakes);
  });

  test('is declared by every state in which a run can rest', () => {
    const resting = new Set(table.map(([state]) => state));
    const declaring = nodesOf(taskMachine.root)
      .filter(({ meta }) => (meta as { owes?: unknown } | undefined)?.owes !== undefined)
      .map(({ path }) => path.join('.').replace(/^submitted\./, ''));
    expect(declaring.filter((state) => !resting.has(state))).toEqual([]);
    expect(declaring.length).toBeGreaterThan(10);
  });

  test('is the same by the phases alone', () => {
    const told = [accepted, planned('plan', read('r'), note('n')), started('r')];
    expect(run({}, told, 'execution').duties).toEqual(run({}, told).duties);
  });

  test('is one write at a time, in plan order', () => {
    const task = run({}, [accepted, planned('plan', note('n'), note('m')), decided('m'), decided('n')]);
    expect(task.owes).toEqual(['call n']);
    task.send(started('n'));
    expect(task.owes).toEqual(['observe n']);
    task.send(succeeded('n'));
    expect(task.owes).toEqual(['call m']);
  });

  test('is no rollback twice', () => {
    const task = run({}, [
      accepted,
      planned('plan', undoable('u'), note('n')),
      decided('u'),
      decided('n'),
      started('u'),
      succeeded('u'),
      cancelled,
      rollback('started', 'action-u'),
    ]);
    expect(task.owes).toEqual(['undo action-u']);
    task.send(rollback('succeeded', 'action-u'));
    expect(task.owes).toEqual([]);
  });

  test('is each verifier again once its subject or its evidence changes', () => {
    const task = run({ ...checked, limits: { repairs: 0 } }, [
      accepted,
      planned('plan', read('r'), note('n')),
      started('r'),
      succeeded('r'),
      reported('check', 'action-n'),
      decided('n'),
      started('n'),
      succeeded('n'),
      drafted(),
    ]);
    expect(task.owes).toEqual(['verify facts draft 2', 'verify style draft 2']);
    task.send(reported('facts', 'draft'));
    expect(task.owes).toEqual(['verify style draft 2']);
  });

  test('is answered by a person once', () => {
    const task = run({}, [accepted, unsurelyPlanned('p'), answered('plan:p', 'approve')]);
    expect(task.owes).toEqual(['conclude']);
  });
});
