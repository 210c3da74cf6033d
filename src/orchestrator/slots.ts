/** Lets at most so many run at once; the others wait in order. */
export const createSlots = (most: number) => {
  let free = most;
  const waiting: (() => void)[] = [];
  const taken = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await taken();
    try {
      return await work();
    } finally {
      release();
    }
  };
};

export type Slots = ReturnType<typeof createSlots>;
