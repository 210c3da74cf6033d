import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Turn } from '../../../../src/index.ts';
import type { TurnOptions } from '../../../../src/base/ports/model.ts';

/** A request as it came over the wire. */
export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export type Reply = (response: ServerResponse, received: Received) => unknown;

/** A server on this machine that answers each request with the next reply, and with the last one again. */
export const openEndpoint = async (...replies: readonly Reply[]) => {
  const received: Received[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url, headers } = request;
    const body = JSON.parse((await text(request)) || 'null') as Received['body'];
    const reply = replies[received.length] ?? replies.at(-1);
    received.push({ method, url, headers, body });
    await reply?.(response, { method, url, headers, body });
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}/v1`, received };
};

/** Bytes as they are, with a status. */
export const raw =
  (status: number, body: string | Uint8Array = '', headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

export const message = (said: object, finish_reason = 'stop'): Reply =>
  raw(
    200,
    JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_790_000_000,
      choices: [{ index: 0, message: { role: 'assistant', ...said }, finish_reason, logprobs: null }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    }),
  );

/** A completion with this content. */
export const completion = (content: unknown): Reply =>
  message({ content: typeof content === 'string' ? content : JSON.stringify(content), refusal: null });

export const turnOf = (more: Partial<Turn> = {}): Turn => ({
  asks: 'plan',
  wants: more.asks === 'draft' ? 'draft' : 'plan',
  taskClass: 'report',
  request: { city: 'Lisbon' },
  attempt: 0,
  tools: [],
  answers: [],
  reviews: [],
  calls: [],
  evidence: [],
  rejected: null,
  unmet: [],
  ...more,
});

export const given = (more: Partial<TurnOptions> = {}): TurnOptions => ({
  taskId: 'task-1',
  signal: new AbortController().signal,
  stream: () => {},
  ...more,
});

export const key = 'sk-not-a-real-key-8f2c41';

/** What a promise rejects with, and everything that can be read of it. */
export const thrownBy = async (work: Promise<unknown>): Promise<Error> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new TypeError('what was thrown is no error', { cause: error });
  }
  throw new TypeError('nothing was thrown');
};
