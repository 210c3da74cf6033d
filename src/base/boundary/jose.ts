import type * as Library from 'jose';

let loaded: typeof Library | undefined;

/** Returns the library of signatures, which is loaded at its first use. */
export const jose = async (): Promise<typeof Library> => (loaded ??= await import('jose'));
