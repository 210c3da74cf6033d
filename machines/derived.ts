import type { Context } from './context.ts';

/**
 * Returns a function that keeps its value for the context that it was asked about last.
 *
 * A context never changes, and the guards of one step ask about the same one. A map of every context costs more than it
 * saves: most are asked about for one step only.
 */
export const derived = <Value>(compute: (c: Context) => Value): ((c: Context) => Value) => {
  let last: { readonly of: Context; readonly value: Value } | undefined;
  return (c) => {
    if (last?.of !== c) last = { of: c, value: compute(c) };
    return last.value;
  };
};
