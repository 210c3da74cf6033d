import { digest } from '../../base/canonical/digest.ts';
import { kept } from '../../base/canonical/kept.ts';
import type { Done } from '../../guard/outcome.ts';
import type { Run } from '../../guard/run.ts';
import { isNoted, shownResult } from '../../guard/tool-feedback.ts';

/** How many values wait at once: an agent in another process never asks for its own here. */
const mostValues = 64;

/** What tools returned in this process, by the id of the call, until a model is shown it. */
const values = new Map<string, unknown>();

/** Remembers what a tool returned, which the record has only as JSON. */
export const remember = (call: string, value: unknown): void => {
  values.set(call, value);
  if (values.size <= mostValues) return;
  const [oldest = call] = values.keys();
  values.delete(oldest);
};

/**
 * Returns the result of a call for the tool's own `toModelOutput`: what the tool returned, if it was called in this process
 * and that is what was recorded; otherwise the recorded JSON, or a result with a note.
 */
export const returnedBy = async (run: Run, outcome: Done): Promise<unknown> => {
  const shown = shownResult(outcome);
  const { evidence } = outcome;
  if (evidence === null || isNoted(shown) || values.size === 0) return shown;
  const { calls } = await run.progress();
  const call = calls.find((listing) => listing.evidence === evidence.evidence_id)?.id ?? '';
  if (!values.has(call)) return shown;
  const value = values.get(call);
  values.delete(call);
  return digest(kept(value, 'result').value) === evidence.hash ? value : shown; // another was redacted, or changed since
};
