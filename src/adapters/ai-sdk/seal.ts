import { modelMessageSchema, type ModelMessage } from 'ai';
import * as z from 'zod';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { checkTask, seal, unseal, type SealKey, type SealKind } from '../../base/boundary/seal.ts';

export { checkKey, type SealKey } from '../../base/boundary/seal.ts';

const kind: SealKind = {
  document: 'kept',
  type: 'kept-messages+jws',
  accepted: '`kept` of the last stop, unchanged, with the key that sealed it',
};

/** The saved state of a stopped agent. */
export interface KeptMessages {
  readonly taskId: string;
  /** The whole conversation, including open calls. */
  readonly messages: readonly ModelMessage[];
}

const Kept = z.strictObject({ taskId: z.string(), messages: z.array(modelMessageSchema) });

/** Converts the bytes of a file to base64, which the SDK accepts too. */
function inJson(this: unknown, key: string, value: unknown): unknown {
  const held: unknown = (this as Readonly<Record<string, unknown>>)[key]; // a Buffer was already converted by its `toJSON`
  if (held instanceof ArrayBuffer) return Buffer.from(held).toString('base64');
  if (held instanceof Uint8Array)
    return Buffer.from(held.buffer, held.byteOffset, held.byteLength).toString('base64');
  return value;
}

/** Returns messages as JSON text; the bytes of files become base64. */
export const messagesText = (kept: Pick<KeptMessages, 'messages'>): string => JSON.stringify(kept, inJson);

/**
 * Seals messages for their task as a compact JWS, signed but readable (RFC 7515). Throws `definition_invalid`
 * for a weak key.
 */
export const sealMessages = (kept: KeptMessages, key: SealKey): Promise<string> =>
  seal(kind, messagesText(kept), key);

/**
 * Verifies and reads sealed messages of this task.
 *
 * Throws `input_unreadable` for an invalid or foreign seal, and `definition_invalid` for a weak key.
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
