import type { ELK } from 'elkjs/lib/elk.bundled.js';
import { definitionError } from '../../base/boundary/definition-error.ts';
import type { CharterError } from '../../base/errors.ts';

/** Returns the error for a picture, at the path of the wrong option. */
export const refusal = (
  path: string,
  message: string,
  options?: ErrorOptions,
): CharterError<'definition_invalid'> => definitionError('picture', [{ path, message }], options);

/** Loads the layout engine. */
export const loadElk = async (): Promise<ELK> => {
  try {
    const { default: elk } = await import('elkjs/lib/elk.bundled.js');
    return new elk.default();
  } catch (cause) {
    throw refusal('', 'needs its layout engine: npm install elkjs', { cause });
  }
};

/** Loads the engine that rasterizes SVG without a browser. */
export const loadResvg = async () => {
  try {
    return (await import('@resvg/resvg-js')).Resvg;
  } catch (cause) {
    throw refusal('', 'needs its renderer: npm install @resvg/resvg-js', { cause });
  }
};
