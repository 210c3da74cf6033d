import type { TextEdit } from '../../../schema/index.ts';
import { inapplicable } from './inapplicable.ts';
import { described } from './place.ts';

/** An edit, and its location in the feedback. */
export interface PlacedEdit {
  readonly edit: TextEdit;
  readonly path: string;
}

/** A range of a text, in UTF-16 code units. */
interface Range {
  readonly offset: number;
  readonly length: number;
}

/** Returns whether an offset splits a surrogate pair. */
const splits = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff;

/** Returns the text if the range lies in it. Throws `feedback_inapplicable` at `path` if not. */
export const textOf = (value: unknown, { offset, length }: Range, path: string): string => {
  if (typeof value !== 'string')
    throw inapplicable(path, `a range needs a text, but this is ${described(value)}`);
  const end = offset + length;
  if (end > value.length)
    throw inapplicable(path, `it ends at ${end}, and the text has ${value.length} UTF-16 code units`);
  if (splits(value, offset) || splits(value, end)) throw inapplicable(path, 'it splits a surrogate pair');
  return value;
};

/**
 * Applies edits to a text; all offsets count in the original, and insertions at one offset keep their order.
 *
 * Throws `feedback_inapplicable` if a range is outside the text or overlaps another.
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
