import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Between, Sample } from './gateway-process.ts';
import { median } from './measure.ts';
import { progress } from './settings.ts';
import { columns, shown } from './table.ts';

// What a read costs the process of a gateway, beside a proxy made with the same SDK that only passes it on: one client over
// stdio, then 200 at once over HTTP; and what the process holds after many calls. The server is the reference server of MCP
// "everything", in a process of its own. BENCH_CALLS=1000 makes it short; BENCH_ONLY=stdio, http or held takes a part;
// BENCH_NODE=--cpu-prof gives the processes an option of Node.js.

const calls = Number(process.env['BENCH_CALLS'] ?? 100_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const only = process.env['BENCH_ONLY'] ?? '';
const options = (process.env['BENCH_NODE'] ?? '').split(' ').filter((option) => option !== '');
const crowd = 200;

const programOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const program = programOf('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const tokenOf = (at: number): string => `a-token-of-client-${at}`;
const names = Array.from({ length: crowd }, (_, at) => `c${at}`);
const charter = `servers:
  everything: { command: node, args: [${JSON.stringify(program)}] }
tools:
  everything.echo: { tier: read_only }
clients:
${names.map((name, at) => `  - { name: ${name}, token: "\${TOKEN_${at}}" }`).join('\n')}
`;
const tokens = Object.fromEntries(names.map((_, at) => [`TOKEN_${at}`, tokenOf(at)]));

/** What runs between, translated: no loader runs in the processes that are measured. */
const translated = programOf('../../dist/bench/gateway-process.mjs');
await build({
  entryPoints: [programOf('gateway-process.ts')],
  outfile: translated,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
});

/** Starts what stands between, with clients before it. */
const stand = async (between: Between, over: 'stdio' | 'http', execArgv: readonly string[] = options) => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-gateway-'));
  writeFileSync(join(folder, 'charter.yaml'), charter);
  const child = fork(translated, [between, over, folder, program], {
    execArgv: [...execArgv],
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...tokens, NODE_ENV: 'production' },
  });
  const asked = async <Message>(): Promise<Message> => (await once(child, 'message'))[0] as Message;
  const { url } = await asked<{ readonly url: string | null }>();
  const info = { name: 'bench', version: '1' };
  const clients = await Promise.all(
    (url === null ? names.slice(0, 1) : names).map(async (_, at) => {
      const client = new Client(info);
      const { stdin, stdout } = child;
      if (url !== null) {
        const requestInit = { headers: { authorization: `Bearer ${tokenOf(at)}` } };
        await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
      } else if (stdin !== null && stdout !== null)
        await client.connect(new StdioServerTransport(stdout, stdin)); // lines in, lines out
      return client;
    }),
  );
  const tool = between.startsWith('gateway') ? 'everything_echo' : 'echo';
  let made = 0;
  return {
    /** Makes calls, one at a time for each client. */
    call: async (count: number): Promise<void> => {
      const end = made + count;
      const drain = async (client: Client): Promise<void> => {
        while (made < end) {
          made += 1;
          const { isError, content } = await client.callTool({
            name: tool,
            arguments: { message: `m${made}` },
          });
          if (isError === true) throw new Error(`a call failed: ${JSON.stringify(content)}`);
        }
      };
      await Promise.all(clients.map(drain));
    },
    sample: async (): Promise<Sample> => {
      child.send('sample');
      return asked<Sample>();
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(clients.map((client) => client.close().catch(() => {})));
      if (child.connected) child.disconnect();
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, maxRetries: 3 });
    },
  };
};

const megabytes = (bytes: number): string => `${shown(bytes / 2 ** 20)} MB`;

const subjects: readonly Between[] = ['proxy', 'gateway in memory', 'rows', 'gateway in SQLite'];

/** Returns CPU microseconds of a call in the process between, and calls a second, of each round. */
const measure = async (between: Between, over: 'stdio' | 'http', count: number) => {
  await using standing = await stand(between, over);
  await standing.call(Math.min(count, 1_000)); // warm
  const figures: { cpu: number; rate: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [before, at] = [await standing.sample(), performance.now()];
    await standing.call(count);
    const [after, wall] = [await standing.sample(), performance.now() - at];
    figures.push({ cpu: (after.cpu - before.cpu) / count, rate: (count / wall) * 1_000 });
  }
  return { cpu: median(figures.map(({ cpu }) => cpu)), rate: median(figures.map(({ rate }) => rate)) };
};

for (const over of ['stdio', 'http'] as const) {
  const lines = [
    [
      `${over === 'http' ? `${crowd} clients` : 'a client'} over ${over}`,
      'CPU of a call',
      'beside',
      'calls/s',
    ],
  ];
  let beside = Number.NaN;
  for (const between of subjects) {
    const name = `${between} over ${over}`;
    if (!name.includes(only)) continue;
    progress(name);
    const { cpu, rate } = await measure(between, over, Math.min(calls, 3_000));
    const isProxy = !between.startsWith('gateway');
    lines.push([between, `${shown(cpu)} µs`, isProxy ? '' : `${shown(cpu / beside)} x`, shown(rate)]);
    if (isProxy) beside = cpu;
  }
  if (lines.length > 1) console.log(`\n${columns(lines)}`);
}

if ('held'.includes(only)) {
  await using standing = await stand('gateway in SQLite', 'stdio', ['--expose-gc']);
  const lines = [['calls', 'rss', 'heap']];
  for (const step of Array.from({ length: 11 }, (_, at) => at)) {
    if (step > 0) await standing.call(Math.ceil(calls / 10));
    const { rss, heap } = await standing.sample();
    progress(`${step * 10} % of ${calls} calls: ${megabytes(rss)}, ${megabytes(heap)}`);
    lines.push([String(step * Math.ceil(calls / 10)), megabytes(rss), megabytes(heap)]);
  }
  console.log(`\n${columns(lines)}`);
}
