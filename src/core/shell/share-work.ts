/** Runs work once at a time for each key: who asks meanwhile gets the same result. */
export const shareWork = <Result>(
  inFlight: Map<string, Promise<Result>>,
  key: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  const known = inFlight.get(key);
  if (known !== undefined) return known;
  const made = work().finally(() => {
    if (inFlight.get(key) === made) inFlight.delete(key); // another may have taken its place
  });
  inFlight.set(key, made);
  return made;
};
