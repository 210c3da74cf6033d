import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createOrchestrator,
  defineTaskClass,
  defineTool,
  type Orchestrator,
  type OrchestratorOptions,
} from 'agentcharter';
import { simulate } from 'agentcharter/testing';
import { memoryStore } from 'agentcharter/stores/memory';
import { z } from 'zod';
import { leasedNode } from '../../../src/core/cluster/leased-node.ts';
import { rooms } from '../../../src/core/orchestrator.ts';
import { readReceived } from '../../../src/core/participants/receive.ts';
import type { Rooms } from '../../../src/core/shell/rooms.ts';
import { charter, identity } from '../../fixtures/chart-1/charter.ts';
import { copyInto } from '../../fixtures/chart-1/fixtures.ts';
import { seed } from '../../share.ts';
import { charters } from '../testing/simulator/charters/index.ts';
import { call, later, plan, scriptedModel } from './shell/scripted.ts';

const names = Object.keys(rooms) as (keyof Rooms)[];

beforeEach(() => {
  for (const name of names) vi.spyOn(rooms, name);
});

const entered = (): readonly string[] => names.filter((name) => vi.mocked(rooms[name]).mock.calls.length > 0);

describe('An engine of one process enters no room beside the shell, in every order of', () => {
  test.each(Object.entries(charters))('%s', async (_, { charter, given }) => {
    await simulate(charter, given, { orders: 5, seed });
    expect(entered()).toEqual([]);
  });
});

/** A store with leases in which no task is free. */
const leased = () => ({ ...memoryStore(), lease: 10_000, take: async () => [], letGo: async () => {} });

const older = memoryStore();
await copyInto(older);

const work = defineTaskClass({ id: 'work', tools: ['go'] });
/** Has data of a known meaning: what it returns is declared. */
const go = defineTool({
  name: 'go',
  description: 'Goes somewhere.',
  tier: 'read_only',
  input: z.object({ to: z.string() }),
  output: z.object({ there: z.boolean() }),
  call: async () => ({ there: true }),
});
const { model } = scriptedModel([plan([call('go', { where: 'home' })])]); // what the tool does not accept
const submission = { taskClass: 'work' as const, payload: {}, explanation: 'Go home.', identity };

const used: readonly (readonly [
  keyof Rooms,
  OrchestratorOptions,
  (orchestrator: Orchestrator) => Promise<unknown>,
])[] = [
  ['leasedNode', { ...charter, store: leased() }, ({ recover }) => recover()],
  ['carryOver', { ...charter, store: older }, ({ recover }) => recover()],
  ['readReceived', charter, ({ receive }) => receive({}, identity).catch(() => undefined)],
  ['mediate', { taskClasses: [work], tools: [go], model }, ({ submit }) => submit(submission)],
];

test.each(used)('An engine enters a room for %s where it uses it', async (room, options, use) => {
  const orchestrator = createOrchestrator(options);
  onTestFinished(() => orchestrator.close());
  await use(orchestrator);
  await expect.poll(entered).toEqual([room]);
});

test('Refused arguments of a task whose data has no known meaning load nothing', async () => {
  const { output: _output, ...plain } = go;
  const orchestrator = createOrchestrator({ taskClasses: [work], tools: [plain], model });
  onTestFinished(() => orchestrator.close());
  const { taskId } = await orchestrator.submit(submission);
  await expect.poll(async () => (await orchestrator.task(taskId)).state).toBe('needsHumanDecision');
  const facts = (await orchestrator.ledger(taskId)).flatMap(({ fact }) => fact?.type ?? []);
  expect(facts).toContain('output.rejected');
  expect(entered()).toEqual([]);
});

test('Each room has its use above', () => {
  expect(used.map(([room]) => room).toSorted()).toEqual(names.toSorted());
});

/** An orchestrator whose recovery waits for the room of leases. */
const loading = () => {
  const inner = leased();
  const store = { ...inner, keep: vi.fn(inner.keep), watch: vi.fn(inner.watch), take: vi.fn(inner.take) };
  const loaded = later();
  vi.mocked(rooms.leasedNode).mockImplementation(async (...given) => {
    await loaded.promise;
    return leasedNode(...given);
  });
  const orchestrator = createOrchestrator({ ...charter, store });
  onTestFinished(() => orchestrator.close());
  return { store, orchestrator, recovered: orchestrator.recover(), loaded: () => loaded.resolve(null) };
};

test('close() while a room is loaded begins nothing behind it', async () => {
  const { store, orchestrator, recovered, loaded } = loading();
  const closed = orchestrator.close();
  loaded();
  await expect(recovered).rejects.toMatchObject({ code: 'closed', details: { operation: 'recover' } });
  await closed;
  expect([store.keep, store.watch].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});

test.each([[{}], [{ drain: 60_000 }]])('close(%j) waits for a message whose room is loaded', async (how) => {
  const loaded = later();
  vi.mocked(rooms.readReceived).mockImplementation(async (...given) => {
    await loaded.promise;
    return readReceived(...given);
  });
  const orchestrator = createOrchestrator(charter);
  const message = {
    messageId: '00000000-0000-4000-8000-000000000001',
    threadId: '00000000-0000-4000-8000-000000000002',
    timestamp: '2026-11-30T18:00:00Z',
    state: 'completed',
    payload: {},
    explanation: 'Done.',
  };
  const received = orchestrator.receive(message, identity);
  const closed = orchestrator.close(how);
  loaded.resolve(null);
  await expect(received).rejects.toMatchObject({ code: 'message_refused' }); // no task of this thread waits
  await closed;
});

test('close({ drain }) while a room is loaded lets a recovery end, which takes nothing', async () => {
  const { store, orchestrator, recovered, loaded } = loading();
  const closed = orchestrator.close({ drain: 60_000 });
  loaded();
  expect(await recovered).toMatchObject({ taken: 0 });
  await closed;
  expect(store.take).not.toHaveBeenCalled();
});
