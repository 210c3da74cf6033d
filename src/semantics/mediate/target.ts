import { createContext, runInContext } from 'node:vm';
import * as z from 'zod';
import { parseDocument } from '../../boundary/parse-document.ts';
import { pointerTo } from '../../canonical/unreadable.ts';
import { CharterError, causeOf, type Issue } from '../../errors.ts';
import type { StandardSchema } from '../../ports/schema.ts';
import { JsonObject } from '../../../schema/formats.ts';
import type { UpContext } from '../../../schema/upformat/up-context.ts';
import { schemaOf } from './schema-of.ts';

/** A pattern can be written so that it takes years: no result is read for longer than this, in milliseconds. */
const patience = 1_000;

/** The error belongs to the context in which time ran out, so that it is no `Error` here. */
const isTimeout = (cause: unknown): boolean =>
  typeof cause === 'object' &&
  cause !== null &&
  'code' in cause &&
  cause.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

const inTime = (work: () => void): void => {
  try {
    runInContext('work()', createContext({ work }), { timeout: patience });
  } catch (cause) {
    if (!isTimeout(cause)) throw cause;
    throw refused([{ path: '', message: 'its patterns take too long to read this' }], { cause });
  }
};

const refused = (issues: readonly Issue[], options?: ErrorOptions): CharterError<'document_invalid'> => {
  const [first] = issues;
  const message = `result is not what the target takes: ${first?.path}: ${first?.message}`;
  return new CharterError('document_invalid', message, { document: 'result', issues }, options);
};

const unusable = (cause: unknown): CharterError<'definition_invalid'> => {
  const issues = [{ path: '/schema', message: causeOf(cause) }];
  const message = `target cannot be checked: ${causeOf(cause)}; accepted: a JSON Schema that zod reads, or the schema itself as options.schema`;
  return new CharterError('definition_invalid', message, { definition: 'target', issues }, { cause });
};

const readerOf = (schema: JsonObject): z.ZodType => {
  try {
    return z.fromJSONSchema(schema);
  } catch (cause) {
    throw unusable(cause);
  }
};

function checkStandard(result: unknown, schema: StandardSchema): void {
  const answer = schema['~standard'].validate(result);
  if (answer instanceof Promise) throw unusable(new TypeError('options.schema answers later, not at once'));
  if (answer.issues === undefined) return;
  const issues = answer.issues.map(({ path = [], message }) => ({
    path: pointerTo(path.map((part) => (typeof part === 'object' ? part.key : part))),
    message,
  }));
  throw refused(issues);
}

/** A result as the target takes it: read by the schema that is given, else by the JSON Schema of its context. */
export function checkTarget(
  value: unknown,
  target: UpContext,
  schema: StandardSchema | undefined,
): JsonObject {
  const result = parseDocument('result', JsonObject, value);
  if (schema !== undefined) {
    inTime(() => checkStandard(result, schema));
    return result;
  }
  const reader = readerOf(schemaOf(target));
  inTime(() => void parseDocument('result', reader, result));
  return result;
}
