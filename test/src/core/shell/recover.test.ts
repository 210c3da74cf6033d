import { describe, expect, it } from 'vitest';
import { defineTaskClass, defineTaskTool } from '../../../../src/index.ts';
import * as z from 'zod';
import { machine } from './restarts.ts';
import { call, draft, later, never, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';
import { steppingClock } from './stepping-clock.ts';
import type { Turn } from '../../../../src/index.ts';

const unsure = plan([], { confidence: 0.1 });
const hang = (_: Turn, signal: AbortSignal) => never(signal);
const minute = 60_000;
const day = 24 * 60 * minute;

describe('a task with an open question after its process ended', () => {
  it('is in the inbox of the next process and is answered there', async () => {
    const { start, factsOf } = machine();
    const first = start({ model: [unsure] });
    const taskId = await first.submit();
    const asked = await first.question();
    await first.close();
    const second = start({ model: [draft({ here: true })] });
    expect(await second.question()).toEqual(asked);
    await second.answer('approve');
    expect(await second.orchestrator.settled(taskId)).toMatchObject({
      outcome: 'success',
      message: { payload: { here: true } },
    });
    expect(await factsOf(taskId)).toEqual([
      'request.accepted',
      'plan.proposed',
      'human.responded',
      'draft.proposed',
    ]);
  });

  it('gives its model the whole earlier conversation', async () => {
    const { start } = machine();
    const first = start({
      model: [plan([call('look')]), draft({}, { confidence: 0.1 }), hang],
      tools: [readTool('look')],
    });
    await first.submit({ wish: 'a list' });
    await first.answer('instruction', 'shorter');
    await first.crash();
    const second = start({ model: [plan()], tools: [readTool('look')] });
    await second.recover();
    expect(second.turns[0]).toMatchObject({ asks: 'plan', request: { wish: 'a list' } });
    expect(second.turns[0]?.answers).toMatchObject([{ question: 'draft', feedback: { content: 'shorter' } }]);
  });

  it('applies its default or fails once, however late the next process starts', async () => {
    const { start, clock, factsOf, stateOf } = machine();
    const first = start({ model: [unsure], taskClass: { deadlines: { question: minute } } });
    const taskId = await first.submit();
    await first.close();
    clock.leap(30 * day);
    const second = start({ model: [unsure], taskClass: { deadlines: { question: minute } } });
    expect(await second.recover()).toEqual({ taken: 0, carriedOver: [], refused: [], changed: [] });
    await settle();
    expect(await stateOf(taskId)).toBe('failed');
    expect((await factsOf(taskId)).filter((fact) => fact === 'deadline.passed')).toHaveLength(1);
    expect((await second.orchestrator.settled(taskId)).reasons).toMatchObject([{ code: 'QUESTION_EXPIRED' }]);
  });

  it('is woken by its deadline after it was unloaded', async () => {
    const { start, clock, stateOf } = machine();
    const { submit } = start({
      model: [unsure],
      taskClass: { deadlines: { question: minute } },
      options: { idleTasks: 0 },
    });
    const taskIds = [await submit(), await submit(), await submit()];
    expect(clock.sleeping()).toBe(1);
    await clock.advance(2 * minute);
    for (const taskId of taskIds) expect(await stateOf(taskId)).toBe('failed');
    expect(clock.sleeping()).toBe(0);
  });

  it('rejects an answer after its deadline, even when no process applied the deadline', async () => {
    const { start, clock, factsOf } = machine();
    const first = start({ model: [unsure], taskClass: { deadlines: { question: minute } } });
    const taskId = await first.submit();
    await first.close();
    clock.leap(2 * minute);
    const second = start({ taskClass: { deadlines: { question: minute } } });
    await expect(second.answer('approve')).rejects.toMatchObject({ code: 'feedback_refused' });
    expect(await factsOf(taskId)).toContain('deadline.passed');
    expect(await factsOf(taskId)).not.toContain('human.responded');
  });
});

describe('a process that recovered tasks', () => {
  it.each([100, 0])(
    'has no timer left once they have settled, with %s of them in memory',
    async (idleTasks) => {
      const { start, clock } = machine();
      const taskClass = { deadlines: { question: minute } };
      const first = start({ model: [unsure], taskClass });
      for (let at = 0; at < 3; at += 1) await first.submit();
      await first.close();
      const second = start({ model: [draft(), draft(), draft()], taskClass, options: { idleTasks } });
      await second.recover();
      expect(clock.sleeping()).toBe(1);
      for (const { message } of await second.orchestrator.inbox())
        await second.orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana' });
      await settle();
      expect(await second.orchestrator.inbox()).toEqual([]);
      expect(clock.sleeping()).toBe(0);
    },
  );

  it('has no timer left for a task that settles while others are overdue', async () => {
    const { start, clock } = machine();
    const taskClass = { deadlines: { question: minute } };
    const first = start({ model: [unsure], taskClass });
    for (let at = 0; at < 20; at += 1) await first.submit();
    await clock.advance(minute / 2);
    const late = await first.submit();
    await first.close();
    await clock.advance(minute / 2);
    const { recover, orchestrator } = start({ model: [draft()], taskClass });
    const recovered = recover();
    await orchestrator.cancel(late, { by: 'dana' });
    await recovered;
    await settle();
    expect(await orchestrator.list({ isSettled: false })).toEqual([]);
    expect(clock.sleeping()).toBe(0);
  });
});

describe('work in flight when the process died', () => {
  it('is requested from the model again', async () => {
    const { start } = machine();
    const first = start({ model: (_, signal) => never(signal) });
    const taskId = await first.submit();
    await first.crash();
    const second = start({ model: [plan(), draft()] });
    expect(await second.recover()).toEqual({ taken: 1, carriedOver: [], refused: [], changed: [] });
    expect(await second.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('gets its whole deadline again, however late the next process starts', async () => {
    const { start, clock } = machine();
    const taskClass = { deadlines: { model: minute } };
    const first = start({ model: hang, taskClass });
    const taskId = await first.submit();
    await first.crash();
    clock.leap(2 * minute);
    const second = start({ model: [plan(), draft()], taskClass });
    await second.recover();
    expect(await second.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('fails when it exceeds the new deadline', async () => {
    const { start, clock, factsOf } = machine();
    const taskClass = { deadlines: { model: minute } };
    const first = start({ model: hang, taskClass });
    const taskId = await first.submit();
    await first.crash();
    clock.leap(2 * minute);
    const second = start({ model: hang, taskClass });
    await second.recover();
    await clock.advance(minute - 1);
    expect(await factsOf(taskId)).toEqual(['request.accepted']);
    await clock.advance(1);
    expect((await second.orchestrator.settled(taskId)).reasons).toMatchObject([
      { code: 'MODEL_UNAVAILABLE' },
    ]);
  });

  it('is timed by the process that performs it, whatever another process stored', async () => {
    const { start, clock, recordsOf, factsOf } = machine();
    const taskClass = { deadlines: { model: minute } };
    const ahead = steppingClock(clock);
    ahead.step(30 * 60 * minute);
    const guest = start({ taskClass, options: { role: 'guest', clock: ahead } });
    const taskId = await guest.submit();
    const owner = start({ model: hang, taskClass });
    await owner.recover();
    await clock.advance(minute - 1);
    expect(await factsOf(taskId)).toEqual(['request.accepted']);
    await clock.advance(1);
    expect((await owner.orchestrator.settled(taskId)).reasons).toMatchObject([{ code: 'MODEL_UNAVAILABLE' }]);
    const times = (await recordsOf(taskId)).map(({ timestamp }) => Date.parse(timestamp));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  it('is recorded at the last recorded time when the clock was set back', async () => {
    const { start, clock, recordsOf } = machine();
    const first = start({ model: [unsure] });
    const taskId = await first.submit();
    await first.close();
    clock.leap(-2 * 60 * minute);
    const second = start({ model: [draft()] });
    await second.answer('approve');
    const records = await recordsOf(taskId);
    const times = records.map(({ timestamp }) => Date.parse(timestamp));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(records.at(-1)?.behind).toBeGreaterThan(60 * minute);
  });
});

/** A parent that asks a child, which is unsure of its plan. */
const delegating = ({ taskClass, asks }: Turn) => {
  if (asks === 'draft') return draft({ of: taskClass });
  return taskClass === 'work' ? plan([call('ask')]) : unsure;
};

describe('a child task [UAICP 4.3]', () => {
  const ask = defineTaskTool({
    name: 'ask',
    description: 'asks another',
    tier: 'read_only',
    input: z.looseObject({}),
    taskClass: 'child',
    request: () => ({ payload: {} }),
  });
  const taskClasses = [
    defineTaskClass({ id: 'work', tools: ['ask'], limits: { repairs: 0 } }),
    defineTaskClass({ id: 'child', tools: [], limits: { repairs: 0 } }),
  ];
  const given = { model: delegating as never, tools: [ask], options: { taskClasses } };

  it('reports its end to its parent, even when neither was in memory', async () => {
    const { start } = machine();
    const first = start(given);
    const taskId = await first.submit();
    expect((await first.question()).path).toHaveLength(2);
    await first.crash();
    const second = start({ ...given, options: { taskClasses, idleTasks: 0 } });
    await second.recover();
    await second.answer('approve');
    expect(await second.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(await second.orchestrator.list()).toHaveLength(2);
  });

  /** A parent whose process dies before it could record that its child begins. */
  const childless = async () => {
    const site = machine();
    const stop = later<never>();
    const first = site.start({
      ...given,
      store: (inner) => ({
        ...inner,
        commit: (step) => (step.indexEntry.parent === null ? inner.commit(step) : stop.promise),
      }),
    });
    const taskId = await first.submit();
    await first.crash();
    expect(await site.reader.taskIndex()).toHaveLength(1);
    return { ...site, taskId };
  };

  it('begins after a crash in which its parent waited for a child that never began', async () => {
    const { start, taskId } = await childless();
    const second = start(given);
    await second.recover();
    await second.answer('approve');
    expect(await second.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('begins at a second attempt when the store was busy at the first', async () => {
    const { start, taskId } = await childless();
    let isBusy = true;
    const second = start({
      ...given,
      store: (inner) => ({
        ...inner,
        taskIndex: async (which) => {
          if (which?.taskId === undefined || !isBusy) return inner.taskIndex(which);
          isBusy = false;
          throw new Error('busy');
        },
      }),
    });
    expect(await second.recover()).toMatchObject({ taken: 0, refused: [{ taskId }] });
    expect(await second.recover()).toMatchObject({ taken: 1, refused: [] });
    await second.answer('approve');
    expect(await second.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('reports its end when the parent had not recorded it before the crash', async () => {
    const { start } = machine();
    const stop = later<never>();
    const first = start({
      ...given,
      store: (inner) => ({
        ...inner,
        commit: (step) => (step.record.fact?.type === 'call.succeeded' ? stop.promise : inner.commit(step)),
      }),
    });
    const taskId = await first.submit();
    await first.answer('approve');
    await first.crash();
    const second = start(given);
    await second.recover();
    expect(await second.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('is cancelled with its parent when the crash came in between', async () => {
    const { start, stateOf, reader } = machine();
    const stop = later<never>();
    let isCancelled = false;
    const first = start({
      ...given,
      store: (inner) => ({
        ...inner,
        commit: async (step) => {
          if (isCancelled && step.indexEntry.parent !== null) return stop.promise;
          if (step.record.fact?.type === 'task.cancelled') isCancelled = true;
          return inner.commit(step);
        },
      }),
    });
    const taskId = await first.submit();
    await first.orchestrator.cancel(taskId, { by: 'dana' });
    await settle();
    await first.crash();
    const [child] = await reader.taskIndex({ parent: taskId });
    expect(child?.isSettled).toBe(false);
    const second = start(given);
    await second.recover();
    expect(await stateOf(child?.taskId ?? '')).toBe('cancelled');
  });
});

describe('a commit that reports a failure', () => {
  it.each([
    ['at once', 1],
    ['and fails again before it is told that', 2],
  ])('although it wrote records an outcome once: %s', async (_, fails) => {
    const { start, factsOf, clock } = machine();
    const failed = new Map<string, number>();
    const { submit, orchestrator } = start({
      model: [plan([call('write')]), draft()],
      tools: [writeTool('write')],
      store: (inner) => ({
        ...inner,
        commit: async (step) => {
          const type = step.record.fact?.type ?? 'begun';
          const times = failed.get(type) ?? 0;
          if (type === 'begun' || times === fails) return inner.commit(step);
          failed.set(type, times + 1);
          if (times === 0) await inner.commit(step);
          throw new Error('the answer was lost');
        },
      }),
    });
    const taskId = await submit();
    for (let n = 0; n < 20; n += 1) await clock.advance(2_000);
    expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(await factsOf(taskId)).toEqual([
      'request.accepted',
      'plan.proposed',
      'policy.decided',
      'call.cleared',
      'call.started',
      'call.succeeded',
      'draft.proposed',
    ]);
  });
});
