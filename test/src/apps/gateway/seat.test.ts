import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { share } from '../../../share.ts';
import { call as command } from '../cli/call.ts';
import { serving } from './serving.ts';
import { charter, did, person, seated, stand, textOf, type Forms } from './stand.ts';

const withSeat = `${charter}clients: [{ name: desk, token: "\${DESK_TOKEN}", asks: operator }]\n`;
const env = { DESK_TOKEN: 'a-token-of-the-desk' };
const refund = { name: 'shop_refund', arguments: { order: 'o-7', cents: 500 } };
const approve = { action: 'accept', content: { answer: 'approve' } } as const;

/** A person at a client, who answers each form with the next of these. */
const answering = (...answers: readonly Awaited<ReturnType<Forms>>[]) => {
  const shown: string[] = [];
  const forms: Forms = async ({ params }) => {
    shown.push(params.message);
    return answers[shown.length - 1] ?? { action: 'cancel' };
  };
  return { forms, shown };
};

/** A client over HTTP of the newest protocol. */
const overHttp = async (url: string, forms: Forms | null): Promise<Client> => {
  const client = new Client(
    { name: 'a client', version: '1' },
    {
      capabilities: forms === null ? {} : { elicitation: {} },
      versionNegotiation: { mode: 'auto' },
    },
  );
  if (forms !== null) client.setRequestHandler('elicitation/create', forms);
  const requestInit = { headers: { authorization: `Bearer ${env.DESK_TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  onTestFinished(() => client.close());
  return client;
};

/** How a client speaks; `npm test` tries the newest. */
const ways = ['HTTP, in the newest protocol', 'stdio, of the first SDK', 'stdio'] as const;

describe.each(ways.slice(0, share(3, 1)))('A client over %s', (how) => {
  const opened = async (forms: Forms) => {
    const folder = await stand(withSeat);
    if (!how.startsWith('HTTP')) {
      const { client, said } = await seated(folder, { first: how.endsWith('first SDK'), forms });
      return { folder, client, said };
    }
    const { url, said } = await serving(folder, env);
    return { folder, client: await overHttp(url, forms), said };
  };

  it('shows its person a write that waits, and has the result in the same call once they approve', async () => {
    const { forms, shown } = answering(approve);
    const { folder, client } = await opened(forms);
    const result = await client.callTool(refund);
    expect({ ...result, text: textOf(result) }).toMatchObject({ text: 'refunded 500' });
    expect(result.isError ?? false).toBe(false);
    expect(shown).toEqual([expect.stringMatching(/^Call shop\.refund with order "o-7", cents 500\.\n/)]);
    expect(shown[0]).toContain('"cents": 500');
    expect(shown[0]).toContain('no rule of the charter allows it without a person');
    expect(await did(folder)).toEqual(['refunded o-7 500']);
    const { stdout } = await command('tasks --store .agentcharter/tasks.db --json', { cwd: folder });
    const [task] = (JSON.parse(stdout) as { readonly tasks: readonly { readonly taskId: string }[] }).tasks;
    const thread = await command(`thread ${task?.taskId} --store .agentcharter/tasks.db`, { cwd: folder });
    expect(thread.stdout).toMatch(/operator.*approve/);
  });

  it('refuses a write in the words of its person', async () => {
    const { forms } = answering({
      action: 'accept',
      content: { answer: 'reject', text: 'not this customer' },
    });
    const { folder, client } = await opened(forms);
    const result = await client.callTool(refund);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('operator said: "not this customer".');
    expect(await did(folder)).toEqual([]);
  });

  it.each(['decline', 'cancel'] as const)('leaves the question for the console after %s', async (action) => {
    const { forms, shown } = answering({ action });
    const { folder, client, said } = await opened(forms);
    const waits = textOf(await client.callTool(refund));
    expect(waits).toContain('shop_refund is not done yet. It waits for operator, at http://127.0.0.1');
    expect(waits).toContain('call shop_refund again with the same arguments');
    expect(shown).toHaveLength(1);
    const { answer } = await person(said);
    expect(await answer({ type: 'approve' })).toBe(200);
    expect(textOf(await client.callTool(refund))).toBe('refunded 500');
    expect(shown).toHaveLength(1);
    expect(await did(folder)).toEqual(['refunded o-7 500']);
  });
});

it('A second write is asked about for itself, while the first one waits', async () => {
  const { forms, shown } = answering({ action: 'cancel' }, approve);
  const folder = await stand(withSeat);
  const { client } = await seated(folder, { forms });
  expect(textOf(await client.callTool(refund))).toContain('It waits for operator');
  const other = { ...refund, arguments: { order: 'o-8', cents: 1 } };
  expect(textOf(await client.callTool(other))).toBe('refunded 1');
  expect(shown[1]).toContain('order "o-8"');
  expect(await did(folder)).toEqual(['refunded o-8 1']);
});

it('An answer to a question of another call approves nothing', async () => {
  const folder = await stand(withSeat);
  const { url } = await serving(folder, env);
  const questions: string[] = [];
  const post = async (id: number, more: object): Promise<unknown> => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
      'io.modelcontextprotocol/clientInfo': { name: 'a client', version: '1' },
    };
    const params = { ...refund, ...more, _meta };
    const answer = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
      headers: {
        authorization: `Bearer ${env.DESK_TOKEN}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'shop_refund',
      },
    });
    const { result } = (await answer.json()) as { readonly result: { readonly requestState: string } };
    questions.push(result.requestState);
    return result;
  };
  const asked = { resultType: 'input_required' };
  expect(await post(1, {})).toMatchObject(asked);
  const other = { arguments: { order: 'o-8', cents: 9_000 } };
  expect(await post(2, other)).toMatchObject(asked);
  const forged = { ...other, requestState: questions[0], inputResponses: { answer: approve } };
  expect(await post(3, forged)).toMatchObject(asked);
  expect(questions[2]).toBe(questions[1]);
  expect(await did(folder)).toEqual([]);
});

it('Without the word of the file, a client that shows forms is asked nothing', async () => {
  const { forms, shown } = answering(approve);
  const folder = await stand();
  const { client } = await seated(folder, { forms });
  expect(textOf(await client.callTool(refund))).toContain('It waits for operator');
  expect(shown).toEqual([]);
  expect(await did(folder)).toEqual([]);
});

it('A client that shows no forms reads that the write waits', async () => {
  const { url } = await serving(await stand(withSeat), env);
  const client = await overHttp(url, null);
  expect(textOf(await client.callTool(refund))).toContain('It waits for operator');
});

it('A client that fails to show a form leaves the question for the console', async () => {
  const { client } = await seated(await stand(withSeat), {
    forms: () => Promise.reject(new Error('the window is closed')),
  });
  expect(textOf(await client.callTool(refund))).toContain('It waits for operator');
});

it('A person at a client who may not answer is refused with the nearest name', async () => {
  const file = withSeat.replace('asks: operator', 'asks: operater');
  const { stderr } = await command('gateway charter.yaml --check', { cwd: await stand(file) });
  expect(stderr).toContain('clients[0].asks: "operater" is none of `people`. Did you mean "operator"?');
});
