import { CharterError, type Issue } from '../errors.ts';

/** Returns `definition_invalid` with its issues in a sentence: what is defined, then each path and its message. */
export const definitionError = (
  definition: string,
  issues: readonly Issue[],
  options?: ErrorOptions,
): CharterError<'definition_invalid'> => {
  const words = issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
  return new CharterError('definition_invalid', `${definition}: ${words}`, { definition, issues }, options);
};
