/** Returns an object without its members that are `undefined`, which would replace defaults; the same one if it has none. */
export const withoutUndefined = <Given extends object>(given: Given): Given =>
  Object.values(given).includes(undefined)
    ? (Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given) // its own members
    : given;
