import type { Output } from './printer.ts';
import { oneLine } from '../../base/text/foreign-text.ts';

/** A progress line on a terminal; a no-op elsewhere. */
export interface Progress {
  readonly print: (text: string) => void;
  /** Removes the line. */
  readonly end: () => void;
}

const cleared = '\r\u001b[2K';
/** Minimum milliseconds between two updates. */
const minInterval = 80;
const width = 78;

export const createProgress = (stream: Output, isShown: boolean): Progress => {
  if (!isShown) return { print: () => {}, end: () => {} };
  let printedAt = -minInterval;
  return {
    print: (text) => {
      const now = performance.now();
      if (now - printedAt < minInterval) return;
      printedAt = now;
      stream.write(`${cleared}${oneLine(text).slice(0, width)}`);
    },
    end: () => {
      if (printedAt >= 0) stream.write(cleared);
    },
  };
};

/** Returns a progress bar. */
export const bar = (done: number, of: number, length = 20): string => {
  const full = of === 0 ? length : Math.round((length * done) / of);
  return `[${'#'.repeat(full)}${' '.repeat(length - full)}] ${done}/${of}`;
};
