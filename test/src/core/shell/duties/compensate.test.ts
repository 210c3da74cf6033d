import { describe, expect, it } from 'vitest';
import type { Turn } from '../../../../../src/index.ts';
import type { LedgerRecord } from '../../../../../src/base/ports/ledger.ts';
import { machine } from '../restarts.ts';
import { scene } from '../scene.ts';
import { call, draft, later, never, plan, writeTool } from '../scripted.ts';
import { settle } from '../simulated-clock.ts';

const minute = 60_000;

const late = (rollback?: () => Promise<unknown>) => {
  const landing = later();
  const told = scene({
    model: [plan([call('write')]), draft()],
    tools: [
      writeTool('write', {
        call: () => landing.promise,
        rollback: {
          describe: () => ({ type: 'inverse', target: 'it', payload: {} }),
          run: rollback ?? (async () => null),
        },
      }),
    ],
    taskClass: { limits: { repairs: 0, pauses: 0 } },
  });
  const orphans = async (taskId: string) =>
    (await told.orchestrator.ledger(taskId)).flatMap(({ kind, fact, outcome }) =>
      kind === 'orphan' ? [[fact?.type, outcome]] : [],
    );
  return { ...told, landing, orphans };
};

describe('a write that lands after its run settled [UAICP 5.3]', () => {
  it('is rolled back once, with an intent and an outcome on record', async () => {
    const { submit, orchestrator, clock, ended, landing, undone, orphans } = late();
    const taskId = await submit();
    await orchestrator.cancel(taskId, { by: 'dana' });
    await clock.advance(minute);
    expect(await ended(taskId)).toMatchObject({ state: 'cancelled', outcome: 'uncertain' });
    expect(undone).toEqual([]);
    landing.resolve({ written: true });
    await settle();
    expect(undone).toEqual(['write']);
    expect(await orphans(taskId)).toEqual([
      ['call.succeeded', 'success'],
      ['rollback.started', 'uncertain'],
      ['rollback.succeeded', 'success'],
    ]);
  });

  it('is recorded as not rolled back when it has no rollback', async () => {
    const { submit, orchestrator, clock, ended, landing, orphans } = late(() =>
      Promise.reject(new Error('gone')),
    );
    const taskId = await submit();
    await orchestrator.cancel(taskId, { by: 'dana' });
    await clock.advance(minute);
    await ended(taskId);
    landing.resolve({ written: true });
    await settle();
    expect((await orphans(taskId)).map(([type]) => type)).toEqual([
      'call.succeeded',
      'rollback.started',
      'rollback.failed',
    ]);
    expect((await orchestrator.ledger(taskId)).at(-1)?.brought.explanation).toBe('Error: gone');
  });

  it('is kept when a person said that it had happened', async () => {
    const { submit, clock, question, answer, ended, landing, undone, facts } = (() => {
      const landing = later();
      const told = scene({
        model: [plan([call('write')]), draft()],
        tools: [writeTool('write', { call: () => landing.promise })],
      });
      return { ...told, landing };
    })();
    const taskId = await submit();
    await clock.advance(minute);
    expect((await question()).question.kind).toBe('doubt');
    await answer('approve');
    await ended(taskId);
    landing.resolve({ written: true });
    await settle();
    expect(undone).toEqual([]);
    expect(await facts(taskId)).not.toContain('rollback.started');
  });

  it('is rolled back when a person said that it had not happened', async () => {
    const landing = later();
    const told = scene({
      model: [plan([call('write')]), draft()],
      tools: [writeTool('write', { call: () => landing.promise })],
      taskClass: { limits: { repairs: 0 } },
    });
    const taskId = await told.submit();
    await told.clock.advance(minute);
    await told.answer('reject');
    landing.resolve({ written: true });
    await told.ended(taskId);
    await settle();
    expect(told.undone).toEqual(['write']);
  });

  it.each([
    ['cannot be read', { when: new Date(0) }],
    ['is too large to be kept', { text: 'a'.repeat(1_100_000) }],
  ])('is rolled back even when its result %s', async (_, result) => {
    const { submit, orchestrator, clock, ended, landing, undone, takeErrors } = late();
    const taskId = await submit();
    await orchestrator.cancel(taskId, { by: 'dana' });
    await clock.advance(minute);
    await ended(taskId);
    landing.resolve(result);
    await settle();
    expect(undone).toEqual(['write']);
    takeErrors(); // the host is told of a result that is not kept whole
  });

  it('gets a failed outcome when its rollback hangs', async () => {
    const { submit, orchestrator, clock, ended, landing, orphans } = late(() => new Promise(() => {}));
    const taskId = await submit();
    await orchestrator.cancel(taskId, { by: 'dana' });
    await clock.advance(minute);
    await ended(taskId);
    landing.resolve({ written: true });
    await settle();
    await clock.advance(minute);
    expect((await orphans(taskId)).at(-1)).toEqual(['rollback.failed', 'failure']);
  });
});

/** A write that a person was asked about, and that lands around the changes that are asked for once the rest is delivered. */
const landsAroundChanges = async (
  says: 'approve' | 'reject',
  lands: 'before' | 'after',
  rollback: (times: number, signal: AbortSignal) => Promise<unknown>,
) => {
  const site = machine();
  const landing = later();
  const runs: (readonly [key: string, requestId: string])[] = [];
  let plans = 0;
  const start = () =>
    site.start({
      model: ({ asks }: Turn) =>
        asks === 'draft' ? draft() : plan((plans += 1) === 1 ? [call('write')] : []),
      tools: [
        writeTool('write', {
          deadline: minute,
          call: () => landing.promise,
          rollback: {
            describe: () => ({ type: 'inverse', target: 'it', payload: {} }),
            run: (_, { key, requestId, signal }) => {
              runs.push([key, requestId]);
              return rollback(runs.length, signal);
            },
            doubt: 'idempotent',
          },
        }),
      ],
      taskClass: { followup: () => ({ explanation: 'More?', payload: {}, byDefault: {} }) },
    });
  const first = start();
  const taskId = await first.submit();
  await site.clock.advance(minute);
  await first.answer(says);
  expect(await site.stateOf(taskId)).toBe('followup');
  const land = async (): Promise<void> => {
    landing.resolve({ written: true });
    await settle();
  };
  if (lands === 'before') await land();
  await first.answer('instruction', 'once more');
  if (lands === 'after') await land();
  const requests = [...new Set((await site.recordsOf(taskId)).map(({ request_id }) => request_id))];
  expect(requests).toHaveLength(2);
  /** The process dies, and the next one takes up what it left. */
  const takenUp = async (): Promise<LedgerRecord | undefined> => {
    await first.crash();
    expect(await start().recover()).toEqual({ taken: 1, carriedOver: [], refused: [], changed: [] });
    expect(await site.reader.taskIndex({ isOwed: true })).toEqual([]);
    return (await site.recordsOf(taskId)).at(-1);
  };
  return { ...site, takenUp, taskId, runs, requests };
};

describe('a late write of a task whose reviewer asks for changes', () => {
  it.each(['before', 'after'] as const)(
    'is rolled back under its own request, also after a crash (%s)',
    async (lands) => {
      const { reader, takenUp, taskId, runs, requests } = await landsAroundChanges(
        'reject',
        lands,
        async (times, signal) => times > 1 || never(signal),
      );
      const [begun] = runs;
      expect(runs).toEqual([[expect.stringMatching(/^rollback:sha256:/), requests[0]]]);
      expect((await reader.load(taskId))?.intents).toEqual([
        { kind: 'rollback', key: begun?.[0], tool: 'write' },
      ]);
      const fact = { type: 'rollback.succeeded', request: requests[0] };
      expect(await takenUp()).toMatchObject({ kind: 'orphan', fact });
      expect(runs).toEqual([begun, begun]);
      expect((await reader.load(taskId))?.intents).toEqual([]);
    },
  );

  it('gets no more than the allowed rollback attempts after a crash', async () => {
    const { takenUp, runs } = await landsAroundChanges('reject', 'before', (times, signal) =>
      times === 2 ? never(signal) : Promise.reject(new Error('gone')),
    );
    expect(await takenUp()).toMatchObject({ kind: 'orphan', fact: { type: 'rollback.failed' } });
    expect(runs).toHaveLength(4);
  });

  it('is kept when a person said that it had happened', async () => {
    const { factsOf, taskId, runs } = await landsAroundChanges('approve', 'after', async () => null);
    expect(await factsOf(taskId)).toContain('changes.requested');
    expect(runs).toEqual([]);
  });
});
