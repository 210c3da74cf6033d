import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it, onTestFinished } from 'vitest';
import { call as command } from '../cli/call.ts';
import { serving } from './serving.ts';
import { charter, did, person, seated, stand, textOf } from './stand.ts';

const withDesk = `${charter}clients: [{ name: desk, token: "\${DESK_TOKEN}" }]\n`;
const env = { DESK_TOKEN: 'a-token-of-the-desk' };
const info = { name: 'a client', version: '1' };
const refund = { name: 'shop_refund', arguments: { order: 'o-7', cents: 500 } };
const progress = { name: 'charter_progress', arguments: {} };

interface Params {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  readonly _meta?: Record<string, unknown>;
}
type Caller = (params: Params) => Promise<object>;

/** Calls in a session that the header of a connection names. */
const withHeader = async (url: string, session: string, isFirst = false): Promise<Caller> => {
  const headers = { authorization: `Bearer ${env.DESK_TOKEN}`, 'agentcharter-session': session };
  const client = isFirst ? new FirstClient(info) : new Client(info, { versionNegotiation: { mode: 'auto' } });
  const Transport = isFirst ? FirstTransport : StreamableHTTPClientTransport;
  await client.connect(new Transport(new URL(url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return (params) => client.callTool({ ...params });
};

/** Calls in a session that each request names. */
const withMeta = (client: Client | FirstClient, session: string): Caller => {
  const _meta = { 'agentcharter/session': session };
  return (params) => client.callTool({ ...params, _meta });
};

const callsIn = async (call: Caller) =>
  (await call(progress)) as { readonly structuredContent?: { readonly calls: readonly object[] } };

const find = (order: string) => ({ name: 'shop_find_order', arguments: { order } });

it('Two agents with one token have tasks of their own in the sessions that they name', async () => {
  const folder = await stand(withDesk);
  const { url, stop } = await serving(folder, env);
  const [one, other] = [await withHeader(url, 'one'), await withHeader(url, 'other', true)];
  await one({ name: 'charter_begin', arguments: { request: 'Find o-1.' } });
  await one(find('o-1'));
  await other(find('o-2'));
  await other(find('o-3'));
  expect(await callsIn(one)).toMatchObject({ structuredContent: { task: 'yours', calls: [{}] } });
  expect(await callsIn(other)).toMatchObject({
    structuredContent: { task: 'none of your own', calls: [{}, {}] },
  });
  expect(textOf(await one({ name: 'charter_conclude', arguments: { answer: 'There.' } }))).toBe('Delivered.');
  await stop();
  const { stdout } = await command('tasks --store .agentcharter/tasks.db --json', { cwd: folder });
  const { tasks } = JSON.parse(stdout) as { readonly tasks: readonly { readonly threadId: string }[] };
  expect(tasks).toHaveLength(2);
  expect(new Set(tasks.map(({ threadId }) => threadId)).size).toBe(2);
});

it('Over stdio, each request names its session, and one without has that of the client', async () => {
  const folder = await stand(withDesk);
  const { client } = await seated(folder);
  const [one, other] = [withMeta(client, 'one'), withMeta(client, 'other')];
  await one(find('o-1'));
  await other(find('o-2'));
  await client.callTool(find('o-3'));
  for (const call of [one, other, (params: Params) => client.callTool({ ...params })])
    expect(await callsIn(call)).toMatchObject({ structuredContent: { calls: [{}] } });
});

it('The session of a request counts before that of its connection', async () => {
  const { url } = await serving(await stand(withDesk), env);
  const one = await withHeader(url, 'one');
  const _meta = { 'agentcharter/session': 'other' };
  await one(find('o-1'));
  await one({ ...find('o-2'), _meta });
  await one({ ...find('o-3'), _meta });
  expect(await callsIn(one)).toMatchObject({ structuredContent: { calls: [{}] } });
  expect(await one({ ...progress, _meta })).toMatchObject({ structuredContent: { calls: [{}, {}] } });
});

it('A write that waits in a session is of that session, also after a restart', async () => {
  const folder = await stand(withDesk);
  const before = await serving(folder, env);
  const first = await withHeader(before.url, 'one');
  expect(textOf(await first(refund))).toContain('It waits for operator');
  await before.stop();
  const { url, said } = await serving(folder, env);
  const [one, other] = [await withHeader(url, 'one'), await withHeader(url, 'other')];
  expect(textOf(await one(refund))).toContain('It waits for operator');
  const { answer } = await person(said);
  expect(await answer({ type: 'approve' })).toBe(200);
  expect(textOf(await one(refund))).toBe('refunded 500');
  expect(textOf(await other(refund))).toContain('It waits for operator');
  expect(await did(folder)).toEqual(['refunded o-7 500']);
});

it('A session whose name cannot be read is refused with what is accepted', async () => {
  const { client } = await seated(await stand());
  const result = await withMeta(client, 'ö')(find('o-1'));
  expect(result).toMatchObject({ isError: true });
  expect(textOf(result)).toContain('must be 1 to 128 printable ASCII characters');
  expect(textOf(result)).toContain('agentcharter/session');
});
