import type { JsonObject } from '../../../schema/formats.ts';
import { withinTime } from '../../boundary/within-time.ts';
import { CharterError, causeOf } from '../../errors.ts';
import type { StandardSchema } from '../../ports/schema.ts';

type Checked = { readonly valid: true } | { readonly valid: false; readonly errorMessage: string };

/** A JSON Schema validator, as both MCP SDKs declare it (`jsonSchemaValidator`): theirs, or one of the host's. */
export interface JsonSchemaValidator {
  getValidator(schema: JsonObject): (input: unknown) => Checked;
}

/** Milliseconds that a schema is read, or held against a value. */
const patience = 1_000;

const tooSlow = (): Error => new Error(`it takes longer than ${patience} milliseconds`);

/**
 * A validator that gives up after a second: a server's patterns may go back for ever, and its references double.
 *
 * To be given to a client of a server that is not trusted as its `jsonSchemaValidator`, which checks results in this thread;
 * arguments are checked so in any case. What it gives up throws.
 */
export const boundedValidator = <Validator extends JsonSchemaValidator>(
  validator: Validator,
): Pick<Validator, 'getValidator'> => ({
  getValidator: (schema: JsonObject) => {
    const check = withinTime(patience, () => validator.getValidator(schema), tooSlow);
    return (input: unknown) => withinTime(patience, () => check(input), tooSlow);
  },
});

const missing = (cause: unknown): CharterError<'definition_invalid'> => {
  const message = 'expected a validator, or one of: npm install @modelcontextprotocol/client';
  const issues = [{ path: '/validator', message }];
  return new CharterError('definition_invalid', message, { definition: 'mcpTools', issues }, { cause });
};

/** The validator of whichever SDK is installed. Throws `definition_invalid` where none is. */
export const installedValidator = async (): Promise<JsonSchemaValidator> => {
  try {
    const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/client/validators/ajv').catch(
      () => import('@modelcontextprotocol/sdk/validation/ajv'),
    );
    return new AjvJsonSchemaValidator();
  } catch (cause) {
    throw missing(cause);
  }
};

/** A schema that prints itself as JSON Schema, for the model that is to fill it in (Standard JSON Schema 1). */
interface PrintedSchema extends StandardSchema<JsonObject> {
  readonly '~standard': StandardSchema<JsonObject>['~standard'] & {
    readonly jsonSchema: { readonly input: () => JsonObject; readonly output: () => JsonObject };
  };
}

/** A server's JSON Schema as a tool's `input`. Throws `definition_invalid` where the validator does not take it. */
export const argumentsOf = (
  schema: JsonObject,
  validator: JsonSchemaValidator,
  tool: string,
): PrintedSchema => {
  const checkOf = () => {
    try {
      return boundedValidator(validator).getValidator(schema);
    } catch (cause) {
      const message = `tool ${JSON.stringify(tool)}: its inputSchema cannot be used: ${causeOf(cause)}`;
      const issues = [{ path: '/inputSchema', message: 'expected a JSON Schema' }];
      throw new CharterError('definition_invalid', message, { definition: 'tool', issues }, { cause });
    }
  };
  const check = checkOf();
  return {
    '~standard': {
      version: 1,
      vendor: 'mcp',
      validate: (value) => {
        const checked = check(value);
        return checked.valid
          ? { value: value as JsonObject } // an inputSchema is of an object (MCP, Tool)
          : { issues: [{ message: checked.errorMessage }] };
      },
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
};
