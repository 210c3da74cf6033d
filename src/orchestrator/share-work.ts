/** Runs work once at a time for each key: who asks meanwhile gets the same result. */
export const shareWork = <Result>(
  inFlight: Map<string, Promise<Result>>,
  key: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  const made = inFlight.get(key) ?? work().finally(() => inFlight.delete(key));
  inFlight.set(key, made);
  return made;
};
