import * as z from 'zod';
import { readJson, readLimits } from '../../boundary/read-json.ts';
import { isRetryable } from '../../boundary/retryable.ts';
import { unreadable } from '../../canonical/unreadable.ts';
import { pause } from '../../orchestrator/pause.ts';
import type { Clock } from '../../ports/clock.ts';

/** Where requests go. */
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
/** No pause is longer (milliseconds): who is sent away for longer is told so. */
const longest = 60 * second;

/** A name for programs, as errors hold it; anything else that is said from there stays there. */
const Code = z.string().regex(/^[a-z][a-z\d_]{0,63}$/i);
const ErrorBody = z.object({ error: z.object({ code: z.unknown(), type: z.unknown() }).partial() });
const Thrown = z.object({ code: Code.optional(), cause: z.object({ code: Code.optional() }).optional() });

/** The code of what `fetch` threw: its message may hold an address or a header. */
const because = (error: unknown): string => {
  const thrown = Thrown.safeParse(error).data;
  const code = thrown?.cause?.code ?? thrown?.code;
  return code === undefined ? '' : `: ${code}`;
};

/** The bytes of a response; `null` where there are too many. */
const bytesOf = async (response: Response): Promise<Uint8Array | null> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > readLimits.bytes) return null; // which cancels the rest
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** What a refused request is called there, where that is a name and nothing of what was sent with it. */
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

/** Milliseconds until another attempt: what the server asks for, else twice as long each time. */
const delayOf = (wanted: string | null, attempt: number, now: number): number => {
  const asked = /^\d+$/.test(wanted ?? '') ? Number(wanted) * second : Date.parse(wanted ?? '') - now;
  return Math.max(0, Number.isNaN(asked) ? second * 2 ** attempt : asked);
};

/**
 * The bytes that an endpoint answers to a request, asked again where that may help.
 *
 * Throws `input_unreadable` beyond 1 MiB, and an error with the host and the status, or the code of what failed, for whatever
 * is no success; a redirect is one of those.
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
    if (attempt === retries || delay > longest || !isRetryable(status))
      throw new Error(`${name} answered ${status}${await codeIn(response, headers)}`);
    await response.body?.cancel();
    await pause(clock, delay, signal);
  }
};
