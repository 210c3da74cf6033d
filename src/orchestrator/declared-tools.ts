import { didYouMean } from '../boundary/did-you-mean.ts';
import type { Issue } from '../errors.ts';

/** Returns the issues of declared tools that a task does not have, by their place in the list. */
export const unknownTools = (declared: readonly string[], allowed: readonly string[]): readonly Issue[] =>
  declared.flatMap((name, at) =>
    allowed.includes(name)
      ? []
      : {
          path: `/${at}`,
          message: `unknown tool ${JSON.stringify(name)}: expected one of ${allowed.join(', ')}${didYouMean(name, allowed)}`,
        },
  );
