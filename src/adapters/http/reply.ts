import type { ServerResponse } from 'node:http';

/** What is answered: its status, its kind, and its text. */
export interface Text {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Events that are told as they happen. */
export interface Stream {
  readonly events: AsyncIterable<object>;
}

export type Reply = Text | Stream;

/** Nothing of this is kept by anybody on the way, guessed to be a page, or shown in one. */
const guards = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const;

export const json = (
  value: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Text => ({ status, type: 'application/json', body: JSON.stringify(value), headers });

/** Begins an answer: its headers, and those that every answer has. */
export const begin = (
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
): void => {
  response.writeHead(status, { ...guards, ...headers });
};

export const send = (response: ServerResponse, { status, type, body, headers = {} }: Text): void => {
  const about = { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) };
  begin(response, status, { ...(status !== 204 && about), ...headers });
  response.end(body);
};

/** It was taken, and there is nothing to say. */
export const nothing: Text = { status: 204, type: '', body: '' };
