import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { webhookNotifier, type Notice, type WebhookOptions } from '../../../../../src/apps/console/index.ts';
import { simulatedClock } from '../../../core/shell/simulated-clock.ts';
import { eventually } from '../../../../waits.ts';

const notice: Notice = {
  id: 'n-1',
  event: 'settled',
  taskId: 't-1',
  taskClass: 'support',
  summary: 'support: completed',
  state: 'completed',
  outcome: 'success',
  at: '2026-11-21T05:00:00.000Z',
};

interface Posted {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver that answers these in order, the last one again; `null` is no answer at all. */
const receiver = async (...statuses: (number | null)[]) => {
  const posted: Posted[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      posted.push({ headers: request.headers, body });
      const status = statuses[Math.min(posted.length, statuses.length) - 1];
      if (status === null) return;
      response.writeHead(status ?? 500, { location: 'http://127.0.0.1:1/' }).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { posted, url: `http://127.0.0.1:${port}/hook` };
};

const notified = async (statuses: (number | null)[], options: Partial<WebhookOptions> = {}) => {
  const clock = simulatedClock();
  const { posted, url } = await receiver(...statuses);
  const stop = new AbortController();
  const outcome = webhookNotifier({ url, clock, ...options })
    .notify(notice, stop.signal)
    .then(
      () => 'told',
      (error: unknown) => error,
    );
  const until = (count: number) => eventually(() => expect(posted).toHaveLength(count));
  return { clock, posted, outcome, until, stop };
};

it('posts a notice as JSON', async () => {
  const { posted, outcome } = await notified([204]);
  expect(await outcome).toBe('told');
  expect(posted).toHaveLength(1);
  expect(JSON.parse(posted[0]?.body ?? '')).toEqual(notice);
  expect(posted[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'n-1' });
  expect(posted[0]?.headers).not.toHaveProperty('webhook-signature');
});

it.each([
  ['a text', 'hush hush hush hush hush', Buffer.from('hush hush hush hush hush')],
  [
    'Standard Webhooks',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'),
  ],
])('signs id, time and body with a secret as %s', async (_, secret, key) => {
  const { posted, outcome } = await notified([200], { secret });
  await outcome;
  const { headers, body } = posted[0]!;
  expect(headers['webhook-timestamp']).toBe(String(Date.parse('2026-11-21T05:00:00Z') / 1_000));
  const content = `n-1.${String(headers['webhook-timestamp'])}.${body}`;
  const expected = createHmac('sha256', key).update(content).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${expected}`);
});

it.each([
  ['an empty text', ''],
  ['a text of 23 bytes', 'x'.repeat(23)],
  ['a prefix alone', 'whsec_'],
  ['base64 of 23 bytes', `whsec_${Buffer.alloc(23, 1).toString('base64')}`],
  ['invalid base64', `whsec_${'!'.repeat(40)}`],
  ['base64 after another word', `whsec_my-secret-${Buffer.alloc(24, 1).toString('base64')}`],
])('refuses a secret that is %s, without quoting it', (_, secret) => {
  const make = () => webhookNotifier({ url: 'http://127.0.0.1/hook', secret });
  expect(make).toThrow(
    expect.objectContaining({
      code: 'definition_invalid',
      details: {
        definition: 'webhook notifier',
        issues: [{ path: '/secret', message: expect.stringContaining('expected') }],
      },
    }),
  );
  if (secret.length > 6) expect(make).not.toThrow(secret);
});

it.each([
  ['url', { url: 'not a url' }],
  ['url', { url: 'file:///etc/passwd' }],
  ['attempts', { attempts: 0 }],
  ['timeout', { timeout: 0 }],
  ['secrets', { secrets: 'hush hush hush hush hush' }],
])('refuses an invalid option: %s', (name, option) => {
  expect(() => webhookNotifier({ url: 'http://127.0.0.1/hook', ...option })).toThrow(
    expect.objectContaining({
      code: 'definition_invalid',
      message: expect.stringMatching(new RegExp(`^webhook notifier: .*\\b${name}\\b`)),
    }),
  );
});

it('retries after 1, 2, 4 and 8 seconds under the same id, and then gives up', async () => {
  const { clock, posted, outcome, until } = await notified([500, 503, 429, 408, 500]);
  for (const [at, seconds] of [1, 2, 4, 8].entries()) {
    await until(at + 1);
    await eventually(() => expect(clock.sleeping()).toBe(1));
    await clock.advance(seconds * 1_000 - 1);
    expect(posted).toHaveLength(at + 1);
    await clock.advance(1);
  }
  expect(await outcome).toMatchObject({
    message: expect.stringMatching(/^the webhook at 127\.0\.0\.1:\d+ could not be reached$/) as unknown,
  });
  expect(posted.map(({ headers }) => headers['webhook-id'])).toEqual(Array(5).fill('n-1'));
  expect(clock.sleeping()).toBe(0);
});

it('stops retrying when an attempt succeeds', async () => {
  const { clock, outcome, until } = await notified([500, 200]);
  await until(1);
  await eventually(() => expect(clock.sleeping()).toBe(1));
  await clock.advance(1_000);
  expect(await outcome).toBe('told');
});

it.each([400, 401, 404, 302])('retries nothing after %d', async (status) => {
  const { posted, outcome } = await notified([status], { secret: 'hush'.repeat(6) });
  expect(await outcome).toMatchObject({ message: expect.stringContaining(`answered ${status}`) as unknown });
  expect(String(await outcome)).not.toContain('hush');
  expect(posted).toHaveLength(1);
});

it('treats a timeout as a failure', async () => {
  const { clock, outcome, until } = await notified([null, 200]);
  await until(1);
  await clock.advance(10_000);
  await eventually(() => expect(clock.sleeping()).toBe(1));
  await clock.advance(1_000);
  expect(await outcome).toBe('told');
});

it('stops at once on abort, even between two attempts', async () => {
  const { clock, outcome, until, stop } = await notified([500]);
  await until(1);
  await eventually(() => expect(clock.sleeping()).toBe(1));
  stop.abort(new Error('stopped'));
  expect(await outcome).toMatchObject({ message: 'stopped' });
  expect(clock.sleeping()).toBe(0);
});
