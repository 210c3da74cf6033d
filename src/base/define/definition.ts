import * as z from 'zod';
import { isObject } from '../boundary/is-object.ts';
import { checkCode, issueInCode, type KeysAt } from '../boundary/issues-of.ts';
import { CharterError, type Issue } from '../errors.ts';
import type { StandardSchema } from '../ports/schema.ts';

const isFunction = (value: unknown): boolean => typeof value === 'function';

/** A function of the host; its signature is not checked. */
export const Callable = z.custom<unknown>(isFunction, 'must be a function');

const isStandardSchema = (value: unknown): boolean => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard: unknown = '~standard' in value ? value['~standard'] : undefined;
  return (
    typeof standard === 'object' &&
    standard !== null &&
    'validate' in standard &&
    isFunction(standard.validate)
  );
};

/** A schema of any library that implements Standard Schema. */
export const Schema = z.custom<StandardSchema>(
  isStandardSchema,
  'must be a Standard Schema, such as one of zod, valibot or arktype',
);

/** Milliseconds above 0; `Infinity` for no limit. */
export const Duration = z.custom<number>(
  (value) => typeof value === 'number' && value > 0,
  'must be a number of milliseconds above 0',
);

/** Throws `definition_invalid` with these issues, if there are any; `name` is `null` for a definition without one. */
export const refuseDefinition = (kind: string, name: unknown, issues: readonly Issue[]): void => {
  if (issues.length === 0) return;
  const title = typeof name === 'string' ? `${kind} ${JSON.stringify(name)}` : kind;
  const [first] = issues;
  const isWhole = issues.length === 1 && first?.path === '' && first.message.startsWith('must ');
  const message = `${title}${isWhole ? ' ' : ': '}${issues.map(issueInCode).join('; ')}`;
  throw new CharterError('definition_invalid', message, { definition: kind, issues });
};

/** Returns the possible schemas of a value: without `optional`, and each of a union. */
const alternativesOf = (schema: unknown): readonly unknown[] => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return alternativesOf(schema.unwrap());
  return schema instanceof z.ZodUnion ? schema.options.flatMap(alternativesOf) : [schema];
};

const memberOf = (schema: unknown, key: PropertyKey): readonly unknown[] => {
  if (schema instanceof z.ZodArray) return alternativesOf(schema.element);
  if (schema instanceof z.ZodRecord) return alternativesOf(schema.valueType);
  return schema instanceof z.ZodObject ? alternativesOf(schema.shape[String(key)]) : [];
};

const keysOf = (schema: unknown): readonly string[] => {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (!(schema instanceof z.ZodRecord) || !(schema.keyType instanceof z.ZodEnum)) return [];
  return schema.keyType.options.map(String);
};

/** Returns a function that returns the keys that a schema accepts at a path. */
export const keysIn =
  (schema: z.ZodType): KeysAt =>
  (path) =>
    path
      .reduce<readonly unknown[]>(
        (schemas, key) => schemas.flatMap((one) => memberOf(one, key)),
        alternativesOf(schema),
      )
      .flatMap(keysOf);

/** Throws `definition_invalid` for a definition that is no object. */
export const checkObject = (kind: string, value: unknown): void => {
  if (!isObject(value)) refuseDefinition(kind, null, [{ path: '', message: 'must be an object' }]);
};

/** Checks a definition against a closed schema, so that a misspelt key is found. Throws `definition_invalid`. */
export const checkDefinition = (kind: string, name: unknown, schema: z.ZodType, value: unknown): void => {
  const { issues = [] } = checkCode(schema, value, keysIn(schema));
  refuseDefinition(kind, name, issues);
};
