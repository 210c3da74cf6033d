/** Charters in which effects meet what else may happen to them. */
export const effects = {} as const;
