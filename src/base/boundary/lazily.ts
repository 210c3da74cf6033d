/** Returns a function that makes a value at its first call, and returns the same value at each. */
export const lazily = <Value extends object>(make: () => Value): (() => Value) => {
  let made: Value | undefined;
  return () => (made ??= make());
};
