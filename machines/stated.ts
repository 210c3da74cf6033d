/** Returns an object without its members that are `undefined`: they would replace defaults. */
export const stated = <Given extends object>(given: Given): Given =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given; // its own members
