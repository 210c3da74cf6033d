import type { StructuredToolInterface } from '@langchain/core/tools';
import { toJsonSchema, Validator } from '@langchain/core/utils/json_schema';
import { isObject } from '../../base/boundary/is-object.ts';
import { validated } from '../../base/define/validated.ts';
import { canonicalize } from '../../base/canonical/canonicalize.ts';
import type { StandardSchema } from '../../base/ports/schema.ts';

type Arguments = Record<string, unknown>;
type Validate = StandardSchema<Arguments>['~standard']['validate'];

/** A schema that provides its JSON Schema for the model (Standard JSON Schema 1). */
interface PrintedSchema extends StandardSchema<Arguments> {
  readonly '~standard': StandardSchema<Arguments>['~standard'] & {
    readonly jsonSchema: { readonly input: () => object; readonly output: () => object };
  };
}

const isStandardSchema = (schema: object): schema is StandardSchema => '~standard' in schema;

const textOf = (value: unknown): string | null => {
  try {
    return canonicalize(value);
  } catch {
    return null; // a date, for example, is not JSON
  }
};

/** Returns an object without its members that are `undefined`, as JSON has it. */
const withoutUndefined = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));

/** Returns whether a value can be the arguments of a call: a JSON object. A text or a date cannot. */
const areArguments = (value: unknown): value is Arguments => isObject(value) && textOf(value) !== null;

/** Validates input. What cannot be arguments afterwards is left as it was: LangChain alone reads it. */
const readBy = (schema: StandardSchema): Validate => {
  return async (value) => {
    const read = await validated(schema, value);
    if (read.issues !== undefined) return read;
    const made = isObject(read.value) ? withoutUndefined(read.value) : read.value;
    return { value: areArguments(made) ? made : (value as Arguments) }; // the model gave an object
  };
};

const checkedBy = (schema: object): Validate => {
  const validator = new Validator(structuredClone(schema)); // it mutates the schema
  return (value) => {
    const { valid, errors } = validator.validate(value);
    if (valid) return { value: value as Arguments }; // arguments are an object
    return {
      issues: errors.map(({ instanceLocation, error }) => ({ message: `${instanceLocation}: ${error}` })),
    };
  };
};

/** Returns the schema of a LangChain tool, zod or JSON Schema, as the input schema of a guarded tool. */
export const inputOf = ({ schema }: StructuredToolInterface): PrintedSchema => {
  const print = () => toJsonSchema(schema);
  return {
    '~standard': {
      version: 1,
      vendor: 'langchain',
      validate: isStandardSchema(schema) ? readBy(schema) : checkedBy(schema),
      jsonSchema: { input: print, output: print },
    },
  };
};

/**
 * Returns a tool that takes arguments as they are, if its schema would change them: LangChain reads them again, and a
 * tool would get other arguments than the policy and the approver saw.
 */
export const withoutRereading = async (
  tool: StructuredToolInterface,
  input: object,
): Promise<StructuredToolInterface> => {
  const { schema } = tool;
  if (!isStandardSchema(schema)) return tool;
  const read = await schema['~standard'].validate(input);
  const made = read.issues === undefined && isObject(read.value) ? withoutUndefined(read.value) : null;
  const isLeft = read.issues === undefined && !areArguments(made); // to LangChain
  const isSame = read.issues === undefined && textOf(read.value) === textOf(input);
  if (isLeft || isSame) return tool;
  return Object.create(tool, { schema: { value: {} } }) as StructuredToolInterface; // a JSON Schema that takes any
};
