import { frozenCopy } from './freeze.ts';
import { kept } from './kept.ts';

/** Returns data as JSON writes it, with U+FFFD in place of half a surrogate pair in its texts. */
export const wellFormed = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed() : member,
  );

/**
 * Returns a frozen copy of what a model or its framework wrote, as JSON writes it: without undefined members, a date as text,
 * and with U+FFFD in place of half a surrogate pair. Throws `input_unreadable` for what JSON cannot hold.
 */
export const frozenWords = (value: unknown, document: string): unknown => {
  try {
    return frozenCopy(value, document);
  } catch (error) {
    const { value: copy, lost } = kept(value, document);
    if (lost.length > 0) throw error;
    return copy;
  }
};
