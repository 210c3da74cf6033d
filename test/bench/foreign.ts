import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { defineTaskClass } from 'agentcharter';
import { mcpTools } from 'agentcharter/adapters/mcp';
import { createGuard } from 'agentcharter/guard';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { isCharterError } from '../../src/base/errors.ts';

// What a foreign MCP server costs: CPU time of all threads with 20 of its tools and with 2,000, of which at most one is
// used, as a ratio in one round; and how long hostile ones hold the main thread. No test asserts these times.

const roundsOf = Number(process.env['BENCH_ROUNDS'] ?? 5);
const runsOf = Number(process.env['BENCH_RUNS'] ?? 20);
const info = { name: 'foreign', version: '1' };
const few = 20;
const many = 2_000;

const toolOf = (at: number) => ({
  name: `tool_${at}`,
  description: 'Does something useful with what it is given, and says what came of it.',
  inputSchema: {
    type: 'object',
    properties: {
      to: { type: 'string', pattern: '^[a-z]+$', description: 'Whom it is for.' },
      cents: { type: 'integer', minimum: 0 },
      labels: { type: 'array', items: { type: 'string' } },
    },
    required: ['to'],
  },
  outputSchema: { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] },
});
type Definition = ReturnType<typeof toolOf>;

const connected = async (tools: readonly object[]): Promise<Client> => {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools }) as never);
  server.setRequestHandler('tools/call', () => ({ content: [], structuredContent: { done: true } }));
  const client = new Client(info);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  await client.connect(ours);
  return client;
};

const crowd = (size: number): readonly Definition[] => Array.from({ length: size }, (_, at) => toolOf(at));
const options = (tools: readonly { name: string }[]) => ({
  server: 'foreign',
  contracts: Object.fromEntries(tools.map(({ name }) => [name, { tier: 'read_only' as const }])),
});

const bound = async (tools: readonly Definition[]) => {
  const client = await connected(tools);
  return { client, tools: await mcpTools(client, options(tools)) };
};

const identity = { agent_id: 'a', owner_id: 'o', control_class: 'autonomous' as const };
const taskClass = defineTaskClass({ id: 'bench', tools: ['foreign.tool_7'] });

/** A guarded run of an agent that makes one call. */
const called = async (definitions: readonly Definition[]): Promise<void> => {
  const { client, tools } = await bound(definitions);
  const guard = createGuard({ tools, taskClasses: [taskClass] });
  const run = await guard.begin({ taskClass: 'bench', payload: {}, identity });
  const { status } = await run.call('foreign.tool_7', { to: 'ada' }, { ref: 'call' });
  if (status !== 'done') throw new Error(`expected a call that is done, not ${status}`);
  await run.conclude({ payload: {} });
  await guard.close();
  await client.close();
};

const works: Readonly<Record<string, (tools: readonly Definition[]) => Promise<unknown>>> = {
  'listed by the SDK alone': async (tools) => (await connected(tools)).listTools(),
  'bound, none used': bound,
  'bound, one used in a guarded run': called,
};

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

/** CPU milliseconds of one run, of all threads. */
const spent = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  for (let run = 0; run < runsOf; run += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / runsOf;
};

const heads = [`${few} tools`, `${many} tools`, 'ratio'].map((head) => head.padStart(14)).join('');
console.log(`${'CPU ms of a server'.padEnd(40)}${heads}`);
for (const [name, work] of Object.entries(works)) {
  const [small, large] = [crowd(few), crowd(many)];
  await spent(() => work(small)); // warm
  await spent(() => work(large));
  const rounds: (readonly [number, number])[] = [];
  for (let round = 0; round < roundsOf; round += 1)
    rounds.push([await spent(() => work(small)), await spent(() => work(large))]);
  const ratio = median(rounds.map(([one, other]) => other / one));
  const shown = [median(rounds.map(([one]) => one)), median(rounds.map(([, other]) => other)), ratio];
  console.log(`${name.padEnd(40)}${shown.map((value) => value.toFixed(1).padStart(14)).join('')}`);
}

const backForEver = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
const slow = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name, inputSchema: backForEver }));

const flood = crowd(100_001);
const hostile: Readonly<Record<string, () => Promise<unknown>>> = {
  'a listing of 100,001 tools': async () => mcpTools(await connected(flood), options([])),
  'six slow patterns in one step': async () => {
    const tools = await mcpTools(await connected(slow), options(slow));
    const bait = { a: `${'a'.repeat(40)}!` };
    await Promise.all(tools.map(async ({ input }) => input['~standard'].validate(bait)));
  },
};

console.log(`\n${'main thread, ms'.padEnd(40)}${'busy'.padStart(14)}${'longest hold'.padStart(14)}`);
for (const [name, work] of Object.entries(hostile)) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = performance.eventLoopUtilization();
  delay.enable();
  await setTimeout(10);
  try {
    await work();
  } catch (error) {
    if (!isCharterError(error, 'budget_exceeded')) throw error;
  }
  await setTimeout(10); // a hold is measured by the turn that comes after it
  delay.disable();
  const { active } = performance.eventLoopUtilization(before);
  const shown = [active, delay.max / 1_000_000].map((value) => value.toFixed(0).padStart(14)).join('');
  console.log(`${name.padEnd(40)}${shown}`);
}
