import { oneLine } from '../../base/text/foreign-text.ts';
import type { OriginsDocument } from '../../base/ports/origin.ts';

/** Returns why a call is held, a sentence for each argument. */
export const holdWords = (origins: OriginsDocument | undefined): readonly string[] => [
  ...new Set((origins?.holds ?? []).map(({ at, why }) => oneLine(at === '' ? `${why}.` : `${at}: ${why}.`))),
];
