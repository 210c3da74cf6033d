import * as z from 'zod';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { withinTime } from '../../../base/boundary/within-time.ts';
import { frozenCopy } from '../../../base/canonical/freeze.ts';
import { pointerTo } from '../../../base/canonical/unreadable.ts';
import { CharterError, causeOf, type Issue } from '../../../base/errors.ts';
import type { StandardSchema } from '../../../base/ports/schema.ts';
import { JsonObject } from '../../../../schema/formats.ts';
import type { UpContext } from '../../../../schema/upformat/up-context.ts';
import { schemaOf } from './schema-of.ts';

const Key = z.union([z.string(), z.number(), z.symbol()]);

/** Time limit of a validation in milliseconds, against catastrophic patterns. */
const timeLimit = 1_000;

const refused = (issues: readonly Issue[], options?: ErrorOptions): CharterError<'document_invalid'> => {
  const [first] = issues;
  const message = `result does not match the target: ${first?.path}: ${first?.message}`;
  return new CharterError('document_invalid', message, { document: 'result', issues }, options);
};

const tooSlow = (cause: unknown): CharterError<'document_invalid'> =>
  refused([{ path: '', message: 'its patterns take too long to read this' }], { cause });

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

const Answer = z.looseObject({
  issues: z
    .array(
      z.looseObject({
        message: z.string(),
        path: z.array(z.union([Key, z.looseObject({ key: Key }).transform(({ key }) => key)])).optional(),
      }),
    )
    .optional(),
});

const answerOf = (result: unknown, schema: StandardSchema): z.infer<typeof Answer> => {
  let answer: unknown;
  try {
    answer = schema['~standard'].validate(result);
  } catch (cause) {
    throw unusable(cause);
  }
  const read = Answer.safeParse(answer);
  if (read.success && !('then' in read.data)) return read.data;
  throw unusable(new TypeError('options.schema returned no synchronous result of a Standard Schema'));
};

function checkStandard(result: unknown, schema: StandardSchema): void {
  const { issues } = answerOf(result, schema);
  if (issues === undefined) return;
  const found = issues.map(({ path = [], message }) => ({ path: pointerTo(path), message }));
  throw refused(found.length > 0 ? found : [{ path: '', message: 'options.schema rejects it' }]);
}

/** Validates and freezes a result, with the given schema, else the JSON Schema of its context. */
export function checkTarget(
  value: unknown,
  target: UpContext,
  schema: StandardSchema | undefined,
): JsonObject {
  const frozen = frozenCopy(value, 'result');
  parseDocument('result', JsonObject, frozen);
  const result = frozen as JsonObject; // validated above
  if (schema === undefined) {
    const reader = readerOf(schemaOf(target));
    withinTime(timeLimit, () => parseDocument('result', reader, result), tooSlow);
  } else withinTime(timeLimit, () => checkStandard(result, schema), tooSlow);
  return result;
}
