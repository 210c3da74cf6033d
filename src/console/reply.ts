import type { ServerResponse } from 'node:http';

/**
 * Nothing but what this console serves may run, be styled or be reached; scripts cannot make markup of text.
 *
 * The URL holds a token until its first answer, so it is sent to nobody (`no-referrer`).
 */
const guards = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/** What is answered: its status, its kind, and its text. */
export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const json = (value: unknown, status = 200): Reply => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});

/** One JSON value a line, to be kept as a file. */
export const file = (name: string, body: string): Reply => ({
  status: 200,
  type: 'application/x-ndjson',
  body,
  headers: { 'content-disposition': `attachment; filename="${name}"` },
});

export const text = (status: number, body: string): Reply => ({ status, type: 'text/plain', body });

/** Begins an answer: its headers, and those that guard the page. */
export const begin = (
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
): void => {
  response.writeHead(status, { ...guards, ...headers });
};

export const send = (response: ServerResponse, { status, type, body, headers = {} }: Reply): void => {
  begin(response, status, { 'content-type': `${type}; charset=utf-8`, ...headers });
  response.end(body);
};
