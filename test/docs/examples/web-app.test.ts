import { createHmac } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import {
  AbstractChat,
  DefaultChatTransport,
  readUIMessageStream,
  type ChatState,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openBrowser } from '../../browser.ts';
import { builtPackage } from '../../built.ts';
import { skipWithout } from '../../needs.ts';
import { freePort, startCluster, type Cluster } from '../../postgres.ts';

type Answer = UIMessage<{ readonly status: string; readonly text: string }>;

const noBrowser = skipWithout(['chromium']);

const secret = 'the-signing-secret-of-slack';
const password = 'correct horse';

/** What `useChat` is without React. */
class Chat extends AbstractChat<Answer> {
  constructor(id: string, transport: DefaultChatTransport<Answer>) {
    const state: ChatState<Answer> = {
      status: 'ready',
      error: undefined,
      messages: [],
      pushMessage: (message) => void (state.messages = [...state.messages, message]),
      popMessage: () => void (state.messages = state.messages.slice(0, -1)),
      replaceMessage: (at, message) =>
        void (state.messages = state.messages.with(at, structuredClone(message))),
      snapshot: (value) => structuredClone(value),
    };
    super({ id, transport, state });
  }
}

/** A message in Slack, as this program posts them. */
interface Posted {
  readonly path: string;
  readonly text: string;
  readonly buttons: readonly { readonly action_id: string; readonly value: string }[];
}

/** Plays Slack: keeps what is posted to it. */
const startSlack = async () => {
  const posted: Posted[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { blocks } = JSON.parse(body) as {
        blocks: { text?: { text: string }; elements?: Posted['buttons'] }[];
      };
      posted.push({
        path: request.url ?? '',
        text: blocks.map(({ text }) => text?.text ?? '').join(''),
        buttons: blocks.flatMap(({ elements = [] }) => elements),
      });
      response.end('ok');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, posted, close: () => server.close() };
};

/** Waits until something is there, for a minute at most. */
const until = async <Found>(look: () => Found | undefined | Promise<Found | undefined>): Promise<Found> => {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await setTimeout(100);
  }
  throw new Error('it did not happen');
};

/** The message that a stream makes, in its last state. */
const last = async (stream: ReadableStream<UIMessageChunk>): Promise<Answer> => {
  let message: Answer | undefined;
  for await (const state of readUIMessageStream<Answer>({ stream, terminateOnError: true })) message = state;
  return message!;
};

const textOf = ({ parts }: Answer): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

describe.skipIf(skipWithout(['postgres']) !== null)('the example of a web app', () => {
  let cluster: Cluster;
  let slack: Awaited<ReturnType<typeof startSlack>>;
  let program: string;
  let port: number;
  let server: ChildProcess;
  let stderr = '';

  const start = async (): Promise<void> => {
    const env = {
      ...process.env,
      DATABASE_URL: cluster.url(),
      COOKIE_SECRET: 'c'.repeat(32),
      PASSWORD: password,
      SLACK_WEBHOOK_URL: `${slack.url}/channel`,
      SLACK_SIGNING_SECRET: secret,
      PORT: String(port),
    };
    server = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    server.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = once(server, 'exit').then(() => {
      throw new Error(`the server ended: ${stderr}`);
    });
    ended.catch(() => {});
    await Promise.race([once(server.stdout!, 'data'), ended]);
  };

  beforeAll(async () => {
    const { compile } = await builtPackage();
    [cluster, slack, program, port] = await Promise.all([
      startCluster(),
      startSlack(),
      compile('docs/examples/web-app/main.ts'),
      freePort(),
    ]);
    await start();
  });
  afterAll(async () => {
    server?.kill('SIGKILL');
    slack?.close();
    await cluster?.remove();
  });

  const url = (path: string): string => `http://127.0.0.1:${port}${path}`;

  const signIn = async (name: string): Promise<Record<string, string>> => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name, password });
    const response = await fetch(url('/sign-in'), { method: 'POST', headers, body });
    expect(response.status).toBe(204);
    return { cookie: response.headers.getSetCookie()[0]!.split(';')[0]! };
  };

  const read = async (user: string, path: string): Promise<Response> =>
    fetch(url(path), { headers: await signIn(user) });

  /** Sends a message as `useChat` does, and returns the answer as it has it in the end. */
  const say = async (user: string, chatId: string, text: string, id: string): Promise<Answer> => {
    const transport = new DefaultChatTransport<Answer>({
      api: url('/api/chat'),
      headers: await signIn(user),
    });
    const stream = await transport.sendMessages({
      trigger: 'submit-message',
      chatId,
      messageId: undefined,
      messages: [{ id, role: 'user', parts: [{ type: 'text', text }] }],
      abortSignal: undefined,
    });
    return last(stream);
  };

  /** What `resumeStream()` of `useChat` gets once there is something. */
  const resumed = async (user: string, chatId: string): Promise<Answer> => {
    const transport = new DefaultChatTransport<Answer>({
      api: url('/api/chat'),
      headers: await signIn(user),
    });
    const stream = await until(async () => (await transport.reconnectToStream({ chatId })) ?? undefined);
    return last(stream);
  };

  /** Presses a button in Slack. */
  const press = (
    slackUser: string,
    { action_id, value }: Posted['buttons'][number],
    { key = secret, age = 0 } = {},
  ): Promise<Response> => {
    const payload = JSON.stringify({
      type: 'block_actions',
      user: { id: slackUser },
      actions: [{ action_id, value }],
      response_url: `${slack.url}/to/${slackUser}`,
    });
    const body = String(new URLSearchParams({ payload }));
    const at = String(Math.floor(Date.now() / 1000) - age);
    const signature = `v0=${createHmac('sha256', key).update(`v0:${at}:${body}`).digest('hex')}`;
    return fetch(url('/slack/actions'), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': at,
        'x-slack-signature': signature,
      },
      body,
    });
  };
  const told = (slackUser: string): readonly string[] =>
    slack.posted.filter(({ path }) => path === `/to/${slackUser}`).map(({ text }) => text);
  const asked = (summary: string): Promise<Posted> =>
    until(() => slack.posted.find(({ path, text }) => path === '/channel' && text.startsWith(summary)));

  const paid = async (order: string): Promise<number> =>
    (await cluster.sql(`SELECT 1 FROM refund WHERE order_id = '${order}'`)).length;

  it('refuses who is not signed in', async () => {
    const { cookie = '' } = await signIn('ada');
    const statuses = ['', cookie.replace('ada', 'dana')].map(async (cookie) => {
      const { status } = await fetch(url('/api/chat/chat-1'), { headers: { cookie } });
      return status;
    });
    expect(await Promise.all(statuses)).toEqual([401, 401]);
  });

  it('pays a small refund once, also if the message is sent again', async () => {
    const answer = await say('ada', 'chat-1', 'Refund 40 EUR for order o-1', 'm-1');
    expect(answer).toMatchObject({
      id: 'm-1-answer',
      parts: [{ type: 'text', text: 'I refunded 40 EUR for o-1.' }],
      metadata: { status: 'delivered', text: 'I refunded 40 EUR for o-1.' },
    });
    expect((await say('ada', 'chat-1', 'Refund 40 EUR for order o-1', 'm-1')).metadata).toEqual(
      answer.metadata,
    );
    expect(await paid('o-1')).toBe(1);
  });

  it('gives the model the earlier messages of the chat', async () => {
    expect(textOf(await say('ada', 'chat-2', 'Refund 20 EUR', 'm-1'))).toBe('Which order, and how much?');
    expect(textOf(await say('ada', 'chat-2', 'It is order o-2', 'm-2'))).toBe('I refunded 20 EUR for o-2.');
  });

  it('asks in Slack for a large refund, and pays once when a clerk presses the button', async () => {
    const { metadata } = await say('ada', 'chat-3', 'Refund 180 EUR for order o-3', 'm-1');
    expect(metadata).toEqual({ status: 'waiting', text: 'Refund 180 EUR for order o-3.' });
    const { text, buttons } = await asked('Refund 180 EUR for order o-3.');
    expect(text).toBe('Refund 180 EUR for order o-3.\nIt is above 100 EUR.');
    expect(buttons.map(({ action_id }) => action_id)).toEqual(['approve', 'reject']);
    const [approve] = buttons;

    expect((await press('U0DANA', approve!, { key: 'another secret' })).status).toBe(401);
    expect((await press('U0DANA', approve!, { age: 360 })).status).toBe(401);
    for (const stranger of ['U0EVE', 'U0ADA', 'U0NOONE'])
      expect((await press(stranger, approve!)).ok).toBe(true);
    expect(told('U0EVE')).toEqual(['A clerk decides this, and no one for themselves.']);
    expect(told('U0ADA')).toEqual(told('U0EVE'));
    expect(told('U0NOONE')).toEqual(['Your Slack user belongs to no user of this shop.']);
    expect(await paid('o-3')).toBe(0);

    await press('U0DANA', approve!);
    expect(told('U0DANA')).toEqual(['Approved by dana.']);
    const answer = await resumed('ada', 'chat-3');
    expect(answer).toMatchObject({ id: 'm-1-answer', metadata: { text: 'I refunded 180 EUR for o-3.' } });
    await press('U0DANA', approve!);
    expect(told('U0DANA').at(-1)).toMatch(/ is closed: dana answered it at \S+: approve; /);
    expect(await paid('o-3')).toBe(1);
  });

  it('replaces the answer in `useChat` when it asks again after an approval', async () => {
    const transport = new DefaultChatTransport<Answer>({
      api: url('/api/chat'),
      headers: await signIn('ada'),
    });
    const chat = new Chat('chat-9', transport);
    await chat.sendMessage({ text: 'Refund 180 EUR for order o-9' });
    const standings = () => chat.messages.map(({ role, metadata }) => [role, metadata?.text]);
    expect(standings()).toEqual([
      ['user', undefined],
      ['assistant', 'Refund 180 EUR for order o-9.'],
    ]);
    await chat.resumeStream();
    expect(chat.messages.at(-1)?.metadata?.status).toBe('waiting');
    const { buttons } = await asked('Refund 180 EUR for order o-9.');
    await press('U0DANA', buttons[0]!);
    await until(async () => {
      await chat.resumeStream();
      return chat.messages.at(-1)?.metadata?.status === 'waiting' ? undefined : true;
    });
    expect(standings()).toEqual([
      ['user', undefined],
      ['assistant', 'I refunded 180 EUR for o-9.'],
    ]);
    expect(chat.error).toBeUndefined();
  });

  it('lets no clerk decide about a refund for themselves', async () => {
    await say('dana', 'chat-4', 'Refund 180 EUR for order o-4', 'm-1');
    const { buttons } = await asked('Refund 180 EUR for order o-4.');
    await press('U0DANA', buttons[0]!);
    expect(told('U0DANA').at(-1)).toBe('A clerk decides this, and no one for themselves.');
    expect(await paid('o-4')).toBe(0);
  });

  it('tells the chat that a clerk rejected a refund', async () => {
    await say('ada', 'chat-5', 'Refund 180 EUR for order o-5', 'm-1');
    const { buttons } = await asked('Refund 180 EUR for order o-5.');
    await press('U0DANA', buttons[1]!);
    expect(told('U0DANA').at(-1)).toBe('Rejected by dana.');
    expect((await resumed('ada', 'chat-5')).metadata?.text).toBe('I did not refund o-5.');
    expect(await paid('o-5')).toBe(0);
  });

  it('shows a chat to its user only', async () => {
    await say('ada', 'chat-6', 'Refund 60 EUR for order o-6', 'm-1');
    const saved = (await (await read('ada', '/api/chat/chat-6')).json()) as Answer[];
    expect(saved.map(textOf)).toEqual(['Refund 60 EUR for order o-6', 'I refunded 60 EUR for o-6.']);
    expect(await (await read('eve', '/api/chat/chat-6')).json()).toEqual([]);
    expect((await read('eve', '/api/chat/chat-6/stream')).status).toBe(204);
    const { metadata } = await say('eve', 'chat-6', 'Hello', 'm-1');
    expect(metadata?.text).toBe('Which order, and how much?');
    await expect((await read('ada', '/api/chat/chat-6')).json()).resolves.toEqual(saved);
  });

  it('pays once after the server was killed while a clerk was asked', async () => {
    await say('ada', 'chat-7', 'Refund 180 EUR for order o-7', 'm-1');
    const { buttons } = await asked('Refund 180 EUR for order o-7.');
    server.kill('SIGKILL');
    await once(server, 'exit');
    await start();
    await press('U0DANA', buttons[0]!);
    expect((await resumed('ada', 'chat-7')).metadata?.text).toBe('I refunded 180 EUR for o-7.');
    expect(await paid('o-7')).toBe(1);
  });

  it.skipIf(noBrowser !== null)('has a page that shows the answer when a clerk has decided', async () => {
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(url('/'));
    await page.fill('[name=name]', 'ada');
    await page.fill('[name=password]', password);
    await page.click('text=Sign in');
    await page.waitForSelector('#in', { state: 'hidden' });
    await page.fill('[name=text]', 'Refund 180 EUR for order o-8');
    await page.click('text=Send');
    await page.waitForSelector('text=Waiting for a person: Refund 180 EUR for order o-8.');
    const { buttons } = await asked('Refund 180 EUR for order o-8.');
    await press('U0DANA', buttons[0]!);
    await page.waitForSelector('text=I refunded 180 EUR for o-8.');
    await page.reload();
    await page.waitForSelector('text=I refunded 180 EUR for o-8.');
  });

  it('ends when it is told to, and prints no error', async () => {
    server.kill('SIGTERM');
    const [code] = await once(server, 'exit');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
