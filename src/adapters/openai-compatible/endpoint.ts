import * as z from 'zod';
import { readJson, readLimits } from '../../base/boundary/read-json.ts';
import { because, bytesOf } from '../../base/boundary/response.ts';
import { isRetryable } from '../../base/boundary/retryable.ts';
import { unreadable } from '../../base/canonical/unreadable.ts';
import { pause } from '../../core/shell/pause.ts';
import type { Clock } from '../../base/ports/clock.ts';

/** The target of requests. */
export interface Endpoint {
  readonly address: URL;
  readonly retries: number;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
}

interface Request {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const second = 1_000;
/** The longest pause in milliseconds. A longer `Retry-After` ends the attempts. */
const maxPause = 60 * second;

/** An error code of the server. No other text of a response is part of an error. */
const Code = z.string().regex(/^[a-z][a-z\d_]{0,63}$/i);
const ErrorBody = z.object({ error: z.object({ code: z.unknown(), type: z.unknown() }).partial() });

/** Returns the error code of a response, if it is an identifier that does not echo the request. */
const codeIn = async (response: Response, headers: Request['headers']): Promise<string> => {
  const sent = Object.values(headers).flatMap((value) => value.split(/\s+/));
  try {
    const { error } = ErrorBody.parse(readJson('error', (await bytesOf(response)) ?? ''));
    const code = Code.safeParse(error.code).data ?? Code.parse(error.type);
    return sent.some((word) => word !== '' && code.includes(word)) ? '' : ` (${code})`;
  } catch {
    return '';
  }
};

/** Returns the delay before the next attempt in milliseconds: the server's, else exponential. */
const delayOf = (retryAfter: string | null, attempt: number, now: number): number => {
  const requestedDelay = /^\d+$/.test(retryAfter ?? '')
    ? Number(retryAfter) * second
    : Date.parse(retryAfter ?? '') - now;
  return Math.max(0, Number.isNaN(requestedDelay) ? second * 2 ** attempt : requestedDelay);
};

/**
 * Posts a request and returns the bytes of the response. Retries temporary failures.
 *
 * Throws `input_unreadable` beyond 1 MiB. Throws an error with host and status, or failure code, for any
 * other response, including redirects.
 */
export const post = async (endpoint: Endpoint, { body, headers, signal }: Request): Promise<Uint8Array> => {
  const { address, retries, clock } = endpoint;
  const name = `the model at ${address.host}`;
  for (let attempt = 0; ; attempt += 1) {
    const init: RequestInit = { method: 'POST', headers, body, redirect: 'manual', signal };
    const response = await endpoint.fetch(address, init).catch((error: unknown) => {
      throw new Error(`${name} cannot be reached${because(error)}`);
    });
    const { status } = response;
    if (response.ok) {
      const bytes = await bytesOf(response).catch((error: unknown) => {
        throw new Error(`${name} broke off its answer${because(error)}`);
      });
      if (bytes !== null) return bytes;
      throw unreadable('chat completion', [], 'it is too large', `${readLimits.bytes} bytes`);
    }
    const delay = delayOf(response.headers.get('retry-after'), attempt, clock.now());
    if (attempt === retries || delay > maxPause || !isRetryable(status))
      throw new Error(`${name} answered ${status}${await codeIn(response, headers)}`);
    await response.body?.cancel();
    await pause(clock, delay, signal);
  }
};
