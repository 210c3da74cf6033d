import { Identifier } from '../../schema/index.ts';
import { CharterError } from '../errors.ts';
import type { Verifier } from '../ports/verifier.ts';

/** A mechanical verifier under a name that task classes require (UAICP 2, 5.2). */
export const defineVerifier = (verifier: Verifier): Verifier => {
  if (!Identifier.safeParse(verifier.id).success) {
    const issues = [{ path: '/id', message: 'expected 1 to 128 characters of printable ASCII' }];
    throw new CharterError(
      'definition_invalid',
      `verifier ${JSON.stringify(verifier.id)}: /id is not a name`,
      {
        definition: 'verifier',
        issues,
      },
    );
  }
  return Object.freeze({ id: verifier.id, verify: verifier.verify });
};
