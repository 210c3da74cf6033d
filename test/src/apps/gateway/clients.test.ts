import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { skipWithout, whereIs } from '../../../needs.ts';
import { serving, tokens, withClients } from './serving.ts';
import { did, person, program, stand } from './stand.ts';

const why = skipWithout(['clients', 'node22']);
const clients = whereIs('clients') ?? '';
const node = whereIs('node22') ?? '';

const headers = { Authorization: `Bearer ${tokens.DESK_TOKEN}` };
const refund = { order: 'o-7', cents: 500 };

/** Starts a program of the clients, in a folder that is also its home. */
const started = (args: readonly string[], folder: string) => {
  const env = { PATH: process.env['PATH'], HOME: folder };
  const child = spawn(node, args, { cwd: folder, env });
  let [out, said] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill();
    await closed;
  });
  const ended = async (): Promise<unknown> => (await closed)[0];
  return { out: () => out, said: () => said, type: (line: string) => child.stdin.write(`${line}\n`), ended };
};

/** Starts the gateway of a folder over HTTP, or lets the client do it. */
const places = {
  'over HTTP': async (folder: string) => {
    const { url, said } = await serving(folder, tokens);
    return { place: { url, headers }, said };
  },
  'over stdio': async (folder: string) => {
    const args = [await program(), 'gateway', 'charter.yaml'];
    return { place: { command: process.execPath, args, cwd: folder }, said: null };
  },
} as const;

describe.skipIf(why !== null)('A client that another vendor wrote', () => {
  it.each(
    (['ai-sdk', 'langchain'] as const).flatMap((client) =>
      (['over HTTP', 'over stdio'] as const).map((how) => [client, how] as const),
    ),
  )('lists, reads, and has its refund after a person approved it: %s %s', async (client, how) => {
    const folder = await stand(how === 'over HTTP' ? withClients : undefined);
    const { place, said } = await places[how](folder);
    const {
      out,
      said: words,
      type,
      ended,
    } = started([join(clients, `${client}.mjs`), JSON.stringify(place)], folder);
    const lines = (): readonly string[] => out().trimEnd().split('\n');
    await expect.poll(() => lines().length, { message: words() }).toBe(3);
    const [tools, order, waits] = lines();
    expect(tools).toContain('"shop_refund"');
    expect(order).toContain('1200');
    expect(waits).toContain('It waits for operator');
    expect(await did(folder)).toEqual(['found o-7']);
    const { answer } = await person(said ?? words);
    expect(await answer({ type: 'approve' })).toBe(200);
    type('');
    expect(await ended()).toBe(0);
    expect(lines().at(-1)).toMatch(/refunded 500(?!.*made before)/);
    expect(await did(folder)).toEqual(['found o-7', 'refunded o-7 500']);
  });

  it('does so as a process of its own for each call: the command line of the inspector', async () => {
    const folder = await stand(withClients);
    const { url, said } = await serving(folder, tokens);
    const launcher = join(
      clients,
      'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    );
    const inspect = async (...args: readonly string[]): Promise<string> => {
      const given = [
        launcher,
        '--cli',
        url,
        '--transport',
        'http',
        '--header',
        `Authorization: ${headers.Authorization}`,
      ];
      const env = { PATH: process.env['PATH'], HOME: folder };
      const { stdout } = await promisify(execFile)(node, [...given, ...args], { cwd: folder, env });
      return stdout;
    };
    const call = (tool: string, given: Readonly<Record<string, unknown>>) =>
      inspect(
        '--method',
        'tools/call',
        '--tool-name',
        tool,
        ...Object.entries(given).flatMap(([name, value]) => ['--tool-arg', `${name}=${String(value)}`]),
      );
    expect(await inspect('--method', 'tools/list')).toContain('"shop_refund"');
    expect(await call('shop_find_order', { order: 'o-7' })).toContain('1200');
    expect(await call('shop_refund', refund)).toContain('It waits for operator');
    const { answer } = await person(said);
    expect(await answer({ type: 'approve' })).toBe(200);
    expect(await call('shop_refund', refund)).toMatch(/refunded 500(?![^]*made before)/);
    expect(await did(folder)).toEqual(['found o-7', 'refunded o-7 500']);
  });
});

const Asked = z.object({
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
});

/** Serves a language model that calls these tools, one after the other. Returns what it was sent last. */
const modelThatCalls = async (calls: readonly (readonly [string, object])[]) => {
  const asked: z.infer<typeof Asked>[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const [name, given] = calls[asked.length] ?? ['task_complete', {}];
    asked.push(Asked.parse(JSON.parse(body)));
    const call = {
      index: 0,
      id: `call-${asked.length}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(given) },
    };
    const chunk = {
      id: 'c',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'ours',
      choices: [{ index: 0, delta: { role: 'assistant', tool_calls: [call] }, finish_reason: null }],
    };
    response.setHeader('content-type', 'text/event-stream');
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : address;
  return { url: `http://127.0.0.1:${port}/v1`, asked };
};

it.skipIf(why !== null)(
  'An agent of another vendor takes the gateway from its configuration, and tells its model what it reads',
  async () => {
    const folder = await stand();
    const done = ['task_complete', {}] as const;
    const { url, asked } = await modelThatCalls([
      ['shop_find_order', { order: 'o-7' }],
      ['shop_refund', refund],
      done,
      ['shop_refund', refund],
      done,
    ]);
    const server = {
      type: 'stdio',
      command: process.execPath,
      args: [await program(), 'gateway', 'charter.yaml'],
      cwd: folder,
    };
    await writeFile(
      join(folder, 'agent.json'),
      JSON.stringify({ model: 'ours', endpointUrl: url, apiKey: 'none', servers: [server] }),
    );
    const { out, said, type } = started(
      [join(clients, 'node_modules/@huggingface/tiny-agents/dist/cli.js'), 'run', 'agent.json'],
      folder,
    );
    await expect.poll(out).toContain('> ');
    type('Refund o-7.');
    await expect.poll(() => asked.length).toBe(3);
    expect(asked[0]?.tools.map((tool) => tool.function.name)).toContain('shop_refund');
    expect(
      asked[2]?.messages
        .slice(-3)
        .map(({ content }) => content)
        .join('\n'),
    ).toMatch(/12 EUR[^]*It waits for operator/);
    const { answer } = await person(said);
    expect(await answer({ type: 'approve' })).toBe(200);
    type('It is approved.');
    await expect.poll(() => asked.length).toBe(5);
    expect(asked[4]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringMatching(/^refunded 500$/),
    });
    expect(await did(folder)).toEqual(['found o-7', 'refunded o-7 500']);
  },
);
