import { createRequire } from 'node:module';
import type { JsonObject } from '../../../schema/formats.ts';
import {
  createBoundedWorker,
  WorkerBroke,
  WorkerOverrun,
  type BoundedWorker,
} from '../../base/boundary/bounded-worker.ts';
import type { Allowance } from '../../base/boundary/budget.ts';
import { oneLine } from '../../base/text/foreign-text.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { withinTime } from '../../base/boundary/within-time.ts';
import { causeOf, CharterError, isCharterError } from '../../base/errors.ts';
import type { StandardSchema } from '../../base/ports/schema.ts';
import { synchronous, notCompiled } from './asynchronous.ts';
import { schemaProgram } from './schema-program.ts';

type Checked = { readonly valid: true } | { readonly valid: false; readonly errorMessage: string };

/** A JSON Schema validator as in both MCP SDKs (`jsonSchemaValidator`): theirs or yours. */
export interface JsonSchemaValidator {
  getValidator(schema: JsonObject): (input: unknown) => Checked;
}

/** Time limit of compiling or validating in this thread, in milliseconds. */
const timeLimit = 1_000;

const tooSlow = (): Error => new Error(`it takes longer than ${timeLimit} milliseconds`);

/**
 * Returns a validator with a time limit of one second, against catastrophic patterns and exponential
 * references.
 *
 * Bound tools do not need it: their schemas run in another thread. Pass it to a client as
 * `jsonSchemaValidator` if you call its `listTools` or `callTool` yourself. Throws at the time limit, and for
 * a schema with `$async`.
 */
export const boundedValidator = <Validator extends JsonSchemaValidator>(
  validator: Validator,
): Pick<Validator, 'getValidator'> => ({
  getValidator: (schema: JsonObject) => {
    const obstacle = notCompiled(schema);
    if (obstacle !== null) throw new Error(`a schema cannot be used: ${obstacle}`);
    const check = synchronous(withinTime(timeLimit, () => validator.getValidator(schema), tooSlow));
    return (input: unknown) => synchronous(withinTime(timeLimit, () => check(input), tooSlow));
  },
});

const packages = ['@modelcontextprotocol/client/validators/ajv', '@modelcontextprotocol/sdk/validation/ajv'];

/** Returns the path of the installed SDK's validator. Throws `definition_invalid` if none is installed. */
export const installedValidator = (): string => {
  const require = createRequire(import.meta.url);
  const causes: unknown[] = [];
  for (const name of packages)
    try {
      return require.resolve(name);
    } catch (cause) {
      causes.push(cause);
    }
  const message = 'expected a validator, or one of: npm install @modelcontextprotocol/client';
  const issues = [{ path: '/validator', message }];
  throw new CharterError(
    'definition_invalid',
    message,
    { definition: 'mcpTools', issues },
    { cause: causes[0] },
  );
};

/** A schema of a server. */
export interface ForeignSchema {
  /** Returns a key that changes with the schema. */
  readonly key: () => string;
  /** Its name in errors: `tool "post.send": its inputSchema`. */
  readonly name: string;
  readonly schema: JsonObject;
}

/**
 * Validates values against the schemas of one server, within its time budget.
 *
 * Rejects with `budget_exceeded` after that, and with `definition_invalid` for an unusable schema.
 */
export type SchemaCheck = (schema: ForeignSchema, value: unknown) => Promise<Checked>;

const unusable = (name: string, why: string, cause?: unknown): CharterError<'definition_invalid'> => {
  const message = `${name} cannot be used: ${oneLine(why)}`;
  const issues = [{ path: '', message: 'expected a JSON Schema' }];
  return new CharterError('definition_invalid', message, { definition: 'tool', issues }, { cause });
};

const textOf = (value: unknown): string | null => {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (cause) {
    if (cause instanceof RangeError) return null; // the call stack of the serializer
    throw cause;
  }
};

/** Throws `definition_invalid` for a schema that must not be compiled. */
const checkCompiled = (schema: JsonObject, name: string): void => {
  const obstacle = notCompiled(schema);
  if (obstacle !== null) throw unusable(name, obstacle);
};

/** The shared thread for the schemas of all servers. */
let thread: BoundedWorker | undefined;

const readAnswer = (answer: unknown, name: string): Checked => {
  if (!isObject(answer)) throw unusable(name, 'its thread returned no answer');
  if ('unusable' in answer) throw unusable(name, String(answer['unusable']));
  return answer['valid'] === true
    ? { valid: true }
    : { valid: false, errorMessage: oneLine(String(answer['errorMessage'])) };
};

/** Returns a check that runs the SDK's validator in the shared thread. */
const checkElsewhere =
  (allowance: Allowance, file: string): SchemaCheck =>
  async ({ key, name, schema }, value) => {
    checkCompiled(schema, name);
    const text = textOf(value);
    if (text === null) return { valid: false, errorMessage: 'it is nested too deeply' };
    thread ??= createBoundedWorker(schemaProgram, file);
    try {
      const message = { key: key(), schema: JSON.stringify(schema), value: text };
      const { answer, took } = await thread.run(message, allowance.schemaTimeLeft);
      allowance.spendSchemaTime(took);
      return readAnswer(answer, name);
    } catch (cause) {
      if (cause instanceof WorkerBroke) throw unusable(name, causeOf(cause), cause);
      if (!(cause instanceof WorkerOverrun)) throw cause;
      allowance.spendSchemaTime(cause.milliseconds);
      throw allowance.exceeded('schemaTime', null, cause);
    }
  };

/** Returns a check that runs your validator in this thread, because functions cannot be moved to another. */
const checkHere = (allowance: Allowance, validator: JsonSchemaValidator): SchemaCheck => {
  const compiled = new Map<string, (input: unknown) => Checked>();
  const checkOf = ({ key, schema }: ForeignSchema) => {
    const check = compiled.get(key()) ?? synchronous(validator.getValidator(schema));
    compiled.set(key(), check);
    return check;
  };
  return async (schema, value) => {
    checkCompiled(schema.schema, schema.name);
    const timeLeft = allowance.schemaTimeLeft();
    const from = performance.now();
    try {
      return withinTime(
        timeLeft,
        () => synchronous(checkOf(schema)(value)),
        (cause) => allowance.exceeded('schemaTime', null, cause),
      );
    } catch (cause) {
      throw isCharterError(cause) ? cause : unusable(schema.name, causeOf(cause), cause);
    } finally {
      allowance.spendSchemaTime(performance.now() - from);
    }
  };
};

/** Returns the check for a server: in the shared thread, unless you provide a validator. */
export const schemaCheckOf = (allowance: Allowance, validator?: JsonSchemaValidator): SchemaCheck =>
  validator === undefined ? checkElsewhere(allowance, installedValidator()) : checkHere(allowance, validator);

/** A schema that provides its JSON Schema for the model (Standard JSON Schema 1). */
interface PrintedSchema extends StandardSchema<JsonObject> {
  readonly '~standard': StandardSchema<JsonObject>['~standard'] & {
    readonly jsonSchema: { readonly input: () => JsonObject; readonly output: () => JsonObject };
  };
}

/**
 * Returns a server's JSON Schema as a tool's `input`. It is compiled at first use, and printed with `properties`, without
 * which OpenAI accepts no tool.
 */
export const argumentsOf = (schema: ForeignSchema, check: SchemaCheck): PrintedSchema => {
  const shown = Object.freeze({ ...schema.schema, properties: schema.schema['properties'] ?? {} });
  return Object.freeze({
    '~standard': Object.freeze<PrintedSchema['~standard']>({
      version: 1,
      vendor: 'mcp',
      validate: async (value) => {
        const checked = await check(schema, value);
        return checked.valid
          ? { value: value as JsonObject } // MCP requires an object
          : { issues: [{ message: oneLine(checked.errorMessage) }] };
      },
      jsonSchema: Object.freeze({ input: () => shown, output: () => schema.schema }),
    }),
  });
};
