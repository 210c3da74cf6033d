import { KeyObject } from 'node:crypto';
import * as z from 'zod';
import { JsonObject } from '../../../schema/index.ts';
import { parseDocument } from '../../boundary/parse-document.ts';
import { weakSecret } from '../../boundary/secret.ts';
import { unreadable } from '../../canonical/unreadable.ts';
import type { Draft } from '../../guard/run.ts';

const document = 'kept run';
const type = 'kept-run+jws';
const leastBytes = 32;

/** What is kept of an agent that waits. */
export interface KeptRun {
  readonly taskId: string;
  /** The SDK's `RunState`, as it writes it. */
  readonly state: string;
  /** The answer that waits to be let out; `null` where calls wait. */
  readonly draft: Draft | null;
}

const Kept = z.strictObject({
  taskId: z.string(),
  state: z.string(),
  draft: JsonObject.nullable(),
});

/** Where a seal's key comes from: HS256 wants 32 bytes at least (RFC 7518 3.2). */
export type SealKey = Uint8Array | KeyObject;

const bytesOf = (key: unknown): number => {
  if (key instanceof Uint8Array) return key.byteLength;
  return key instanceof KeyObject ? (key.symmetricKeySize ?? 0) : 0;
};

/** Throws `definition_invalid` for a key that can be guessed, or that is none. */
export const checkKey = (key: SealKey): void => {
  if (bytesOf(key) < leastBytes)
    throw weakSecret('seal', '/key', `expected a secret of ${leastBytes} bytes or more`);
};

/** What an agent is kept as: a compact JWS, readable to whoever has it (RFC 7515). Throws `definition_invalid` for a weak key. */
export const sealRun = async (kept: KeptRun, key: SealKey): Promise<string> => {
  checkKey(key);
  const { CompactSign } = await import('jose');
  return new CompactSign(Buffer.from(JSON.stringify(kept)))
    .setProtectedHeader({ alg: 'HS256', typ: type })
    .sign(key);
};

const verified = async (text: string, key: SealKey): Promise<Uint8Array> => {
  const { compactVerify } = await import('jose');
  try {
    const { payload, protectedHeader } = await compactVerify(text, key, { algorithms: ['HS256'] });
    if (protectedHeader.typ === type) return payload;
  } catch {
    // the error could quote the key
  }
  throw unreadable(document, [], 'its seal does not hold', 'what was sealed under this key, unchanged');
};

/**
 * What was sealed, before the SDK reads any of it.
 *
 * Throws `input_unreadable` for what was not sealed under this key, was changed since, or belongs to another task, and
 * `definition_invalid` for a weak key.
 */
export const unsealRun = async (text: string, key: SealKey, taskId: string): Promise<KeptRun> => {
  checkKey(key);
  const bytes = await verified(text, key);
  const kept = parseDocument(document, Kept, JSON.parse(Buffer.from(bytes).toString('utf8'))); // sealed here
  if (kept.taskId !== taskId)
    throw unreadable(document, ['taskId'], 'it is of another task', 'that of this run');
  return kept as KeptRun; // the draft is as it was sealed, and the chart holds it against its schema
};
