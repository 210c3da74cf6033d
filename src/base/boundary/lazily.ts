/** Returns a function that makes a value at its first call, and returns the same value at each. */
export const lazily = <Value extends object>(make: () => Value): (() => Value) => {
  let made: Value | undefined;
  return () => (made ??= make());
};

/**
 * Returns a function that loads a module at its first call, and keeps it: an `import()` of a loaded module may take real time,
 * through hooks in another thread. What could not be loaded is loaded again at the next call.
 */
export const loadedOnce = <Module extends object>(load: () => Promise<Module>): (() => Promise<Module>) => {
  let loaded: Promise<Module> | undefined;
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
};
