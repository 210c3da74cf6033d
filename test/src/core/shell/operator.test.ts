import { expect, it } from 'vitest';
import type { LogEntry } from '../../../../src/core/shell/events.ts';
import { isCharterError, type Orchestrator } from '../../../../src/index.ts';
import { memoryBlobs } from '../../../../src/stores/memory.ts';
import { scene } from './scene.ts';
import { call, draft, later, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const minute = 60_000;

const codeOf = async (refused: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await refused.catch((thrown: unknown) => thrown);
  return isCharterError(error) ? error.code : error;
};

const logOf = (orchestrator: Orchestrator): LogEntry[] => {
  const lines: LogEntry[] = [];
  orchestrator.on('log', (line) => lines.push(line));
  return lines;
};

it('counts what is owed, asked and settled, and for how long', async () => {
  const read = later();
  const scenario = scene({
    model: [plan([call('look')]), draft(), plan([call('send')]), draft()],
    tools: [readTool('look', { call: () => read.promise }), writeTool('send')],
    policy: 'needs_review',
  });
  const { orchestrator, clock } = scenario;
  const none = { tasks: 0, age: 0 };
  expect(await orchestrator.stats()).toEqual({
    tasks: 0,
    settled: 0,
    questions: 0,
    held: 0,
    heldElsewhere: 0,
    owed: none,
    asking: none,
    overdue: none,
    stuck: none,
    slots: { most: 8, used: 0, waiting: 0 },
    totals: expect.objectContaining({ commits: 0 }),
  });
  const first = await scenario.submit();
  await clock.advance(2_000);
  expect(await orchestrator.stats()).toMatchObject({
    owed: { tasks: 1, age: 2_000 },
    held: 1,
    slots: { used: 1 },
  });
  read.resolve({});
  await settle();
  await scenario.ended(first);
  await scenario.submit();
  await clock.advance(3_000);
  const stats = await orchestrator.stats();
  expect(stats).toMatchObject({
    tasks: 2,
    settled: 1,
    questions: 1,
    owed: none,
    asking: { tasks: 1, age: 3_000 },
  });
  const ledgers = await Promise.all(
    (await orchestrator.list()).map(({ taskId }) => orchestrator.ledger(taskId)),
  );
  expect(stats.totals.commits).toBe(ledgers.flat().length);
  expect(Object.isFrozen(stats.totals)).toBe(true);
});

it('counts the tokens that a model says, and nothing that is no count', async () => {
  const said = [{ input: 100, output: 7 }, { input: -1, output: Number.NaN }, 'many', null, { output: 3 }];
  const answers = [plan(), draft()];
  const { orchestrator, submit, ended } = scene({
    options: {
      model: {
        answer: async (_, { usage }) => {
          for (const tokens of said) usage?.(tokens as never);
          return answers.shift();
        },
      },
    },
  });
  await ended(await submit());
  expect((await orchestrator.stats()).totals).toMatchObject({ inputTokens: 200, outputTokens: 20 });
});

it('counts the large values that it keeps', async () => {
  const big = 'a b '.repeat(1_250);
  const { orchestrator, submit, ended } = scene({
    model: [plan([call('look')]), draft()],
    tools: [readTool('look', { call: () => ({ big }) })],
    options: { blobs: { store: memoryBlobs(), above: 1_000 } },
  });
  await ended(await submit());
  expect((await orchestrator.stats()).totals).toMatchObject({ blobs: 1, blobBytes: 5_000 });
});

it('tells a guest which tasks their owner does not go on with, and not the owner that a call takes long', async () => {
  const scenario = scene({
    model: [plan([call('look')])],
    tools: [readTool('look', { call: () => new Promise(() => {}), deadline: 3_600_000 })],
  });
  const { orchestrator, clock } = scenario;
  const taskId = await scenario.submit();
  await clock.advance(6 * minute);
  expect(await orchestrator.stuck({ after: 0 })).toEqual([]);
  expect((await orchestrator.stats()).stuck.tasks).toBe(0);
  const guest = scene({ options: { role: 'guest', store: scenario.store, clock } });
  guest.leave();
  const [stuck, ...others] = await guest.orchestrator.stuck();
  expect(others).toEqual([]);
  expect(stuck).toMatchObject({
    taskId,
    attempts: 0,
    isHeld: false,
    reason: 'no_progress',
    taskClass: 'work',
  });
  expect(stuck?.message).toContain('nothing was done for it for 6 minutes');
  expect((await guest.orchestrator.stats()).stuck).toEqual({ tasks: 1, age: 6 * minute });
  expect(await guest.orchestrator.stuck({ after: 7 * minute })).toEqual([]);
});

it('refuses a query and a task that make no sense', async () => {
  const { orchestrator, submit, ended } = scene();
  expect(await codeOf(orchestrator.stuck({ after: -1 }))).toBe('document_invalid');
  expect(await codeOf(orchestrator.stuck({ limit: 0 }))).toBe('document_invalid');
  expect(await codeOf(orchestrator.stuck({ since: 1 } as never))).toBe('document_invalid');
  expect(await codeOf(orchestrator.retry('nope'))).toBe('not_found');
  expect(await codeOf(orchestrator.skip('nope'))).toBe('not_found');
  expect(await codeOf(orchestrator.perform('nope', { signal: 3 } as never))).toBe('document_invalid');
  expect(await codeOf(orchestrator.perform('nope', { sigal: 3 } as never))).toBe('document_invalid');
  const settled = await submit();
  await ended(settled);
  expect(await codeOf(orchestrator.retry(settled))).toBe('not_found');
  await orchestrator.close();
  expect(await codeOf(orchestrator.stats())).toBe('closed');
});

it('logs each error with its code, and its end', async () => {
  const scenario = scene({
    model: [plan([call('look')]), plan()],
    tools: [readTool('look', { call: () => Promise.reject(new Error('reset')) })],
  });
  const lines = logOf(scenario.orchestrator);
  await scenario.submit();
  expect(lines.slice(0, 1)).toEqual([
    {
      level: 'error',
      code: 'callback_failed',
      taskId: expect.any(String),
      message: expect.stringContaining('reset'),
    },
  ]);
  await scenario.orchestrator.close({ drain: 10 });
  expect(lines.slice(-2).map(({ level, code }) => [level, code])).toEqual([
    ['info', 'draining'],
    ['info', 'closed'],
  ]);
});
