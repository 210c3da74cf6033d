import * as z from 'zod';
import { Identifier } from '../../schema/index.ts';
import type { Verifier } from '../ports/verifier.ts';
import { Callable, checkDefinition } from './definition.ts';

const Definition = z.looseObject({ id: Identifier, verify: Callable });

/** A mechanical verifier under a name that task classes require (UAICP 2, 5.2). Throws `definition_invalid`. */
export const defineVerifier = (verifier: Verifier): Verifier => {
  checkDefinition('verifier', verifier.id, Definition, verifier);
  return Object.freeze({ id: verifier.id, verify: verifier.verify });
};
