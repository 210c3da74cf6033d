import { CharterError, type Issue } from '../../errors.ts';

/** What is wrong with an agent, a request or a response, as an error that names each place. */
export const refusalOf = (
  definition: string,
  issues: readonly Issue[],
  options?: ErrorOptions,
): CharterError<'definition_invalid'> => {
  const said = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new CharterError('definition_invalid', `${definition}: ${said}`, { definition, issues }, options);
};
