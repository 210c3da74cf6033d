import { createRequire } from 'node:module';
import type MiniSearch from 'minisearch';
import { CharterError } from '../../errors.ts';

const peer = 'minisearch';

const missing = (cause: unknown): CharterError<'definition_invalid'> => {
  const message = `needs its index of words: npm install ${peer}`;
  const details = { definition: 'mediation', issues: [{ path: '', message }] };
  return new CharterError('definition_invalid', `mediation: ${message}`, details, { cause });
};

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
