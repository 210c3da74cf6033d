import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Returns the folder of this package's `package.json`. Modules are bundled, so their own place says nothing. */
export const packageRoot = (): URL =>
  new URL('.', pathToFileURL(createRequire(import.meta.url).resolve('agentcharter/package.json')));

/** Returns the folder of the build; `null` if this module runs from the sources of a checkout. */
export const buildRoot = (): URL | null => {
  const built = new URL('dist/', packageRoot());
  return import.meta.url.startsWith(built.href) ? built : null;
};
