import * as z from 'zod';
import { JsonObject } from '../../../schema/index.ts';
import { parseDocument } from '../../boundary/parse-document.ts';
import { checkTask, seal, unseal, type SealKey, type SealKind } from '../../boundary/seal.ts';
import type { Draft } from '../../guard/run.ts';

export { checkKey, type SealKey } from '../../boundary/seal.ts';

const kind: SealKind = {
  document: 'kept run',
  type: 'kept-run+jws',
  accepted: 'what was sealed under this key, unchanged',
};

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

/** What an agent is kept as: a compact JWS, readable to whoever has it (RFC 7515). Throws `definition_invalid` for a weak key. */
export const sealRun = (kept: KeptRun, key: SealKey): Promise<string> =>
  seal(kind, JSON.stringify(kept), key);

/**
 * What was sealed, before the SDK reads any of it.
 *
 * Throws `input_unreadable` for what was not sealed under this key, was changed since, or belongs to another task, and
 * `definition_invalid` for a weak key.
 */
export const unsealRun = async (text: string, key: SealKey, taskId: string): Promise<KeptRun> => {
  const kept = parseDocument(kind.document, Kept, await unseal(kind, text, key));
  checkTask(kind, kept.taskId, taskId);
  return kept as KeptRun; // the draft is as it was sealed, and the chart holds it against its schema
};
