import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it, onTestFinished } from 'vitest';
import { call as command } from '../cli/call.ts';
import { serving, tokens, withClients } from './serving.ts';
import { charter, did, heardBy, person, stand } from './stand.ts';

const info = { name: 'a client', version: '1' };
type Era = 'first SDK' | 'second SDK' | 'second SDK, newest protocol';

const connected = async (url: string, token: string, era: Era) => {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const client =
    era === 'first SDK'
      ? new FirstClient(info)
      : new Client(info, { ...(era !== 'second SDK' && { versionNegotiation: { mode: 'auto' as const } }) });
  const Transport = era === 'first SDK' ? FirstTransport : StreamableHTTPClientTransport;
  await client.connect(new Transport(new URL(url), { requestInit }));
  onTestFinished(() => client.close());
  return heardBy(client);
};

it('Clients have their own tools and tasks, in each version of protocol and SDK', async () => {
  const folder = await stand(withClients);
  const { url, said, stop } = await serving(folder, tokens);
  const refund = { order: 'o-7', cents: 500 };
  const reader = await connected(url, tokens.READER_TOKEN, 'second SDK');
  expect((await reader.tools()).map(({ name }) => name)).toEqual([
    'shop_find_order',
    'charter_begin',
    'charter_conclude',
    'charter_progress',
  ]);
  expect((await reader.call('shop_refund', refund)).text).toContain('There is no tool "shop_refund"');
  expect((await reader.call('shop_find_order', { order: 'o-1' })).isError).toBe(false);
  const first = await connected(url, tokens.DESK_TOKEN, 'first SDK');
  expect((await first.call('shop_refund', refund)).text).toContain('It waits for operator');
  const { answer } = await person(said);
  expect(await answer({ type: 'approve' })).toBe(200);
  const newest = await connected(url, tokens.DESK_TOKEN, 'second SDK, newest protocol');
  expect((await newest.call('shop_refund', refund)).text).toBe('refunded 500');
  const both = ['o-2', 'o-3'].map((order) => newest.call('shop_find_order', { order }));
  expect((await Promise.all(both)).map(({ isError }) => isError)).toEqual([false, false]);
  expect((await newest.call('charter_progress')).structured).toMatchObject({
    calls: [{ tool: 'shop_refund' }, { tool: 'shop_find_order' }, { tool: 'shop_find_order' }],
  });
  expect((await reader.call('charter_progress')).structured).toMatchObject({
    calls: [{ tool: 'shop_find_order' }],
  });
  expect(await did(folder)).toHaveLength(4);
  expect(await stop()).toEqual({ code: 0, out: '' });
  const { stdout } = await command('tasks --store .agentcharter/tasks.db', { cwd: folder });
  expect(stdout.match(/completed\.settled/g)).toHaveLength(2);
});

it('Requests without a token of a client, from another host or of a page are refused', async () => {
  const { url } = await serving(await stand(withClients), tokens);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const post = async (headers: Readonly<Record<string, string>>): Promise<number> =>
    (
      await fetch(url, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      })
    ).status;
  const authorization = 'Bearer a-token-of-the-desk';
  expect(await post({})).toBe(401);
  expect(await post({ authorization: 'Bearer a-token-of-nobody' })).toBe(401);
  expect(await post({ authorization, origin: 'https://elsewhere.example' })).toBe(403);
  expect(await post({ authorization })).toBe(200);
  const garbage = await fetch(url, {
    method: 'POST',
    body: '{ "jsonrpc": ',
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  });
  expect(garbage.status).toBe(400);
  expect((await fetch(new URL('/readyz', url))).status).toBe(200);
});

it.each([
  [
    'no clients',
    charter,
    {},
    '--http needs clients, each with a token. Add clients: [{ name: desk, token: "${DESK_TOKEN}" }]',
  ],
  [
    'a client without a token',
    `${charter}clients: [{ name: desk }]\n`,
    {},
    '--http needs a token of desk. Add token: "${NAME}"',
  ],
  ['a token that is not set', withClients, {}, 'needs the environment variable DESK_TOKEN, which is not set'],
  ['a token that is easy to guess', withClients, { DESK_TOKEN: 'secret' }, 'must have 16 or more letters'],
])('%s is refused before anything starts', async (_, file, env, says) => {
  const { code, stderr } = await command('gateway charter.yaml --http 0', { cwd: await stand(file), env });
  expect(code).toBe(2);
  expect(stderr).toContain(says);
  expect(stderr).not.toContain('secret');
});
