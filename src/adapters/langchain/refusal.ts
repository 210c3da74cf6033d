import { unreadable } from '../../canonical/unreadable.ts';
import { CharterError } from '../../errors.ts';

const refusals = new WeakSet<CharterError>();

const remembered = <Refusal extends CharterError>(refusal: Refusal): Refusal => {
  refusals.add(refusal);
  return refusal;
};

/** What a graph, an agent or a request does past its run. */
export const refusalOf = (
  definition: string,
  path: string,
  message: string,
): CharterError<'definition_invalid'> =>
  remembered(
    new CharterError('definition_invalid', `${definition}: ${path} ${message}`, {
      definition,
      issues: [{ path, message }],
    }),
  );

/** A checkpoint that this run may not go on from. */
export const checkpointRefused = (reason: string, expected: string): CharterError<'input_unreadable'> =>
  remembered(unreadable('checkpoint', [], reason, expected));

/** The refusal that an error of the framework carries, however often it was wrapped. */
export const refusalIn = (error: unknown): CharterError | null => {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    if (refusals.has(at as CharterError)) return at as CharterError; // it is one of them
    seen.add(at);
  }
  return null;
};
