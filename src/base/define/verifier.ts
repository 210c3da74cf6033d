import * as z from 'zod';
import { lazily } from '../boundary/lazily.ts';
import { Identifier } from '../../../schema/index.ts';
import type { Verifier } from '../ports/verifier.ts';
import { Callable, checkDefinition, checkObject, Duration } from './definition.ts';

const definitionSchema = lazily(() =>
  z.looseObject({
    id: Identifier,
    requires: z.array(z.string().min(1)).optional(),
    deadline: Duration.optional(),
    verify: Callable,
  }),
);

/** Defines a mechanical verifier under the name that task classes use (UAICP 2, 5.2). Throws `definition_invalid`. */
export const defineVerifier = (verifier: Verifier): Verifier => {
  checkObject('verifier', verifier);
  checkDefinition('verifier', verifier.id, definitionSchema(), verifier);
  const { id, requires, deadline, verify } = verifier;
  return Object.freeze({
    id,
    ...(requires !== undefined && { requires: Object.freeze([...requires]) }),
    ...(deadline !== undefined && { deadline }),
    verify,
  });
};
