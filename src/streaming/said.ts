import { readJson } from '../boundary/read-json.ts';
import { digest } from '../canonical/digest.ts';
import { walk } from '../canonical/walk.ts';

/** A draft, by the digest of the model's whole output. */
export interface SaidDraft {
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
    return null; // prose, and JSON that two readers would read differently, is no draft
  }
};

/**
 * Whether a draft says what a text says, so that what holds of the one holds of the other.
 *
 * The text is the JSON of the model's whole output or of its payload, or one of the strings in its payload.
 */
export const isSaidBy = (text: string, { digest: output, payload }: SaidDraft): boolean => {
  if (holds(payload, text)) return true;
  const read = digestOfJson(text);
  return read !== null && (read === output || read === digest(payload));
};
