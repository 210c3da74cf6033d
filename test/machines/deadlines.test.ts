import { describe, expect, test } from 'vitest';
import { deadlineFacts } from '../../machines/facts/deadline.ts';
import { callOf } from 'agentcharter/testing';
import { requests } from '../../src/testing/charter/world.ts';
import { bare } from './contexts.ts';
import {
  accepted,
  answered,
  asksForInformation,
  awaits,
  cancelled,
  decided,
  doubted,
  drafted,
  failed,
  granted,
  modelSilent,
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
  type Run,
  type TaskClassGiven,
  type FactMaker,
} from './scene.ts';

const { note, read, send, undoable } = callOf;
const applyDeadline = deadlineFacts['deadline.passed'].apply!;

const once = { limits: { repairs: 0 } } as const;
const evidence = [{ type: 'tool_result' as const }];
const toCall = [accepted, planned('plan', read('r')), started('r')];
const toWrite = [accepted, planned('plan', undoable('u')), decided('u'), started('u')];
const withNote = [accepted, planned('plan', note('n')), decided('n', 'needs_review')];

const story = (task: Run): string => `${task.at}: ${[...task.owes, ...task.reasons].join(', ')}`;

/** The duty, its silence, and where that leads (CHART 2). */
type Row = readonly [
  silence: string,
  taskClass: TaskClassGiven,
  told: readonly FactMaker[],
  at: FactMaker,
  leads: string,
];

const table: readonly Row[] = [
  ['nobody accepts', {}, [], passed('accept', requests[0]), 'failed: GUARD_ERROR request'],
  ['the model plans nothing', {}, [accepted], modelSilent, 'failed: MODEL_UNAVAILABLE model'],
  ['the model corrects nothing', {}, [accepted, rejects()], modelSilent, 'failed: MODEL_UNAVAILABLE model'],
  [
    'the model drafts nothing',
    {},
    [accepted, planned('plan')],
    modelSilent,
    'failed: MODEL_UNAVAILABLE model',
  ],
  [
    'the model corrects no draft',
    {},
    [accepted, planned('plan'), rejects()],
    modelSilent,
    'failed: MODEL_UNAVAILABLE model',
  ],
  [
    'no policy decides',
    {},
    [accepted, planned('plan', note('n'))],
    passed('policy', 'n'),
    'failed: POLICY_UNAVAILABLE n',
  ],
  ['a read hangs', once, toCall, passed('call', 'r'), 'failed: TOOL_TIMEOUT r'],
  ['a read hangs, and may be repaired', {}, toCall, passed('call', 'r'), 'plan.proposing: propose'],
  [
    'a write hangs, and may have happened',
    {},
    toWrite,
    passed('call', 'u'),
    'needsHumanDecision: ask doubt:u',
  ],
  [
    'a verifier hangs',
    { ...once, beforeDeliver: { verifiers: ['facts'] } },
    [accepted, planned('plan'), drafted()],
    passed('verifier', 'draft facts'),
    'failed: VERIFICATION_FAILED facts, VERIFIER_TIMEOUT facts',
  ],
  [
    'a verifier hangs before a write',
    { ...once, beforeWrite: { verifiers: ['check'] } },
    [accepted, planned('plan', note('n'))],
    passed('verifier', 'action-n check'),
    'failed: VERIFICATION_FAILED check, VERIFIER_TIMEOUT check',
  ],
  [
    'a read waits in vain',
    once,
    [...toCall, awaits('r', 'x')],
    passed('dependency', 'x'),
    'failed: TOOL_TIMEOUT r',
  ],
  [
    'a write waits in vain',
    {},
    [...toWrite, awaits('u', 'x')],
    passed('dependency', 'x'),
    'needsHumanDecision: ask doubt:u',
  ],
  [
    'two reads wait in vain',
    once,
    [
      accepted,
      planned('plan', read('r'), read('s')),
      started('r'),
      started('s'),
      awaits('r', 'x'),
      awaits('s', 'x'),
    ],
    passed('dependency', 'x'),
    'failed: TOOL_TIMEOUT r, TOOL_TIMEOUT s',
  ],
  [
    'an approval expires before its write',
    {},
    [accepted, planned('plan', send('v'), send('w')), decided('v'), granted('action-v'), decided('w')],
    passed('approval', 'action-v'),
    'needsHumanDecision: ask approval:action-w',
  ],
  [
    'evidence grows old before a write, and is read again',
    { beforeWrite: { evidence } },
    [
      accepted,
      planned('plan', read('r'), note('n')),
      started('r'),
      succeeded('r'),
      decided('n', 'needs_review'),
      passed('evidence', 'evidence-r'),
    ],
    answered('approval:action-n', 'approve'),
    'execute.calling: call r',
  ],
  [
    'evidence grows old before a write once too often',
    { beforeWrite: { evidence }, limits: { refreshes: 0, repairs: 0 } },
    [
      accepted,
      planned('plan', read('r'), note('n')),
      started('r'),
      succeeded('r'),
      passed('evidence', 'evidence-r'),
    ],
    decided('n'),
    'failed: EVIDENCE_STALE tool_result, EVIDENCE_STALE r',
  ],
  [
    'evidence grows old before deliver',
    { ...once, beforeDeliver: { evidence } },
    [accepted, planned('plan', read('r')), started('r'), succeeded('r'), passed('evidence', 'evidence-r')],
    drafted(),
    'failed: EVIDENCE_STALE tool_result',
  ],
  [
    'a rollback hangs, and is reported',
    once,
    [
      accepted,
      planned('plan', undoable('u'), undoable('v')),
      decided('u'),
      decided('v'),
      started('u'),
      succeeded('u'),
      started('v'),
      failed('v'),
      rollback('started', 'action-u'),
    ],
    passed('rollback', 'action-u'),
    'failed: TOOL_FAILED v, ROLLBACK_REQUIRED action-u',
  ],
  [
    'nobody makes the offer',
    { followup: true },
    [accepted, planned('plan'), drafted()],
    passed('offer', requests[0]),
    'completed.settled: ',
  ],
  [
    'nobody chooses',
    { followup: true },
    [accepted, planned('plan'), drafted(), offered],
    passed('followup', requests[0]),
    'completed.settled: ',
  ],
  [
    'nobody gives information',
    {},
    [asksForInformation('q')],
    passed('question', 'q'),
    'failed: QUESTION_EXPIRED q',
  ],
  [
    'nobody gives information, and the default is to go on',
    { defaults: ['information'] },
    [asksForInformation('q')],
    passed('question', 'q'),
    'intake: accept',
  ],
  ['nobody helps', {}, [accepted, needsHelp()], passed('question', 'help'), 'failed: QUESTION_EXPIRED help'],
  [
    'nobody judges a plan',
    { defaults: ['information', 'approval', 'tool'] },
    [accepted, unsurelyPlanned('plan')],
    passed('question', 'plan:plan'),
    'failed: QUESTION_EXPIRED plan:plan',
  ],
  [
    'nobody judges a draft',
    { defaults: ['information', 'approval', 'tool'] },
    [accepted, planned('plan'), unsurelyDrafted()],
    passed('question', 'draft:draft'),
    'failed: QUESTION_EXPIRED draft:draft',
  ],
  [
    'nobody approves',
    {},
    withNote,
    passed('question', 'approval:action-n'),
    'failed: QUESTION_EXPIRED approval:action-n',
  ],
  [
    'nobody approves, and the default is to leave it out',
    { defaults: ['approval'] },
    withNote,
    passed('question', 'approval:action-n'),
    'execute.concluding: conclude',
  ],
  [
    'nobody knows of an effect in doubt',
    { defaults: ['information', 'approval', 'tool'] },
    [...toWrite, doubted('u')],
    passed('question', 'doubt:u'),
    'failed: QUESTION_EXPIRED doubt:u, EFFECT_IN_DOUBT u',
  ],
  [
    'nobody answers a tool',
    {},
    [...toCall, raises('r', 'q')],
    passed('question', 'q'),
    'failed: QUESTION_EXPIRED q',
  ],
  [
    'nobody answers a tool, and the default is to call it again',
    { defaults: ['tool'] },
    [...toCall, raises('r', 'q')],
    passed('question', 'q'),
    'execute.calling: call r',
  ],
];

describe('silence has a target, and it is never an approval', () => {
  test.each(table)('%s', (_, taskClass, told, at, leads) => {
    const task = run(taskClass, told);
    task.send(at);
    expect(story(task)).toBe(leads);
  });

  test('a choice that nobody made is told from one that a person made', () => {
    const task = run({ followup: true }, [accepted, planned('plan'), drafted(), offered]);
    task.send(passed('followup', requests[0]));
    expect(task.c.followup).toBe('defaulted');
  });

  test('an approval that expired must be given again', () => {
    const task = run({}, [
      accepted,
      planned('plan', send('v'), send('w')),
      decided('v'),
      granted('action-v'),
      decided('w'),
      passed('approval', 'action-v'),
      granted('action-w'),
    ]);
    expect(task.owes).toEqual(['ask approval:action-v', 'call w']);
  });

  test('a verifier that answers after its deadline has lost', () => {
    const task = run({ beforeDeliver: { verifiers: ['facts', 'style'] } }, [
      accepted,
      planned('plan'),
      drafted(),
    ]);
    task.send(passed('verifier', 'draft facts'));
    expect(task.takes(reported('facts', 'draft'))).toBe(false);
    expect(task.owes).toEqual(['verify style draft 0']);
  });

  test.each([
    ['a question about the draft is open', [accepted, planned('plan'), unsurelyDrafted()]],
    [
      'the run undoes its writes',
      [accepted, planned('plan', undoable('u')), ...written('u'), drafted(), cancelled],
    ],
  ])('a verifier misses no deadline while %s', (_, told) => {
    const task = run({ beforeDeliver: { verifiers: ['facts'] } }, told);
    const before = task.c;
    expect(task.owes.join()).not.toContain('verify');
    expect(task.takes(passed('verifier', 'draft facts'))).toBe(false);
    expect(task.c).toBe(before);
  });

  test('evidence of a committed write grows old with its call', () => {
    const task = run({}, [
      accepted,
      planned('plan', undoable('u')),
      ...written('u'),
      passed('evidence', 'evidence-u'),
    ]);
    expect(task.c.effects[0]?.evidence?.stale).toBe(true);
    expect(task.c.calls['u']?.evidence?.stale).toBe(true);
    expect(task.takes(passed('evidence', 'evidence-u'))).toBe(false);
  });
});

test.each([
  'policy',
  'call',
  'evidence',
  'approval',
  'verifier',
  'question',
  'dependency',
  'rollback',
] as const)('a deadline of a %s that is not owed is refused, whatever it is named', (of) => {
  const task = run({}, [accepted, planned('plan', read('r'))]);
  for (const id of ['constructor', '__proto__', 'toString', 'unknown', 'r', '', ' '])
    expect(task.takes(passed(of, id))).toBe(false);
});

test('a deadline of what is gone changes nothing of it', () => {
  expect(applyDeadline(bare(), { of: 'dependency', id: 'gone' })).toEqual({});
  expect(applyDeadline(bare(), { of: 'question', id: 'gone' })).toEqual({});
});
