import type { TextEdit } from '../../schema/index.ts';
import { inapplicable } from './inapplicable.ts';
import { described } from './place.ts';

/** An edit, and its place in the feedback. */
export interface PlacedEdit {
  readonly edit: TextEdit;
  readonly path: string;
}

/** A range of a text, in UTF-16 code units. */
interface Range {
  readonly offset: number;
  readonly length: number;
}

/** Whether a place in a text is between the two halves of one character. */
const splits = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff;

/** The text in which a range lies; throws `feedback_inapplicable` at `path` where it does not. */
export const textOf = (value: unknown, { offset, length }: Range, path: string): string => {
  if (typeof value !== 'string')
    throw inapplicable(path, `a range lies in a text, and this is ${described(value)}`);
  const end = offset + length;
  if (end > value.length)
    throw inapplicable(path, `it ends at ${end}, and the text has ${value.length} UTF-16 code units`);
  if (splits(value, offset) || splits(value, end)) throw inapplicable(path, 'it splits a surrogate pair');
  return value;
};

/**
 * A text after edits that all count from what was shown; what is put in at one offset stands in the order that it came in.
 *
 * Throws `feedback_inapplicable` for a range that is not in the text, or that two edits share.
 */
export const edited = (value: unknown, edits: readonly PlacedEdit[]): string => {
  const inOrder = edits.toSorted(
    ({ edit: one }, { edit: other }) => one.offset - other.offset || one.length - other.length,
  );
  let written = '';
  let at = 0;
  let text = '';
  for (const { edit, path } of inOrder) {
    text = textOf(value, edit, path);
    if (edit.offset < at)
      throw inapplicable(path, `it begins at ${edit.offset}, and the edit before it ends at ${at}`);
    written += text.slice(at, edit.offset) + edit.text;
    at = edit.offset + edit.length;
  }
  return written + text.slice(at);
};
