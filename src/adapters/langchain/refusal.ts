import { definitionError } from '../../base/boundary/definition-error.ts';
import { unreadable } from '../../base/canonical/unreadable.ts';
import type { CharterError } from '../../base/errors.ts';

const refusals = new WeakSet<CharterError>();

const remembered = <Refusal extends CharterError>(refusal: Refusal): Refusal => {
  refusals.add(refusal);
  return refusal;
};

/** Returns the error for a graph, agent or request that bypasses its run. */
export const refusalOf = (
  definition: string,
  path: string,
  message: string,
  options?: ErrorOptions,
): CharterError<'definition_invalid'> =>
  remembered(definitionError(definition, [{ path, message }], options));

/** Returns the error for a checkpoint that this run cannot use. */
export const checkpointRefused = (reason: string, expected: string): CharterError<'input_unreadable'> =>
  remembered(unreadable('checkpoint', [], reason, expected));

/** Returns our error in an error of the framework, which may wrap it several times. */
export const refusalIn = (error: unknown): CharterError | null => {
  const visited = new Set<unknown>();
  for (let at = error; at instanceof Error && !visited.has(at); at = at.cause) {
    if (refusals.has(at as CharterError)) return at as CharterError; // a member of `refusals`
    visited.add(at);
  }
  return null;
};
