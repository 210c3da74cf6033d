import { callOf, check } from 'agentcharter/testing';
import { describe, expect, test } from 'vitest';
import { taskMachine } from '../../machines/index.ts';
import { besideWorlds } from './beside-worlds.ts';
import {
  accepted,
  answered,
  awaits,
  changes,
  cleared,
  decided,
  doubted,
  drafted,
  failed,
  granted,
  met,
  offered,
  passed,
  planned,
  proposes,
  raises,
  reported,
  rollback,
  run,
  started,
  succeeded,
  unsurelyProposes,
} from './scene.ts';
import { asked as propertiesOf, graphIn } from './walks.ts';

const { note, read, send, undoable } = callOf;

const asked = (...calls: Parameters<typeof planned>[1][]) => [accepted, planned('plan', ...calls)] as const;
const human = { authorities: ['human' as const] };

describe('beside a question about another write', () => {
  test('writes go on one at a time, in plan order, once their clearance was looked at again', () => {
    const told = [...asked(send('w'), note('m'), undoable('u')), decided('w'), decided('m'), decided('u')];
    const task = run(human, told);
    expect([task.at, task.owes]).toEqual(['needsHumanDecision', ['ask approval:action-w', 'call m']]);
    expect(task.takes(started('m'))).toBe(false);
    task.send(cleared('m'));
    expect(task.takes(started('u'))).toBe(false);
    task.send(started('m'));
    expect(task.owes).toEqual(['ask approval:action-w', 'observe m']);
    task.send(succeeded('m'));
    expect(task.owes).toEqual(['ask approval:action-w', 'call u']);
    task.send(answered('approval:action-w', 'approve'));
    expect([task.at, task.owes]).toEqual(['execute.calling', ['call w']]);
  });

  test('a write that says so waits for all writes of its step', () => {
    const told = [...asked(send('w'), { ...note('m'), together: true }), decided('w'), decided('m')];
    const task = run(human, told);
    expect(task.owes).toEqual(['ask approval:action-w']);
    task.send(answered('approval:action-w', 'approve'));
    expect(task.owes).toEqual(['call w']);
  });

  test('a write that comes after another waits until that one is over, and no longer', () => {
    const after = { ...note('m'), after: ['w'] };
    const told = [
      ...asked(send('w'), undoable('v'), after, note('o')),
      decided('w'),
      decided('v', 'needs_review'),
    ];
    const task = run(human, [...told, decided('m'), decided('o')]);
    expect(task.owes).toEqual(['ask approval:action-w', 'ask approval:action-v', 'call o']);
    for (const fact of [cleared('o'), started('o'), succeeded('o')]) task.send(fact);
    expect(task.owes).toEqual(['ask approval:action-w', 'ask approval:action-v']);
    task.send(answered('approval:action-w', 'approve'));
    expect(task.owes).toEqual(['ask approval:action-v', 'call w']);
    for (const fact of [cleared('w'), started('w')]) task.send(fact);
    expect(task.owes).toEqual(['ask approval:action-v', 'observe w']);
    task.send(succeeded('w'));
    expect(task.owes).toEqual(['ask approval:action-v', 'call m']);
  });

  test('no write goes on that a person is asked about, nor beside another kind of question', () => {
    const told = [...asked(send('w'), note('m'), note('o')), decided('w'), decided('m'), decided('o')];
    const task = run(human, [...told, cleared('m'), started('m'), raises('m', 'q')]);
    expect(task.owes).toEqual(['ask approval:action-w', 'ask q']);
  });

  test('no write goes on beside the question about a limit, until it is answered', () => {
    const told = [...asked(read('r'), send('w'), note('m')), started('r'), awaits('r', 'd'), met('d')];
    const task = run({ ...human, atLimit: 'ask', limits: { pauses: 1 } }, [
      ...told,
      started('r'),
      succeeded('r'),
      decided('w'),
      decided('m'),
    ]);
    expect(task.owes).toEqual(['ask approval:action-w', 'ask limit:pauses']);
    task.send(answered('limit:pauses', 'approve'));
    expect(task.owes).toEqual(['ask approval:action-w', 'call m']);
  });

  test('no write goes on whose twin a person is asked about', () => {
    const twin = { ...note('n'), digest: note('m').digest };
    const task = run(human, [...asked(note('m'), twin), decided('m', 'needs_review'), decided('n')]);
    expect(task.owes).toEqual(['ask approval:action-m']);
  });

  test('a write that falls into doubt is asked about at once, and holds up the rest', () => {
    const told = [...asked(send('w'), undoable('u'), note('m')), decided('w'), decided('u'), decided('m')];
    const task = run(human, [...told, cleared('u'), started('u'), doubted('u')]);
    expect(task.owes).toEqual(['ask approval:action-w', 'ask doubt:u']);
    task.send(answered('doubt:u', 'approve'));
    expect(task.owes).toEqual(['ask approval:action-w', 'call m']);
  });

  test('a write that fails holds up the rest, and another plan forgets none that is being made', () => {
    const told = [...asked(send('w'), undoable('u'), note('m')), decided('w'), decided('u'), decided('m')];
    const task = run({ ...human, limits: { repairs: 0 } }, [...told, cleared('u'), started('u')]);
    expect(task.takes(answered('approval:action-w', 'instruction'))).toBe(false);
    task.send(failed('u'));
    expect(task.owes).toEqual(['ask approval:action-w']);
    expect(task.takes(answered('approval:action-w', 'instruction'))).toBe(true);
  });

  test('what was made is undone in reverse', () => {
    const told = [
      ...asked(send('w'), undoable('u'), undoable('v')),
      decided('w'),
      decided('u'),
      decided('v'),
    ];
    const task = run({}, told);
    for (const call of ['u', 'v']) task.send(cleared(call), started(call), succeeded(call));
    task.send(() => ({ type: 'task.cancelled' }));
    expect(task.owes).toEqual(['undo action-v']);
    task.send(rollback('started', 'action-v'), rollback('succeeded', 'action-v'));
    expect(task.owes).toEqual(['undo action-u']);
  });

  test('an approved write goes on, while the next one still waits', () => {
    const task = run({}, [...asked(send('w'), send('x')), decided('w'), decided('x'), granted('action-x')]);
    expect(task.owes).toEqual(['ask approval:action-w', 'call x']);
  });

  test('no call goes on beyond the limit on calls', () => {
    const told = [...asked(send('w'), note('m'), note('o')), decided('w'), decided('m'), decided('o')];
    const task = run({ ...human, limits: { calls: 1 } }, [
      ...told,
      cleared('m'),
      started('m'),
      succeeded('m'),
    ]);
    expect(task.owes).toEqual(['ask approval:action-w']);
  });
});

describe('an agent in its own host, beside a question', () => {
  const host = { ...human, host: true, atLimit: 'ask' as const };
  const waiting = [...asked(send('w')), decided('w')];
  const isAsked = 'ask approval:action-w';

  test('reads on, and its further writes are decided, made and asked about', () => {
    const task = run(host, waiting);
    task.send(proposes(read('r'), note('m'), send('x')));
    expect([task.at, task.owes]).toEqual(['needsHumanDecision', [isAsked, 'call r', 'decide m', 'decide x']]);
    for (const fact of [started('r'), succeeded('r'), decided('m')]) task.send(fact);
    expect(task.owes).toEqual([isAsked, 'call m', 'decide x']);
    task.send(decided('x'));
    expect(task.owes).toEqual([isAsked, 'ask approval:action-x', 'call m']);
    expect(task.c.counters).toMatchObject({ pauses: 1, rounds: 2, modelCalls: 2 });
    for (const fact of [cleared('m'), started('m'), succeeded('m')]) task.send(fact);
    task.send(answered('approval:action-x', 'approve'));
    expect(task.owes).toEqual([isAsked, 'call x']);
    task.send(answered('approval:action-w', 'approve'));
    expect([task.at, task.owes]).toEqual(['execute.calling', ['call w']]);
  });

  test('waits with writes that a verifier may fail, and has an edited one verified beside another question', () => {
    const task = run({ ...host, beforeWrite: { verifiers: ['facts'] } }, [
      ...asked(send('w'), send('x')),
      reported('facts', 'action-w'),
      reported('facts', 'action-x'),
      decided('w'),
      decided('x'),
      proposes(read('r')),
    ]);
    task.send(started('r'), succeeded('r'));
    expect(task.owes).toEqual([isAsked, 'ask approval:action-x']);
    expect(task.takes(proposes(note('m')))).toBe(false);
    task.send(answered('approval:action-x', 'edit', { call: send('x', 'other') }));
    expect(task.owes).toEqual([isAsked, 'verify facts action-w 1', 'verify facts other 1']);
    expect([task.takes(decided('x')), task.takes(passed('policy', 'x'))]).toEqual([false, false]);
    task.send(reported('facts', 'action-w'), reported('facts', 'other'));
    expect(task.owes).toEqual([isAsked, 'decide x']);
  });

  test('has a write that a person approved verified again after a read, and made beside another question', () => {
    const task = run({ ...host, beforeWrite: { verifiers: ['facts'] } }, [
      ...asked(send('w'), send('x')),
      reported('facts', 'action-w'),
      reported('facts', 'action-x'),
      decided('w'),
      decided('x'),
      proposes(read('r')),
    ]);
    task.send(started('r'), succeeded('r'), answered('approval:action-x', 'approve'));
    expect(task.owes).toEqual([isAsked, 'verify facts action-w 1', 'verify facts action-x 1']);
    task.send(reported('facts', 'action-w'), reported('facts', 'action-x'));
    expect(task.owes).toEqual([isAsked, 'call x']);
  });

  test('asks about more once its reads are over', () => {
    const task = run(host, [...waiting, proposes(read('r'), send('x')), decided('x')]);
    expect(task.owes).toEqual([isAsked, 'call r']);
    task.send(started('r'));
    expect(task.owes).toEqual([isAsked, 'observe r']);
    task.send(succeeded('r'));
    expect(task.owes).toEqual([isAsked, 'ask approval:action-x']);
  });

  test('asks about more within the pause, also at the limit on pauses', () => {
    const task = run({ ...host, limits: { pauses: 1 } }, [...waiting, proposes(send('x'))]);
    task.send(decided('x'));
    expect(task.owes).toEqual([isAsked, 'ask approval:action-x']);
    expect(task.c.counters.pauses).toBe(1);
  });

  test('is asked about a write that falls into doubt within the pause, also at that limit', () => {
    const task = run({ ...host, limits: { pauses: 1 } }, [...waiting, proposes(undoable('u')), decided('u')]);
    task.send(cleared('u'), started('u'), doubted('u'));
    expect(task.owes).toEqual([isAsked, 'ask doubt:u']);
  });

  test('goes on in the next request only once it proposes calls there', () => {
    const task = run({ ...host, followup: true }, [
      ...waiting,
      proposes(read('r')),
      started('r'),
      succeeded('r'),
    ]);
    task.send(answered('approval:action-w', 'reject'), drafted(), offered, changes());
    expect([task.at, task.c.goesOn]).toEqual(['intake', false]);
  });

  test('waits with what would end the attempt, and with what it is not sure of', () => {
    const evidence = [{ type: 'tool_result' as const }];
    const task = run({ ...host, beforeWrite: { evidence } }, [
      ...asked(read('r'), send('w')),
      started('r'),
      succeeded('r'),
      decided('w'),
    ]);
    expect(task.takes(proposes({ ...send('x'), rollback: false }))).toBe(false);
    expect(task.takes(unsurelyProposes(read('s')))).toBe(false);
    expect(task.takes(proposes(read('s')))).toBe(true);
  });

  test.each([
    ['an agent that the chart asks', { host: false }, []],
    ['one that has no turns left', { limits: { modelCalls: 1 } }, []],
    ['one that has no rounds left', { limits: { rounds: 1 } }, []],
    ['one whose tool asks too', {}, [proposes(read('r')), started('r'), raises('r', 'q')]],
    ['one whose call failed', {}, [proposes(read('r')), started('r'), failed('r')]],
  ])('does not go on: %s', (_, taskClass, more) => {
    const task = run({ ...host, ...taskClass }, [...waiting, ...more]);
    expect(task.takes(proposes(read('s')))).toBe(false);
    expect(task.takes(drafted())).toBe(false);
  });

  test.each(besideWorlds)('keeps every property: $name', (world) => {
    const graph = graphIn(taskMachine, world);
    const goesOn = graph.edges.filter(
      ({ from, event }) => event.type === 'calls.proposed' && graph.at(from).value === 'needsHumanDecision',
    );
    expect(goesOn.length).toBeGreaterThan(0);
    expect(check(graph, propertiesOf(world)).map(({ trace }) => trace)).toEqual([]);
  });

  test('waits for the policy and verifiers no longer than elsewhere', () => {
    const task = run(host, [...waiting, proposes(note('m'))]);
    expect(task.wakes).toContain('policy m');
    task.send(passed('policy', 'm'));
    expect(task.reasons).toEqual(['POLICY_UNAVAILABLE m']);
  });
});

describe('an edit that approves', () => {
  const waiting = [...asked(send('w')), decided('w')];
  const edit = (more: object = {}) =>
    answered('approval:action-w', 'edit', { call: send('w', 'other'), by: 'kim', approves: true, ...more });

  test('needs the policy and nobody else', () => {
    const task = run(human, [...waiting, edit(), decided('w')]);
    expect(task.owes).toEqual(['call w']);
    expect(task.c.calls['w']).toMatchObject({ digest: 'other', authority: 'human', approvers: ['kim'] });
  });

  test.each([
    ['without a name', human, { by: undefined }],
    ['that does not say so', human, { approves: undefined }],
    ['of a held call', human, { call: { ...send('w', 'other'), held: ['FLOW_FORBIDDEN'] } }],
    [
      'where people do not approve such a write',
      { authorities: ['approval' as const, 'system' as const] },
      {},
    ],
    ['where two people are wanted', { ...human, approvers: 2 }, {}],
  ])('%s leaves the question', (_, taskClass, more) => {
    const task = run(taskClass, [...waiting, edit(more), decided('w')]);
    expect(task.owes).toEqual(['ask approval:other']);
  });
});

describe("a tool's failure, in a class that limits failures", () => {
  const limits = { failures: 1, repairs: 0 };

  test('is an observation within the limit: what else was planned goes on', () => {
    const task = run({ limits }, [...asked(read('r'), read('s'), note('m')), started('r'), failed('r')]);
    expect(task.owes).toEqual(['call s']);
    task.send(started('s'), succeeded('s'));
    expect(task.owes).toEqual(['decide m']);
    expect(task.c.failures).toEqual({ 'tool-r': 1 });
  });

  test('beyond the limit ends the attempt', () => {
    const task = run({ limits: { ...limits, failures: 0 } }, [
      ...asked(read('r')),
      started('r'),
      failed('r'),
    ]);
    expect(task.reasons).toEqual(['TOOL_FAILED r']);
  });

  test.each(['CHILD_FAILED', 'TOOL_CHANGED', 'EVIDENCE_INVALID'] as const)('with %s is none', (code) => {
    const task = run({ limits }, [...asked(read('r')), started('r'), failed('r', code)]);
    expect(task.reasons).toEqual([`${code} r`]);
  });
});
