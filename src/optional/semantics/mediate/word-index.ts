import { createRequire } from 'node:module';
import type MiniSearch from 'minisearch';
import { definitionError } from '../../../base/boundary/definition-error.ts';

const peer = 'minisearch';

let loaded: typeof MiniSearch | undefined;

/** Loads the optional peer `minisearch` at first use. Throws `definition_invalid` if it is not installed. */
export function loadWordIndex(): typeof MiniSearch {
  try {
    // `require` is untyped
    loaded ??= createRequire(import.meta.url)(peer) as typeof MiniSearch;
    return loaded;
  } catch (cause) {
    const message = `needs its index of words: npm install ${peer}`;
    throw definitionError('mediation', [{ path: '', message }], { cause });
  }
}
