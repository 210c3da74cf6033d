import { describe, expect, it } from 'vitest';
import type { DeadlineOf, Duty } from '../../../../machines/index.ts';
import { defineTaskClass } from '../../../../src/index.ts';
import {
  passedFirst,
  resumedDeadlines,
  runningDeadlines,
  type Timing,
} from '../../../../src/core/kernel/deadlines.ts';
import { storedDeadlines } from '../../../../src/core/kernel/view.ts';
import { emptyProjection } from '../../../../src/core/kernel/projection/projection.ts';
import { fails, passes, scene } from '../shell/scene.ts';
import { call, draft, later, never, plan, writeTool } from '../shell/scripted.ts';
import { steppingClock } from '../shell/stepping-clock.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const identity = { agent_id: 'a', owner_id: 'o', control_class: 'autonomous' as const };
const timing: Timing = {
  context: {
    request: 'r',
    attempt: 1,
    counters: {
      corrections: 0,
      repairs: 0,
      rounds: 0,
      revisions: 0,
      refreshes: 0,
      pauses: 0,
      clearances: 0,
      modelCalls: 0,
      calls: 0,
    },
    collected: 0,
    calls: {},
  },
  isOwner: true,
  taskClass: defineTaskClass({ id: 'work', tools: [], deadlines: { verifier: minute, question: hour } }),
  projection: emptyProjection(
    { taskClass: 'work', threadId: 't', payload: {}, explanation: '', identity },
    'trace',
  ),
  tools: new Map(),
  verifiers: new Map(),
};
const guest: Timing = { ...timing, isOwner: false };
const inContext = (context: Partial<Timing['context']>): Timing => ({
  ...timing,
  context: { ...timing.context, ...context },
});

const wake = (of: DeadlineOf, id: string = of): Duty => ({ kind: 'wake', of, id });
const duties = [wake('verifier', 'digest facts'), wake('question')];
const at = (instant: number) => ({ at: instant, monotonic: instant });
const [early, late] = [0, 40 * second].map(at);

describe('the deadline that passed first', () => {
  const some = runningDeadlines([], duties, early!, timing);
  const [verifier, question] = some;

  it('is the earliest one, at its time or later', () => {
    expect(passedFirst(some, at(minute - 1))).toBeUndefined();
    expect(passedFirst(some, at(minute))).toBe(verifier);
    expect(passedFirst(some, at(2 * hour))).toBe(verifier);
    expect(passedFirst([question!], at(hour))).toBe(question);
    expect(passedFirst([], at(Infinity))).toBeUndefined();
  });

  it('is the one that passed longest ago, by the clock of each', () => {
    expect(passedFirst(some, { at: 2 * hour, monotonic: minute + 1 })).toBe(question);
    expect(passedFirst(some, { at: hour, monotonic: minute + 1 })).toBe(verifier);
  });
});

describe('the deadline of work', () => {
  const begun = runningDeadlines([], duties, early!, timing);

  it.each<[string, Timing, number]>([
    ['continues while the same work is due', timing, minute],
    ['is whole again in the next attempt', inContext({ attempt: 2 }), 100 * second],
    [
      'is whole again when a verifier is asked about more evidence',
      inContext({ collected: 1 }),
      100 * second,
    ],
    ['is whole again for another request', inContext({ request: 'another' }), 100 * second],
  ])('%s', (_, next, ends) => {
    const [verifier, question] = runningDeadlines(begun, duties, late!, next);
    expect(verifier).toMatchObject({ of: 'verifier', at: ends, ends });
    expect(question).toMatchObject({ of: 'question', at: hour, ends: null });
  });

  it('is whole again when a policy is asked about an edited call', () => {
    const [one, other] = ['one', 'other'].map((digest) => inContext({ calls: { c: { digest } } as never }));
    const asked = runningDeadlines([], [wake('policy', 'c')], early!, one!);
    expect(runningDeadlines(asked, [wake('policy', 'c')], late!, one!)).toEqual(asked);
    expect(runningDeadlines(asked, [wake('policy', 'c')], late!, other!)[0]?.at).toBe(50 * second);
  });

  it('is stored without its monotonic time', () => {
    expect(storedDeadlines(begun)).toEqual([
      { of: 'verifier', id: 'digest facts', at: minute },
      { of: 'question', id: 'question', at: hour },
    ]);
  });

  it('restarts when an owner loads a task; the deadline of a question continues', () => {
    const resumed = resumedDeadlines(storedDeadlines(begun), [], timing);
    const [question, verifier] = runningDeadlines(resumed, duties, { at: 2 * hour, monotonic: 7 }, timing);
    expect(question).toMatchObject({ of: 'question', at: hour, ends: null });
    expect(verifier).toMatchObject({ of: 'verifier', at: 2 * hour + minute, ends: minute + 7 });
  });

  it('continues on the owner’s clock, whatever another process stored', () => {
    const theirs = storedDeadlines(begun).map((deadline) => ({ ...deadline, at: deadline.at + 10 * hour }));
    const resumed = resumedDeadlines(theirs, begun, timing);
    expect(runningDeadlines(resumed, duties, late!, timing)).toMatchObject([
      { of: 'verifier', at: minute, ends: minute },
      { of: 'question', at: 11 * hour, ends: null },
    ]);
  });

  it('never passes in a guest, which stores it unchanged', () => {
    const resumed = resumedDeadlines(storedDeadlines(begun), [], guest);
    const running = runningDeadlines(resumed, [...duties, wake('model')], late!, guest);
    expect(running.map(({ of, at, ends }) => [of, at, ends])).toEqual([
      ['verifier', minute, Infinity],
      ['model', 160 * second, Infinity],
      ['question', hour, null],
    ]);
  });
});

describe('a verifier that runs again in the next attempt', () => {
  it('has its whole deadline', async () => {
    const gates = [later<void>(), later<void>()];
    let asked = 0;
    const scenario = scene({
      model: [plan([call('write')]), draft()],
      tools: [writeTool('write')],
      verifiers: {
        facts: async (subject, signal) => {
          const at = asked;
          asked += 1;
          await gates[at]?.promise;
          return (at === 0 ? fails : passes)(subject, signal);
        },
      },
      taskClass: {
        beforeWrite: { verifiers: ['facts'] },
        repairTo: 'execute',
        limits: { repairs: 1 },
        deadlines: { verifier: minute },
      },
    });
    const taskId = await scenario.submit();
    await scenario.clock.advance(50 * second);
    gates[0]!.resolve();
    await scenario.clock.advance(50 * second);
    expect(asked).toBe(2);
    expect(scenario.stateOf(taskId)).toContain('checking');
    gates[1]!.resolve();
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
  });
});

describe('a suspended machine', () => {
  it('keeps the remaining time of the model and applies the deadline of a question', async () => {
    const clock = steppingClock();
    const scenario = scene({
      model: [plan([], { confidence: 0.1 }), (_: unknown, signal: AbortSignal) => never(signal)],
      taskClass: { deadlines: { model: minute, question: hour } },
      options: { clock },
    });
    const [first, second_] = [await scenario.submit(), await scenario.submit()];
    expect(scenario.stateOf(first)).toBe('needsHumanDecision');
    expect(scenario.stateOf(second_)).toContain('plan');
    await clock.advance(10 * second);
    clock.step(2 * hour);
    await clock.advance(20 * second);
    expect(await scenario.ended(first)).toMatchObject({ reasons: [{ code: 'QUESTION_EXPIRED' }] });
    await clock.advance(29 * second);
    expect(scenario.stateOf(second_)).toContain('plan');
    await clock.advance(second);
    expect(await scenario.ended(second_)).toMatchObject({ reasons: [{ code: 'MODEL_UNAVAILABLE' }] });
  });
});

describe('a wall clock that is wrong for a moment', () => {
  it('does not delay a retry of the store', async () => {
    const clock = steppingClock();
    const scenario = scene({ model: [() => gate.promise, draft()], options: { clock } });
    const gate = later();
    const taskId = await scenario.submit();
    scenario.store.refuse(() => new Error('disk full'));
    clock.step(10 * hour);
    gate.resolve(plan());
    await clock.advance(0);
    clock.step(-10 * hour);
    scenario.store.refuse(undefined);
    await clock.advance(second);
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(scenario.takeErrors()).toHaveLength(1);
  });
});
