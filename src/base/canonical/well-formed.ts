import { isCharterError } from '../errors.ts';
import { frozenCopy } from './freeze.ts';

/** Returns data as JSON writes it, with U+FFFD in place of half a surrogate pair in its texts. */
export const wellFormed = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed() : member,
  );

/**
 * Returns a frozen copy of data that a model wrote, whose tokens may end within a character: with U+FFFD in place of half a
 * surrogate pair. Throws `input_unreadable` for other data that is not plain JSON.
 */
export const frozenWords = (value: unknown, document: string): unknown => {
  try {
    return frozenCopy(value, document);
  } catch (error) {
    if (!isCharterError(error, 'input_unreadable') || !error.details.reason.includes('lone surrogate'))
      throw error;
    return frozenCopy(wellFormed(value), document);
  }
};
