import { createRequire } from 'node:module';
import type * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { CharterError, type Issue } from '../../errors.ts';

const peer = '@cedar-policy/cedar-wasm';

/** The engine as the peer dependency declares it. */
export type Cedar = typeof cedar;

/** The refusal of a definition, at the place in it that is wrong. */
export const refusal = (issues: readonly Issue[], options?: ErrorOptions): CharterError => {
  const detail = issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
  const details = { definition: 'cedar policy', issues };
  return new CharterError('definition_invalid', `cedar policy: ${detail}`, details, options);
};

/** The refusal of a definition in the engine's words. */
export const refusalOf = (
  path: string,
  errors: readonly Pick<cedar.DetailedError, 'message' | 'help'>[],
): CharterError =>
  refusal(errors.map(({ message, help }) => ({ path, message: help ? `${message} (${help})` : message })));

/** Loads the engine where it is first wanted, and at once, so that a definition is refused where it is made. */
export const loadCedar = (): Cedar => {
  try {
    // `require` gives no types: these are the peer's own for this very module
    return createRequire(import.meta.url)(`${peer}/nodejs`) as Cedar;
  } catch (cause) {
    throw refusal([{ path: '', message: `needs its engine: npm install ${peer}` }], { cause });
  }
};
