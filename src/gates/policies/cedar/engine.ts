import { createRequire } from 'node:module';
import type * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { definitionError } from '../../../base/boundary/definition-error.ts';
import type { CharterError, Issue } from '../../../base/errors.ts';

const peer = '@cedar-policy/cedar-wasm';

/** The engine, as typed by the peer dependency. */
export type Cedar = typeof cedar;

/** Returns the error for an invalid definition, with the location in it. */
export const refusal = (issues: readonly Issue[], options?: ErrorOptions): CharterError =>
  definitionError('cedar policy', issues, options);

/** Returns the error for an invalid definition, with the engine's message. */
export const refusalOf = (
  path: string,
  errors: readonly Pick<cedar.DetailedError, 'message' | 'help'>[],
): CharterError =>
  refusal(errors.map(({ message, help }) => ({ path, message: help ? `${message} (${help})` : message })));

/** Loads the engine synchronously at first use, so that an invalid definition is refused when it is created. */
export const loadCedar = (): Cedar => {
  try {
    // `require` is untyped: these are the peer's own types for this module
    return createRequire(import.meta.url)(`${peer}/nodejs`) as Cedar;
  } catch (cause) {
    throw refusal([{ path: '', message: `needs its engine: npm install ${peer}` }], { cause });
  }
};
