import { createRequire } from 'node:module';
import type { JsonObject } from '../../../schema/formats.ts';
import {
  createBoundedWorker,
  WorkerBroke,
  WorkerOverrun,
  type BoundedWorker,
} from '../../boundary/bounded-worker.ts';
import type { Allowance } from '../../boundary/budget.ts';
import { oneLine } from '../../boundary/foreign-text.ts';
import { isObject } from '../../boundary/is-object.ts';
import { withinTime } from '../../boundary/within-time.ts';
import { causeOf, CharterError, isCharterError } from '../../errors.ts';
import type { StandardSchema } from '../../ports/schema.ts';
import { atOnce, notCompiled } from './asynchronous.ts';
import { schemaProgram } from './schema-program.ts';

type Checked = { readonly valid: true } | { readonly valid: false; readonly errorMessage: string };

/** A JSON Schema validator, as both MCP SDKs declare it (`jsonSchemaValidator`): theirs, or one of the host's. */
export interface JsonSchemaValidator {
  getValidator(schema: JsonObject): (input: unknown) => Checked;
}

/** Milliseconds that a schema is read, or held against a value, in this thread. */
const patience = 1_000;

const tooSlow = (): Error => new Error(`it takes longer than ${patience} milliseconds`);

/**
 * A validator that gives up after a second: a server's patterns may go back for ever, and its references double.
 *
 * Bound tools do not need it: their schemas are checked on another thread. Give it to a client as its
 * `jsonSchemaValidator` if you also call `listTools` or `callTool` of that client yourself. What it gives up throws, and so
 * does a schema with `$async`: the SDK would take its promise for a yes.
 */
export const boundedValidator = <Validator extends JsonSchemaValidator>(
  validator: Validator,
): Pick<Validator, 'getValidator'> => ({
  getValidator: (schema: JsonObject) => {
    const obstacle = notCompiled(schema);
    if (obstacle !== null) throw new Error(`a schema cannot be used: ${obstacle}`);
    const check = atOnce(withinTime(patience, () => validator.getValidator(schema), tooSlow));
    return (input: unknown) => atOnce(withinTime(patience, () => check(input), tooSlow));
  },
});

const packages = ['@modelcontextprotocol/client/validators/ajv', '@modelcontextprotocol/sdk/validation/ajv'];

/** The file of the validator of the SDK that is installed. Throws `definition_invalid` if none is. */
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
  /** A name that changes whenever the schema does. */
  readonly key: () => string;
  /** Whose, and which of its schemas, for errors: `tool "post.send": its inputSchema`. */
  readonly name: string;
  readonly schema: JsonObject;
}

/**
 * Checks values against the schemas of one server, within what it may spend on them.
 *
 * Rejects with `budget_exceeded` once the time is spent, and with `definition_invalid` for a schema that cannot be used.
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
    if (cause instanceof RangeError) return null; // the call stack of the writer
    throw cause;
  }
};

/** Throws `definition_invalid` for a schema that no validator may have. */
const checkCompiled = (schema: JsonObject, name: string): void => {
  const obstacle = notCompiled(schema);
  if (obstacle !== null) throw unusable(name, obstacle);
};

/** One thread for the schemas of all servers. */
let thread: BoundedWorker | undefined;

const readAnswer = (answer: unknown, name: string): Checked => {
  if (!isObject(answer)) throw unusable(name, 'its thread answered nothing');
  if ('unusable' in answer) throw unusable(name, String(answer['unusable']));
  return answer['valid'] === true
    ? { valid: true }
    : { valid: false, errorMessage: oneLine(String(answer['errorMessage'])) };
};

/** Compiles and checks on the thread for foreign schemas, with the SDK's own validator. */
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

/** Checks in this thread, with a validator of the host's: its code cannot be moved to another. */
const checkHere = (allowance: Allowance, validator: JsonSchemaValidator): SchemaCheck => {
  const compiled = new Map<string, (input: unknown) => Checked>();
  const checkOf = ({ key, schema }: ForeignSchema) => {
    const check = compiled.get(key()) ?? atOnce(validator.getValidator(schema));
    compiled.set(key(), check);
    return check;
  };
  return async (schema, value) => {
    checkCompiled(schema.schema, schema.name);
    const left = allowance.schemaTimeLeft();
    const from = performance.now();
    try {
      return withinTime(
        left,
        () => atOnce(checkOf(schema)(value)),
        (cause) => allowance.exceeded('schemaTime', null, cause),
      );
    } catch (cause) {
      throw isCharterError(cause) ? cause : unusable(schema.name, causeOf(cause), cause);
    } finally {
      allowance.spendSchemaTime(performance.now() - from);
    }
  };
};

/** Checks against the schemas of one server: on a thread of their own, unless the host has a validator. */
export const schemaCheckOf = (allowance: Allowance, validator?: JsonSchemaValidator): SchemaCheck =>
  validator === undefined ? checkElsewhere(allowance, installedValidator()) : checkHere(allowance, validator);

/** A schema that prints itself as JSON Schema, for the model that is to fill it in (Standard JSON Schema 1). */
interface PrintedSchema extends StandardSchema<JsonObject> {
  readonly '~standard': StandardSchema<JsonObject>['~standard'] & {
    readonly jsonSchema: { readonly input: () => JsonObject; readonly output: () => JsonObject };
  };
}

/** A server's JSON Schema as a tool's `input`: it is compiled when arguments are first read. */
export const argumentsOf = (schema: ForeignSchema, check: SchemaCheck): PrintedSchema =>
  Object.freeze({
    '~standard': Object.freeze<PrintedSchema['~standard']>({
      version: 1,
      vendor: 'mcp',
      validate: async (value) => {
        const checked = await check(schema, value);
        return checked.valid
          ? { value: value as JsonObject } // an inputSchema is of an object (MCP, Tool)
          : { issues: [{ message: oneLine(checked.errorMessage) }] };
      },
      jsonSchema: Object.freeze({ input: () => schema.schema, output: () => schema.schema }),
    }),
  });
