import { usage } from './stop.ts';

/** Returns the whole number of a flag. */
export const countOf = (flag: string, text: string, least = 0): number => {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count >= least) return count;
  throw usage(`--${flag}: expected a whole number of at least ${least}`);
};
