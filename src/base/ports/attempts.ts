/**
 * How many holds of a task may lapse in a row without a record. Work that ends its process would otherwise end that of
 * every node in turn.
 */
export const attemptLimits = {
  /** From this number on, a task is left alone after each, and a node holds only one such task. */
  backOff: 3,
  /** From this number on, the host's code is not called: people or the gates decide. */
  most: 5,
} as const;

/** The attempts of a task whose host code an operator had skipped; each hold that lapses after that adds one. */
export const skippedAttempts = 1_000;

/** Milliseconds that a task is left alone at first; each further hold that lapses doubles them. */
export const firstBackOff = 60_000;
