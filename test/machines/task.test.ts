import { createActor, transition, type Snapshot } from 'xstate';
import { describe, expect, test } from 'vitest';
import { dutiesOf, taskMachine, violationsOf, type Fact } from '../../machines/index.ts';
import { callOf, factsIn, hostileFactsIn, type World } from 'agentcharter/testing';
import { requests } from '../../src/testing/charter/world.ts';
import {
  accepted,
  answered,
  asksForInformation,
  awaits,
  cancelled,
  changes,
  decided,
  drafted,
  granted,
  needsHelp,
  offered,
  passed,
  plan,
  planned,
  proposes,
  raises,
  rejects,
  reported,
  run,
  started,
  startedAgain,
  stopped,
  succeeded,
  written,
  type Run,
  type TaskClassGiven,
  type FactMaker,
} from './scene.ts';

const { note, read, send, undoable } = callOf;

const world = {
  name: 'any',
  taskClass: {},
  plans: [[read('r')], []],
  further: [],
  careless: true,
} satisfies World;

/** XState itself throws on a wildcard: only the boundary can refuse one. */
const isBearable = ({ type }: Fact): boolean => (type as string) !== '*';

const stored = (task: Run): string => JSON.stringify(task.actor.getPersistedSnapshot());
const restored = (snapshot: unknown) =>
  createActor(taskMachine, {
    snapshot: JSON.parse(JSON.stringify(snapshot)) as Snapshot<unknown>,
    input: undefined as never,
  }).start();

describe('a settled task', () => {
  const ends: readonly (readonly [string, TaskClassGiven, readonly FactMaker[]])[] = [
    ['delivered', {}, [accepted, planned('p'), drafted()]],
    [
      'chosen',
      { followup: true },
      [accepted, planned('p'), drafted(), offered, answered('followup', 'rank')],
    ],
    ['withdrawn', { followup: true }, [accepted, planned('p'), drafted(), offered, cancelled]],
    ['never offered', { followup: true }, [accepted, planned('p'), drafted(), cancelled]],
    ['failed', {}, [passed('accept', requests[0])]],
    ['cancelled', {}, [cancelled]],
  ];

  test.each(ends)('is tagged, owes nothing and takes nothing: %s', (_, taskClass, told) => {
    const task = run(taskClass, told);
    const snapshot = task.actor.getSnapshot();
    expect(snapshot.hasTag('settled')).toBe(true);
    expect(dutiesOf(snapshot)).toEqual([]);
    const facts = [...factsIn(world, task.c), ...hostileFactsIn(world, task.c)].filter(isBearable);
    expect(facts.length).toBeGreaterThan(30);
    expect(facts.filter((fact) => snapshot.can(fact))).toEqual([]);
    for (const fact of facts)
      expect(transition(taskMachine, snapshot, fact)[0].value).toEqual(snapshot.value);
  });

  test('that failed gives its outcome and its reasons', () => {
    const snapshot = run({}, [cancelled]).actor.getSnapshot();
    expect(snapshot.output).toEqual({
      outcome: 'cancelled',
      reasons: [{ code: 'CANCELLED', about: 'task' }],
    });
  });

  test('that was delivered is never cancelled: cancelling withdraws the offer', () => {
    const task = run({ followup: true }, [accepted, planned('p'), drafted(), offered, cancelled]);
    expect(task.at).toBe('completed.settled');
    expect(task.c).toMatchObject({ outcome: 'delivered', followup: 'withdrawn', reasons: [] });
  });
});

describe('a followup', () => {
  const toFollowup = [accepted, planned('p', note('n')), ...written('n'), drafted(), offered];

  test.each([
    ['approve', 'chosen'],
    ['rank', 'chosen'],
    ['reject', 'withdrawn'],
  ] as const)('is settled by %s: %s', (feedback, how) => {
    const task = run({ followup: true }, [...toFollowup, answered('followup', feedback)]);
    expect(task.at).toBe('completed.settled');
    expect(task.c.followup).toBe(how);
  });

  test.each(['edit', 'instruction'] as const)('is not settled by %s, which asks for changes', (feedback) => {
    expect(run({ followup: true }, toFollowup).takes(answered('followup', feedback))).toBe(false);
  });

  test('is not settled by a comment, which may be made', () => {
    const task = run({ followup: true }, [...toFollowup, answered('followup', 'comment')]);
    expect(task.at).toBe('followup');
    expect(task.owes).toEqual(['refine']);
  });

  test('takes a choice under its own name alone', () => {
    const task = run({ followup: true }, toFollowup);
    expect(task.takes(answered('constructor', 'approve'))).toBe(false);
  });

  test('asks for changes under a new request, which knows nothing of the old run', () => {
    const task = run({ followup: true }, [...toFollowup, changes(requests[1])]);
    expect(task.at).toBe('intake');
    expect(task.c).toMatchObject({
      request: requests[1],
      attempt: 0,
      calls: {},
      effects: [],
      plan: null,
      outcome: null,
      followup: null,
      trail: ['submitted', 'intake'],
    });
    task.send(accepted, planned('q'), drafted());
    expect(task.at).toBe('completed.offering');
  });
});

describe('cancelling', () => {
  const checked = { beforeWrite: { verifiers: ['check'] }, beforeDeliver: { verifiers: ['facts'] } };
  const toCall = [accepted, planned('p', read('r')), started('r')];
  const unsettled: readonly (readonly [string, TaskClassGiven, readonly FactMaker[]])[] = [
    ['intake', {}, []],
    ['plan.proposing', {}, [accepted]],
    ['plan.correcting', {}, [accepted, rejects()]],
    ['execute.calling', {}, toCall],
    ['execute.checking', checked, [accepted, planned('p', note('n'))]],
    ['execute.authorizing', {}, [accepted, planned('p', note('n'))]],
    ['execute.concluding', {}, [accepted, planned('p')]],
    ['execute.correcting', {}, [accepted, planned('p'), rejects()]],
    ['verify.verifying', checked, [accepted, planned('p'), drafted()]],
    ['needsHumanDecision', {}, [asksForInformation('q')]],
    ['needsHumanDecision', {}, [accepted, needsHelp()]],
    ['needsHumanDecision', {}, [...toCall, raises('r', 'q')]],
    ['waiting', {}, [...toCall, awaits('r', 'x')]],
  ];

  test.each(unsettled)('ends a run in %s at once', (state, taskClass, told) => {
    const task = run(taskClass, told);
    expect(task.at).toBe(state);
    task.send(cancelled);
    expect(task.at).toBe('cancelled');
    expect(task.reasons).toEqual(['CANCELLED task']);
    expect(task.c).toMatchObject({ questions: {}, dependencies: {} });
  });

  test('waits in undoing for what is in flight, and may be said again', () => {
    const task = run({}, [
      accepted,
      planned('p', undoable('u')),
      decided('u'),
      started('u'),
      cancelled,
      cancelled,
    ]);
    expect(task.at).toBe('undoing.stop');
    expect(task.reasons).toEqual(['CANCELLED task']);
  });

  test('of a run that had begun to fail leaves it failed', () => {
    const task = run({}, [
      accepted,
      planned('p', undoable('u')),
      decided('u'),
      started('u'),
      stopped(),
      cancelled,
      passed('call', 'u'),
    ]);
    expect(task.at).toBe('failed');
    expect(task.reasons).toEqual(['GUARD_ERROR run', 'CANCELLED task', 'EFFECT_IN_DOUBT u']);
  });
});

describe('a parked task', () => {
  const parked = [
    accepted,
    planned('plan', read('r'), read('s'), read('t')),
    started('r'),
    started('s'),
    started('t'),
    raises('r', 'p'),
    raises('s', 'q'),
  ];

  test('comes back to where it was, saved and restored or not', () => {
    const task = run({}, parked);
    const back = restored(task.actor.getPersistedSnapshot());
    for (const told of [answered('q', 'approve'), succeeded('t'), answered('p', 'approve'), started('r')]) {
      back.send(told(task.c));
      task.send(told);
    }
    expect(JSON.stringify(back.getPersistedSnapshot())).toBe(stored(task));
    expect(task.at).toBe('execute.calling');
  });

  test('without its history fails safe, and says that it lost its way', () => {
    const snapshot = run({}, parked).actor.getPersistedSnapshot();
    const lost = restored({ ...snapshot, historyValue: {} });
    const { c } = run({}, parked);
    lost.send(answered('p', 'approve')(c));
    lost.send(answered('q', 'approve')(c));
    expect(lost.getSnapshot().value).toBe('failed');
    expect(lost.getSnapshot().context.reasons).toEqual([{ code: 'RESUME_LOST', about: 'run' }]);
  });

  test('is small', () => {
    const task = run({}, parked);
    const { taskClass, ...rest } = task.c;
    const bytes = stored(task).length;
    console.log(
      `a parked task with three calls and two questions: ${bytes} bytes, ` +
        `of them ${JSON.stringify(taskClass).length} of its task class and ${JSON.stringify(rest).length} of its run`,
    );
    expect(bytes).toBeLessThan(2500);
  });
});

describe('hostile names', () => {
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'] as const;

  test.each(names)('a run goes through with everything named %s', (name) => {
    const task = run(
      { followup: true, beforeWrite: { verifiers: [name] }, beforeDeliver: { verifiers: [name] } },
      [
        asksForInformation(name),
        answered(name, 'instruction'),
        accepted,
        planned(name, read(name, name), send('w', 'w')),
        started(name),
        raises(name, name),
        answered(name, 'approve'),
        started(name),
        awaits(name, name),
      ],
    );
    expect(task.owes).toEqual([`await ${name} ${name}`]);
    const back = restored(task.actor.getPersistedSnapshot());
    expect(JSON.stringify(back.getPersistedSnapshot())).toBe(stored(task));
    task.send((c) => ({
      type: 'call.succeeded',
      request: c.request,
      attempt: 0,
      call: name,
      evidence: { id: name, type: 'tool_result' },
    }));
    task.send(reported(name, 'w'), decided('w'), granted('w', 'approval', name));
    task.send(...startedAgain('w'), succeeded('w'), drafted(name), reported(name, name));
    expect(task.at).toBe('completed.offering');
  });

  test('nothing is found under a name that was never given', () => {
    const task = run({}, [accepted, planned('p', read('r')), started('r')]);
    for (const name of names) {
      for (const told of [
        succeeded(name),
        started(name),
        awaits(name, 'x'),
        raises(name, 'q'),
        decided(name),
      ])
        expect(task.takes(told)).toBe(false);
      expect(task.takes(() => ({ type: 'dependency.met', dependency: name }))).toBe(false);
    }
    expect(violationsOf('deliver', task.c)).not.toEqual([]);
  });

  test('nothing is named like the parts of an actor, which XState would store in its place', () => {
    const parts = [read('sessionId'), read('send'), read('ref')];
    expect(run({}, [accepted]).takes(planned('p', ...parts))).toBe(false);
    expect(run({}, [accepted, planned('p')]).takes(proposes(...parts))).toBe(false);
    const calling = run({}, [accepted, planned('p', read('r')), started('r')]);
    expect(calling.takes(awaits('r', 'sessionId'))).toBe(false);
    expect(calling.takes(raises('r', 'sessionId'))).toBe(false);
  });

  test('an edit may bring hostile names too', () => {
    const task = run({}, [accepted, needsHelp()]);
    task.send(answered('help', 'edit', { plan: plan('constructor', read('__proto__')) }));
    expect(task.owes).toEqual(['call __proto__']);
  });
});

test('a spoofed completion or initialisation reaches nothing', () => {
  const task = run({}, [accepted, planned('p', read('r'))]);
  const then = stored(task);
  for (const fact of hostileFactsIn(world, task.c).filter(isBearable)) task.actor.send(fact);
  expect(stored(task)).toBe(then);
});
