import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import type { Issue } from '../../base/errors.ts';

/** Returns the issues of declared tools that a task does not have, by their place in the list. */
export const unknownTools = (declared: readonly string[], allowed: readonly string[]): readonly Issue[] =>
  declared.flatMap((name, at) => {
    if (allowed.includes(name)) return [];
    const among = allowed.length === 0 ? 'the task class has none' : `expected one of ${allowed.join(', ')}`;
    const message = `unknown tool ${JSON.stringify(name)}: ${among}${didYouMean(name, allowed)}`;
    return [{ path: `/${at}`, message }];
  });
