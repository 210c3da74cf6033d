import { CharterError, type Issue } from '../../errors.ts';

/** Returns the issues of an agent, request or response as an error. */
export const refusalOf = (
  definition: string,
  issues: readonly Issue[],
  options?: ErrorOptions,
): CharterError<'definition_invalid'> => {
  const details = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new CharterError('definition_invalid', `${definition}: ${details}`, { definition, issues }, options);
};
