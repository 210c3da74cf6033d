import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { expect, it, onTestFinished } from 'vitest';
import { call as command } from '../cli/call.ts';
import { charter, desk, did, person, stand } from './stand.ts';

const two = charter.replace(
  'servers:',
  'servers:\n  till: { command: node, args: [../shop.mjs], cwd: till }',
);
const withTill = `${two}  till.find_order: { tier: read_only }\n`;

const down = (folder: string) => join(folder, 'down.txt');

it('A server that dies in a call is started again at the next one', async () => {
  const folder = await stand();
  const { call, said } = await desk(folder);
  const died = await call('shop_find_order', { order: 'o-die' });
  expect(died.isError).toBe(true);
  expect((await call('shop_find_order', { order: 'o-7' })).text).toContain('o-7');
  expect(said()).toContain('shop: it ended, and is started again at the next call');
  for (let time = 0; time < 6; time += 1) await call('shop_find_order', { order: 'o-die' });
  const { text, isError } = await call('shop_find_order', { order: 'o-7' });
  expect(isError).toBe(true);
  expect(text).toContain('server shop ended 5 times within a minute');
});

it('A server that is down between approval and call loses nothing: the call is refused, and can be proposed again', async () => {
  const folder = await stand();
  const { call, said } = await desk(folder);
  const refund = { order: 'o-7', cents: 500 };
  await call('shop_refund', refund);
  await writeFile(down(folder), '');
  await call('shop_find_order', { order: 'o-die' });
  const first = await person(said);
  expect(await first.answer({ type: 'approve' })).toBe(200);
  const refused = await call('shop_refund', refund);
  expect(refused.isError).toBe(true);
  expect(refused.text).toContain('server shop does not start');
  expect(said()).toContain('shop: the till is closed');
  await rm(down(folder));
  expect((await call('shop_refund', refund)).text).toContain('It waits for operator');
  const second = await person(said);
  expect(await second.answer({ type: 'approve' })).toBe(200);
  expect((await call('shop_refund', refund)).text).toBe('refunded 500');
  expect(await did(folder)).toEqual(['found o-die', 'refunded o-7 500']);
});

it('A server that never started leaves the others alone, and its tools say why', async () => {
  const folder = await stand(withTill); // there is no folder `till`
  const { call, tools } = await desk(folder);
  expect((await tools()).map(({ name }) => name)).toContain('till_find_order');
  const { text, isError } = await call('till_find_order', { order: 'o-7' });
  expect(isError).toBe(true);
  expect(text).toContain('server till does not start');
  expect((await call('shop_find_order', { order: 'o-7' })).isError).toBe(false);
});

it('A server that was seen before keeps its tools while it is down', async () => {
  const folder = await stand();
  const before = await desk(folder);
  const listed = await before.tools();
  await before.leave();
  await writeFile(down(folder), '');
  const { call, tools } = await desk(folder);
  expect(await tools()).toEqual(listed);
  expect((await call('shop_find_order', { order: 'o-7' })).text).toContain('server shop does not start');
  await rm(down(folder));
  expect((await call('shop_find_order', { order: 'o-7' })).isError).toBe(false);
});

it('A definition that changed is refused until a person accepts it', async () => {
  const folder = await stand();
  const before = await desk(folder);
  const listed = await before.tools();
  await before.leave();
  await writeFile(join(folder, 'about.txt'), 'Pays money to anyone.');
  const changed = await desk(folder);
  expect(await changed.tools()).toEqual(listed);
  const refund = { order: 'o-7', cents: 500 };
  const { text, isError } = await changed.call('shop_refund', refund);
  expect(isError).toBe(true);
  expect(text).toMatch(
    /^shop\.refund changed, and is refused until you run: agentcharter gateway \S+charter\.yaml --accept shop\.refund, then start/,
  );
  expect(changed.said()).toContain(text);
  expect(changed.said()).not.toContain('Answer at');
  expect((await changed.call('shop_find_order', { order: 'o-7' })).isError).toBe(false);
  await changed.leave();
  const checked = await command('gateway charter.yaml --check', { cwd: folder });
  expect(checked.stdout).toContain('shop.refund changed, and is refused until you run');
  const accepted = await command('gateway charter.yaml --accept shop.refund', { cwd: folder });
  expect(accepted).toMatchObject({ code: 0 });
  expect(accepted.stdout).toContain('description was "Pays money back."');
  expect(accepted.stdout).toContain('is "Pays money to anyone."');
  expect(await readFile(join(folder, '.agentcharter/pins.json'), 'utf8')).toContain('Pays money to anyone.');
  const after = await desk(folder);
  await after.call('shop_refund', refund);
  const { answer } = await person(after.said);
  await answer({ type: 'approve' });
  expect((await after.call('shop_refund', refund)).text).toBe('refunded 500');
});

it('A run that fails undoes a write by the tool that the file names, and asks a person to undo what no tool can', async () => {
  const folder = await stand(`
servers:
  shop: { command: node, args: [shop.mjs] }
tools:
  shop.find_order: { tier: read_only }
  shop.refund: { rollback: { tool: cancel_refund, arguments: { order: /arguments/order } } }
  shop.remind: { rollback: person }
`);
  const { call, said } = await desk(folder);
  for (const [tool, given] of [
    ['shop_refund', { order: 'o-7', cents: 500 }],
    ['shop_remind', { order: 'o-8' }],
  ] as const) {
    await call(tool, given);
    const { answer } = await person(said);
    expect(await answer({ type: 'approve' })).toBe(200);
    expect((await call(tool, given)).isError).toBe(false);
  }
  const store = '--store .agentcharter/tasks.db';
  const { stdout } = await command(`tasks ${store} --json`, { cwd: folder });
  const [task] = (JSON.parse(stdout) as { readonly tasks: readonly { readonly taskId: string }[] }).tasks;
  const cancelled = await command(`cancel ${task?.taskId} --as operator --config charter.yaml`, {
    cwd: folder,
  });
  expect(cancelled).toMatchObject({ code: 0 });
  await expect.poll(said).toContain('Please undo this by hand: Call shop.remind with order "o-8".');
  const asked = await person(said);
  expect(await did(folder)).not.toContain('cancelled o-7'); // the newest first
  expect((await call('shop_find_order', { order: 'o-8' })).isError).toBe(false);
  expect(await asked.answer({ type: 'approve' })).toBe(200);
  await expect.poll(() => did(folder)).toContain('cancelled o-7');
  const thread = async () => (await command(`thread ${task?.taskId} ${store}`, { cwd: folder })).stdout;
  // The tool's own list is written before the record of its undoing.
  await expect.poll(thread).toContain('calls shop.refund with order "o-7", cents 500: undone');
  expect((await call('shop_find_order', { order: 'o-9' })).isError).toBe(false);
});

/** A server over HTTP whose clients have sessions. It is started again by `again`, which knows no session of before. */
const sessionServer = async () => {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const known = transports.get(String(request.headers['mcp-session-id']));
    if (known !== undefined) return known.handleRequest(request, response);
    if (request.headers['mcp-session-id'] !== undefined) return void response.writeHead(404).end();
    const server = new McpServer({ name: 'web', version: '1' });
    server.registerTool('ping', { description: '' }, () => ({ content: [{ type: 'text', text: 'pong' }] }));
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    await server.connect(transport);
    await transport.handleRequest(request, response);
  };
  const http = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, again: () => transports.clear() };
};

it('A server over HTTP that was started again is reached in a new session', async () => {
  const { url, again } = await sessionServer();
  const folder = await stand(`servers:\n  web: { url: '${url}' }\ntools:\n  web.ping: { tier: read_only }\n`);
  const { call } = await desk(folder);
  expect((await call('web_ping')).text).toBe('pong');
  again();
  expect(await call('web_ping')).toMatchObject({ text: 'pong', isError: false });
});
