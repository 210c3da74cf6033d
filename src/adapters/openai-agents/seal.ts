import * as z from 'zod';
import { JsonObject } from '../../../schema/index.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { checkTask, seal, unseal, type SealKey, type SealKind } from '../../base/boundary/seal.ts';
import type { Draft, Run } from '../../guard/run.ts';

export { checkKey, type SealKey } from '../../base/boundary/seal.ts';

const kind: SealKind = {
  document: 'kept run',
  type: 'kept-run+jws',
  accepted: 'what was sealed under this key, unchanged',
};

/** The saved state of a paused agent. */
export interface SavedRun {
  /** The SDK's serialized `RunState`. */
  readonly state: string;
  /** The answer that waits; `null` if calls wait. */
  readonly draft: Draft | null;
}

/** The saved state of a paused agent, and its task. */
export interface KeptRun extends SavedRun {
  readonly taskId: string;
}

const Saved = z.strictObject({ state: z.string(), draft: JsonObject.nullable() });
const Kept = Saved.extend({ taskId: z.string() });

/** Returns the state that was saved with the task; `undefined` for none. */
export const savedRun = async (run: Run): Promise<SavedRun | undefined> => {
  const state = await run.savedState();
  if (state === null) return undefined;
  return parseDocument('the saved state of the agent', Saved, state) as SavedRun; // the chart checks the draft
};

/**
 * Seals a paused agent as a compact JWS, signed but readable (RFC 7515). Throws `definition_invalid` for a
 * weak key.
 */
export const sealRun = (kept: KeptRun, key: SealKey): Promise<string> =>
  seal(kind, JSON.stringify(kept), key);

/**
 * Verifies and reads a sealed state, before the SDK parses it.
 *
 * Throws `input_unreadable` for an invalid seal or another task, and `definition_invalid` for a weak key.
 */
export const unsealRun = async (text: string, key: SealKey, taskId: string): Promise<KeptRun> => {
  const kept = parseDocument(kind.document, Kept, await unseal(kind, text, key));
  checkTask(kind, kept.taskId, taskId);
  return kept as KeptRun; // the seal protects the draft, and the chart checks it
};
