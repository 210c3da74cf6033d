import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Found } from '../../../../src/base/ports/tool.ts';
import { machine } from './restarts.ts';
import { call, draft, later, plan, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const minute = 60_000;

/** Starts a task whose write throws, and whose look-up answers when the test says so. */
const lookingUp = async () => {
  const site = machine();
  const looked = later<Found>();
  const second = later();
  const made: string[] = [];
  const undone: string[] = [];
  const started = site.start({
    model: [plan([call('write')]), draft()],
    taskClass: { limits: { repairs: 0 } },
    tools: [
      writeTool('write', {
        deadline: minute,
        doubt: 'reconcilable',
        lookup: () => looked.promise,
        call: async (_, { key }) => {
          made.push(key);
          if (made.length === 1) throw new Error('the connection broke');
          return made.length === 2 ? second.promise : { written: true };
        },
        rollback: {
          describe: () => ({ type: 'inverse', target: 'write', payload: {} }),
          run: async (_, { key }) => void undone.push(key),
        },
      }),
    ],
  });
  const taskId = await started.submit();
  await settle();
  return { ...site, ...started, looked, second, made, undone, taskId };
};

describe('a look-up of a write in doubt', () => {
  it('repeats no write of a task that is cancelled meanwhile', async () => {
    const { looked, made, orchestrator, taskId } = await lookingUp();
    await orchestrator.cancel(taskId, { by: 'dana' });
    looked.resolve({ found: 'absent' });
    expect(await orchestrator.settled(taskId)).toMatchObject({ state: 'cancelled' });
    expect(made).toHaveLength(1);
  });

  it('repeats no write that a person let be made again meanwhile', async () => {
    const { looked, second, made, orchestrator, taskId, clock, answer } = await lookingUp();
    await clock.advance(2 * minute);
    await answer('edit', { value: 'absent' });
    await settle();
    looked.resolve({ found: 'absent' });
    await settle();
    second.resolve({ written: true });
    expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(made).toHaveLength(2);
  });

  it('undoes a write that it finds after a person ruled it out', async () => {
    const { looked, made, undone, orchestrator, taskId, clock, answer } = await lookingUp();
    await clock.advance(2 * minute);
    await answer('reject');
    looked.resolve({ found: 'done', result: { written: true } });
    await orchestrator.settled(taskId);
    await settle();
    expect(made).toHaveLength(1);
    expect(undone).toHaveLength(1);
  });
});

/** Starts a task whose write is made, looked up and undone as the test says. */
const written = async (
  site: ReturnType<typeof machine>,
  lookup: (look: number) => Promise<Found>,
  make: (attempt: number) => Promise<unknown>,
) => {
  const done = { made: 0, looked: 0, undone: 0, aborted: 0 };
  const given = {
    model: [plan([call('write')]), draft()],
    taskClass: { limits: { repairs: 0 } },
    tools: [
      writeTool('write', {
        deadline: minute,
        doubt: 'reconcilable',
        lookup: () => lookup((done.looked += 1)),
        call: (_, { signal }) => {
          const attempt = (done.made += 1);
          if (attempt === 2) signal.addEventListener('abort', () => (done.aborted += 1));
          return make(attempt);
        },
        rollback: {
          describe: () => ({ type: 'inverse', target: 'write', payload: {} }),
          run: async () => void (done.undone += 1),
        },
      }),
    ],
  } as const;
  const started = site.start(given);
  const taskId = await started.submit();
  await settle();
  return { ...started, given, done, taskId };
};

const absent = { found: 'absent' } as const;

/** Ends as its signal does. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const throws = async (): Promise<never> => {
  throw new Error('the connection broke');
};

describe('a write in doubt, between its look-up and a person', () => {
  it('is undone where the look-up made it again before the person let it be made', async () => {
    const second = later();
    const { done, answer, orchestrator, taskId } = await written(
      machine(),
      async (look) => ({ found: look === 1 ? 'unknown' : 'absent' }),
      (attempt) => (attempt === 1 ? throws() : attempt === 2 ? second.promise : Promise.resolve({})),
    );
    expect(done.made).toBe(2);
    await answer('edit', { value: 'absent' });
    expect(done.made).toBe(2); // the second may still land
    second.resolve({});
    expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(done).toMatchObject({ made: 3, undone: 1 });
  });

  it.each([
    ['the call', { doubt: 'idempotent' }, {}],
    ['the rollback', { doubt: 'reconcilable', lookup: async () => absent }, { doubt: 'idempotent' }],
  ] as const)(
    'is not made again after it was undone, where its key lets %s do nothing',
    async (_, tool, undo) => {
      const effects = new Set<string>();
      const used = new Set<string>();
      const again = later();
      let made = 0;
      const site = machine();
      const { answer, submit, orchestrator } = site.start({
        model: ({ asks }: { readonly asks: string }) => (asks === 'plan' ? plan([call('write')]) : draft()),
        taskClass: { limits: { repairs: 1 } },
        tools: [
          writeTool('write', {
            deadline: minute,
            ...tool,
            call: async (_input, { key, signal }) => {
              made += 1;
              if (made === 1) return aborted(signal);
              if (made === 2) await again.promise;
              if (!used.has(key)) effects.add(key);
              if (tool.doubt === 'idempotent') used.add(key);
            },
            rollback: {
              describe: () => ({ type: 'inverse', target: 'write', payload: {} }),
              run: async (_action, { key }) => {
                if (!used.has(key)) effects.clear();
                if ('doubt' in undo) used.add(key);
              },
              ...undo,
            },
          }),
        ],
      });
      const taskId = await submit();
      await site.clock.advance(2 * minute);
      expect(made).toBe(2);
      await answer('edit', { value: 'absent' });
      again.resolve(null);
      expect(await orchestrator.settled(taskId)).toMatchObject({ state: 'failed' });
      expect([made, effects.size]).toEqual([2, 0]);
    },
  );

  it.each([
    ['approve', { outcome: 'success' }, 0],
    ['reject', { state: 'failed' }, 1],
  ] as const)('whose earlier attempt landed since waits for the person to %s', async (type, end, left) => {
    const site = machine();
    const first = later();
    const taskClass = { limits: { repairs: 1 } };
    let [made, undone] = [0, 0];
    const tools = [
      writeTool('write', {
        deadline: minute,
        doubt: 'unsafe',
        call: (_, { notDone }) => {
          made += 1;
          if (made === 2) return notDone('closed');
          return made === 1 ? first.promise : new Promise(() => {});
        },
        rollback: {
          describe: () => ({ type: 'inverse', target: 'write', payload: {} }),
          run: async () => void (undone += 1),
        },
      }),
    ];
    const { submit, answer, crash } = site.start({
      model: Array.from({ length: 3 }, () => plan([call('write')])),
      tools,
      taskClass,
    });
    const taskId = await submit();
    await site.clock.advance(2 * minute);
    await answer('edit', { value: 'absent' });
    await site.clock.advance(2 * minute);
    first.resolve({});
    await settle();
    await crash();
    const next = site.start({ model: [draft()], tools, taskClass });
    await next.recover();
    expect([made, undone]).toEqual([3, 0]);
    await next.answer(type);
    expect(await next.orchestrator.settled(taskId)).toMatchObject(end);
    await settle();
    expect([made, undone]).toEqual([3, left]);
  });

  it('is not doubted again by the process that took it up and still reads its arguments', async () => {
    const site = machine();
    const read = later<boolean>();
    const second = later();
    let [made, aborted, reads] = [0, 0, 0];
    const given = (slow: boolean) => ({
      model: slow ? [draft()] : [plan([call('write')]), draft()],
      tools: [
        writeTool('write', {
          deadline: minute,
          doubt: 'unsafe',
          input: z.looseObject({}).refine(() => (slow && (reads += 1) <= 2 ? read.promise : true)),
          call: (_, { signal }) => {
            made += 1;
            if (made === 2) signal.addEventListener('abort', () => (aborted += 1));
            return made === 1 ? new Promise(() => {}) : second.promise;
          },
        }),
      ],
    });
    const first = site.start(given(false));
    const taskId = await first.submit();
    await first.crash();
    const { recover, answer, orchestrator } = site.start(given(true));
    await recover();
    await site.clock.advance(2 * minute);
    await answer('edit', { value: 'absent' });
    expect(made).toBe(2);
    read.resolve(true);
    await settle();
    expect(aborted).toBe(0);
    second.resolve({});
    expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(made).toBe(2);
  });

  it('is made again by a later look-up where the first one outlasted the deadline', async () => {
    const site = machine();
    const looked = later<Found>();
    const { done, orchestrator, taskId } = await written(
      site,
      (look) => (look === 1 ? looked.promise : Promise.resolve({ found: 'absent' })),
      (attempt) => (attempt === 1 ? throws() : Promise.resolve({})),
    );
    await site.clock.advance(2 * minute);
    looked.resolve({ found: 'absent' });
    expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(done).toMatchObject({ made: 2, undone: 0 });
  });
});
