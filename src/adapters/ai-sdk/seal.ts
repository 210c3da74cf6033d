import { modelMessageSchema, type ModelMessage } from 'ai';
import * as z from 'zod';
import { parseDocument } from '../../boundary/parse-document.ts';
import { checkTask, seal, unseal, type SealKey, type SealKind } from '../../boundary/seal.ts';

export { checkKey, type SealKey } from '../../boundary/seal.ts';

const kind: SealKind = {
  document: 'kept',
  type: 'kept-messages+jws',
  accepted: '`kept` of the last stop, unchanged, with the key that sealed it',
};

/** What is kept of an agent that stopped. */
export interface KeptMessages {
  readonly taskId: string;
  /** The whole conversation, with what waits at its end. */
  readonly messages: readonly ModelMessage[];
}

const Kept = z.strictObject({ taskId: z.string(), messages: z.array(modelMessageSchema) });

/** Bytes of a file stand in JSON as base64, which the SDK reads as well. */
function inJson(this: unknown, key: string, value: unknown): unknown {
  const held: unknown = (this as Readonly<Record<string, unknown>>)[key]; // a Buffer has turned itself into JSON already
  if (held instanceof ArrayBuffer) return Buffer.from(held).toString('base64');
  if (held instanceof Uint8Array)
    return Buffer.from(held.buffer, held.byteOffset, held.byteLength).toString('base64');
  return value;
}

/** Seals messages for their task: a compact JWS, which anyone can read (RFC 7515). Throws `definition_invalid` for a weak key. */
export const sealMessages = (kept: KeptMessages, key: SealKey): Promise<string> =>
  seal(kind, JSON.stringify(kept, inJson), key);

/**
 * Reads messages that were sealed under this key for this task.
 *
 * Throws `input_unreadable` for what was not sealed so, or was changed since, and `definition_invalid` for a weak key.
 */
export const unsealMessages = async (
  text: string,
  key: SealKey,
  taskId: string,
): Promise<readonly ModelMessage[]> => {
  const kept = parseDocument(kind.document, Kept, await unseal(kind, text, key));
  checkTask(kind, kept.taskId, taskId);
  return kept.messages;
};
