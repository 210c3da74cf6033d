import { inspect } from 'node:util';
import { oneLine } from '../base/text/foreign-text.ts';

const most = 160;

/** Returns a text on one line, cut if it is long. */
export const shortText = (text: string, length = most): string => {
  const line = oneLine(text.replaceAll(/\s+/gu, ' ').trim());
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
};

/** Returns a value as one short line of JavaScript. */
export const valueText = (value: unknown): string =>
  shortText(inspect(value, { breakLength: Infinity, compact: true, depth: 3, maxArrayLength: 5 }));
