// oxlint-disable-next-line no-restricted-imports -- where Ajv publishes its 2020-12 class
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../../../../schema/formats.ts';

type Validate = (value: unknown) => boolean;

export const validatorOf = (schema: JsonObject): Validate =>
  new Ajv2020({ strict: false, logger: false, ownProperties: true }).compile(schema);

/** A validator, or none where a definition refers to nothing but itself, so that Ajv's compiler has no end. */
export const validatorIfAny = (schema: JsonObject): Validate | undefined => {
  try {
    return validatorOf(schema);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** A verdict, or none where a schema refers to nothing but itself, so that a validator has no end, or where Ajv breaks on its own code. */
export const verdict = (validate: Validate, value: unknown): boolean | undefined => {
  try {
    return validate(value);
  } catch {
    return undefined;
  }
};
