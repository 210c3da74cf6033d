/** Charters in which people, verifiers and models go back and forth. */
export const talks = {} as const;
