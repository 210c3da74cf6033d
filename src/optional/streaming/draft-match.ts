import { readJson } from '../../base/boundary/read-json.ts';
import { digest } from '../../base/canonical/digest.ts';
import { walk } from '../../base/canonical/walk.ts';

/** A draft and the digest of the model's whole output. */
export interface DigestedDraft {
  readonly digest: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const holds = (payload: unknown, text: string): boolean => {
  let isFound = false;
  const leaf = (value: unknown): void => {
    isFound ||= value === text;
  };
  walk('payload', payload, { leaf, enter: () => {}, leave: () => {} });
  return isFound;
};

const digestOfJson = (text: string): string | null => {
  try {
    return digest(readJson('stream', text));
  } catch {
    return null; // prose and ambiguous JSON are no draft
  }
};

/**
 * Returns whether a streamed text equals a draft, so that the verification of the draft covers the text.
 *
 * The text must be the JSON of the model's output, the JSON of its payload, or a string in its payload.
 */
export const matchesDraft = (text: string, { digest: output, payload }: DigestedDraft): boolean => {
  if (holds(payload, text)) return true;
  const read = digestOfJson(text);
  return read !== null && (read === output || read === digest(payload));
};
