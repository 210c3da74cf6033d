import { createRequire } from 'node:module';
import type MiniSearch from 'minisearch';
import { definitionError } from '../../boundary/definition-error.ts';
import type { CharterError } from '../../errors.ts';

const peer = 'minisearch';

const missing = (cause: unknown): CharterError<'definition_invalid'> =>
  definitionError('mediation', [{ path: '', message: `needs its index of words: npm install ${peer}` }], {
    cause,
  });

let loaded: typeof MiniSearch | undefined;

/** Loads the optional peer `minisearch` at first use. Throws `definition_invalid` if it is not installed. */
export function loadWordIndex(): typeof MiniSearch {
  try {
    // `require` is untyped
    loaded ??= createRequire(import.meta.url)(peer) as typeof MiniSearch;
    return loaded;
  } catch (cause) {
    throw missing(cause);
  }
}
