import { describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/index.ts';
import type { Found } from '../../../../src/base/ports/tool.ts';
import { machine, type Given } from './restarts.ts';
import { call, draft, later, plan, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const minute = 60_000;

/** What a test says of the resource behind a write; each gets how often it was asked. */
interface Says {
  readonly make: (times: number) => Promise<unknown>;
  readonly undo: (times: number) => Promise<unknown>;
  readonly lookup?: (times: number) => Promise<Found>;
  /** Looks up whether it was undone; without it, a rollback is unsafe. */
  readonly lookupUndo?: () => Promise<Found>;
  readonly repairs?: number;
}

/** A resource that outlives every process: what it was asked, in order, and how often the write stands. */
const resource = ({ make, undo, lookup, lookupUndo, repairs = 0 }: Says) => {
  const asked = { made: 0, undone: 0, looked: 0 };
  const log: string[] = [];
  const counted = async (name: string, work: Promise<unknown>): Promise<void> => {
    log.push(name);
    await work;
    log.push(`${name} ended`);
  };
  const given = {
    model: ({ asks }: { readonly asks: string }) => (asks === 'plan' ? plan([call('write')]) : draft()),
    taskClass: { limits: { repairs } },
    tools: [
      writeTool('write', {
        deadline: minute,
        ...(lookup === undefined
          ? { doubt: 'unsafe' as const }
          : { doubt: 'reconcilable' as const, lookup: () => lookup((asked.looked += 1)) }),
        call: async (_, { notDone }) => {
          const times = (asked.made += 1);
          if ((await make(times)) === closed) return notDone('closed');
          log.push(`made ${times}`);
          return { written: true };
        },
        rollback: {
          describe: () => ({ type: 'inverse', target: 'write', payload: {} }),
          run: () => counted('undo', undo((asked.undone += 1))),
          ...(lookupUndo !== undefined && { doubt: 'reconcilable' as const, lookup: lookupUndo }),
        },
      }),
    ],
  } satisfies Given;
  const stands = (): number =>
    log.filter((one) => one.startsWith('made')).length - log.filter((one) => one === 'undo ended').length;
  return { given, asked, log, stands };
};

const closed = Symbol('the resource is closed');
const broken = async (): Promise<never> => {
  throw new Error('the connection broke');
};
const done = async (): Promise<void> => {};
const hangs = (): Promise<never> => new Promise(() => {});
const absent = async (): Promise<Found> => ({ found: 'absent' });

/** A look-up makes a write again about which a person is asked; it has not ended. */
const repeated = async (
  says: Omit<Says, 'make'> & { readonly again?: (times: number) => Promise<unknown> },
) => {
  const site = machine();
  const second = later();
  const there = resource({
    ...says,
    make: (times) =>
      times === 1 ? broken() : times === 2 ? second.promise : (says.again?.(times) ?? done()),
    lookup: async (times) => (times === 1 ? { found: 'unknown' } : (says.lookup ?? absent)(times)),
  });
  const one = site.start(there.given);
  const taskId = await one.submit();
  await settle();
  expect(there.asked).toMatchObject({ made: 2, looked: 2 });
  return { site, ...there, one, taskId, second };
};

/** A person lets a write be made again that a look-up has just made again: the latter lands late, and is undone. */
const overtaken = async (says: Parameters<typeof repeated>[0]) => {
  const { site, second, ...there } = await repeated(says);
  await there.one.answer('edit', { value: 'absent' });
  second.resolve(null);
  await settle();
  return { ...site, ...there };
};

/** A person lets a write be made again whose earlier attempt landed while the person was asked. */
const landed = async (says: Omit<Says, 'make' | 'repairs'>) => {
  const site = machine();
  const first = later();
  const there = resource({
    ...says,
    repairs: 1,
    make: async (times) => {
      if (times === 1) return first.promise;
      if (times === 2) return closed;
      return times === 3 ? hangs() : null;
    },
  });
  const one = site.start(there.given);
  const taskId = await one.submit();
  await site.clock.advance(2 * minute);
  await one.answer('edit', { value: 'absent' });
  await site.clock.advance(2 * minute);
  expect(there.asked.made).toBe(3);
  first.resolve(null);
  await settle();
  return { ...site, ...there, one, taskId };
};

describe('a write whose earlier attempt landed late', () => {
  it('is made again only once that is undone', async () => {
    const undoing = later();
    const { one, taskId, asked, log, stands } = await landed({ undo: () => undoing.promise });
    await one.answer('edit', { value: 'absent' });
    expect(asked).toMatchObject({ made: 3, undone: 1 });
    undoing.resolve(null);
    expect(await one.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(log).toEqual(['made 1', 'undo', 'undo ended', 'made 4']);
    expect(stands()).toBe(1);
  });

  it('is not made again where that could not be undone', async () => {
    const { one, taskId, asked, stands, recordsOf } = await landed({ undo: broken });
    await one.answer('edit', { value: 'absent' });
    expect(await one.orchestrator.settled(taskId)).toMatchObject({ state: 'failed' });
    expect(asked).toMatchObject({ made: 3, undone: 1 });
    expect(stands()).toBe(1);
    const failed = (await recordsOf(taskId)).findLast(({ fact }) => fact?.type === 'call.failed');
    expect(failed?.brought.explanation).toContain('was not undone');
  });

  it('is not begun by a task that is cancelled while that is undone', async () => {
    const undoing = later();
    const { one, taskId, asked } = await landed({ undo: () => undoing.promise });
    await one.answer('edit', { value: 'absent' });
    await one.orchestrator.cancel(taskId, { by: 'dana' });
    expect(await one.orchestrator.settled(taskId)).toMatchObject({ state: 'cancelled' });
    undoing.resolve(null);
    await settle();
    expect(asked.made).toBe(3);
    expect(one.errors).toEqual([]);
  });
});

describe('a process that takes up a task whose late write is being undone', () => {
  it('makes the write again only once that is undone', async () => {
    const undone = later<Found>();
    const { one, taskId, asked, start, given } = await overtaken({
      undo: hangs,
      lookupUndo: () => undone.promise,
    });
    expect(asked).toMatchObject({ made: 2, undone: 1 });
    await one.crash();
    const next = start(given);
    const recovered = next.recover();
    await settle();
    expect(asked.made).toBe(2);
    undone.resolve({ found: 'done' });
    await recovered;
    expect(await next.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(asked).toMatchObject({ made: 3, undone: 1 });
  });

  it('does not make it again where it is not known whether that was undone', async () => {
    const { one, taskId, asked, start, given, recordsOf } = await overtaken({ undo: hangs });
    await one.crash();
    const next = start(given);
    await next.recover();
    expect(await next.orchestrator.settled(taskId)).toMatchObject({ state: 'failed' });
    expect(asked).toMatchObject({ made: 2, undone: 1 });
    const failed = (await recordsOf(taskId)).findLast(({ fact }) => fact?.type === 'call.failed');
    expect(failed?.brought.explanation).toContain('was not undone');
  });

  it('asks a person where a look-up finds it after it was undone', async () => {
    const { one, taskId, asked, stands, start, given } = await overtaken({
      undo: done,
      again: (times) => (times === 3 ? hangs() : done()),
      lookup: async (times) => ({ found: times === 2 ? 'absent' : 'done' }), // of the resource, which forgets nothing
    });
    expect([asked.made, stands()]).toEqual([3, 0]);
    await one.crash();
    const next = start(given);
    await next.recover();
    await next.answer('edit', { value: 'absent' });
    expect(await next.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect([asked.made, stands()]).toEqual([4, 1]);
  });
});

/** A store whose earlier holder let nothing go: what it began may still happen. */
const lapsed = (inner: Store): Store => ({
  ...inner,
  take: async (...asked) =>
    (await inner.take(...asked)).map((hold) => ({ ...hold, lapsed: { fence: 0, ago: 0 } })),
});

describe('a process that takes up a task whose write a look-up of an earlier holder had made again', () => {
  it('lets a person have it made again only once the earlier holder can no longer make it', async () => {
    const { site, one, taskId, asked, given } = await repeated({ undo: done });
    await one.crash();
    const next = site.start({ ...given, store: lapsed });
    await next.recover();
    await next.answer('edit', { value: 'absent' });
    await site.clock.advance(minute - 1_000);
    expect(asked.made).toBe(2);
    await site.clock.advance(1_000);
    expect(await next.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(asked.made).toBe(3);
  });
});
