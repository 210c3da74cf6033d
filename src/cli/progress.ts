import type { Output } from './printer.ts';
import { oneLine } from '../boundary/foreign-text.ts';

/** One line that says how far something is, on a terminal; nothing elsewhere. */
export interface Progress {
  readonly print: (text: string) => void;
  /** Takes the line away. */
  readonly end: () => void;
}

const cleared = '\r\u001b[2K';
/** Milliseconds between two lines: more often than that is read by nobody. */
const pace = 80;
const width = 78;

export const createProgress = (stream: Output, isShown: boolean): Progress => {
  if (!isShown) return { print: () => {}, end: () => {} };
  let printedAt = -pace;
  return {
    print: (text) => {
      const now = performance.now();
      if (now - printedAt < pace) return;
      printedAt = now;
      stream.write(`${cleared}${oneLine(text).slice(0, width)}`);
    },
    end: () => {
      if (printedAt >= 0) stream.write(cleared);
    },
  };
};

/** How much of a whole is done, as a bar. */
export const bar = (done: number, of: number, length = 20): string => {
  const full = of === 0 ? length : Math.round((length * done) / of);
  return `[${'#'.repeat(full)}${' '.repeat(length - full)}] ${done}/${of}`;
};
