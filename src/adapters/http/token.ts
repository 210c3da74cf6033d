import { definitionError } from '../../base/boundary/definition-error.ts';
import { isSameSecret } from '../../base/boundary/secret.ts';

/** The form of a bearer token (RFC 6750 2.1), with a minimum length against guessing. */
const tokenForm = /^(?=.{16})[A-Za-z0-9._~+/-]+=*$/;

/** The challenge for a bearer token. */
export const challenge = { 'www-authenticate': 'Bearer' } as const;

/**
 * Returns a function that checks the token of a request, if one is set. Throws `definition_invalid` for a
 * weak one.
 */
export const bearerOf = (token: unknown): ((request: Request) => boolean) => {
  if (token === undefined) return () => true;
  if (typeof token !== 'string' || !tokenForm.test(token)) {
    const message =
      'expected 16 or more letters, digits and -._~+/; omit the token if your host authenticates';
    throw definitionError('wire', [{ path: '/token', message }]);
  }
  return ({ headers }) => isSameSecret(headers.get('authorization') ?? '', `Bearer ${token}`);
};
