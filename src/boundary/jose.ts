let loaded: typeof import('jose') | undefined;

/** Returns the library of signatures, which is loaded at its first use. */
export const jose = async (): Promise<typeof import('jose')> => (loaded ??= await import('jose'));
