/** Calls what must disturb nobody: what it throws or rejects with is told, and nothing is returned. */
export type Quietly = <Result>(work: () => Result) => Result | undefined;

export const quiet =
  (told: (error: unknown) => void): Quietly =>
  (work) => {
    try {
      const made = work();
      if (made instanceof Promise) made.catch(told);
      return made;
    } catch (error) {
      told(error);
      return undefined;
    }
  };

const attempt = <Result>(work: () => Result): (() => Result) => {
  try {
    const made = work();
    return () => made;
  } catch (error) {
    return () => {
      throw error;
    };
  }
};

/** Does work exactly once, inside `around` where that lets it; what `around` makes of it changes nothing. */
export const within = <Result>(
  quietly: Quietly,
  around: (work: () => void) => void,
  work: () => Result,
): Result => {
  let made: (() => Result) | undefined;
  quietly(() =>
    around(() => {
      made ??= attempt(work);
    }),
  );
  made ??= attempt(work);
  return made();
};
