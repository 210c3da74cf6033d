import * as z from 'zod';
import { lazily } from '../boundary/lazily.ts';
import { Identifier } from '../../../schema/index.ts';
import type { ExtractionModel } from '../ports/extraction.ts';
import type { StandardSchema } from '../ports/schema.ts';
import type { Tool } from '../ports/tool.ts';
import { Callable, checkDefinition, checkObject, Duration, Schema } from './definition.ts';
import { jsonSchemaOf } from './json-schema-of.ts';
import { parseTool, type ToolBasics } from './tool.ts';

const definitionSchema = lazily(() =>
  z.strictObject({
    name: Identifier,
    version: Identifier.optional(),
    formerly: z.array(Identifier).optional(),
    description: z.string(),
    output: Schema,
    model: z.object({ extract: Callable }),
    deadline: Duration.optional(),
    isHidden: z.literal(true).optional(),
  }),
);

/** The input of an extraction. */
const Input = z.strictObject({ values: z.json(), instruction: z.string() });

/** An extraction as its author writes it. */
export interface ExtractionDefinition<Name extends string = string> extends Pick<
  ToolBasics<unknown, Name>,
  'name' | 'version' | 'formerly' | 'description' | 'deadline'
> {
  /** The schema of what the second model returns. An answer that it refuses counts as an error of the tool. */
  readonly output: StandardSchema;
  readonly model: ExtractionModel;
  /** The first model is not shown the answer either, and names it by reference. */
  readonly isHidden?: true;
}

const schemaOf = (output: StandardSchema): ReturnType<typeof jsonSchemaOf> | null => {
  try {
    return jsonSchemaOf(output);
  } catch {
    return null;
  }
};

/**
 * Defines a tool by which a second model reads values that the first one refers to (`{ values, instruction }`). Its
 * answer has the labels of all that it read, the instruction included.
 *
 * Throws `definition_invalid`.
 */
export const defineExtraction = <Name extends string>(
  definition: ExtractionDefinition<Name>,
): Tool<Name, z.infer<typeof Input>> => {
  checkObject('tool', definition);
  checkDefinition('tool', definition.name, definitionSchema(), definition);
  const { output, model, ...rest } = definition;
  const schema = schemaOf(output);
  return parseTool<z.infer<typeof Input>>({
    ...rest,
    tier: 'read_only',
    input: Input,
    output,
    labels: 'arguments',
    call: ({ values, instruction }, { signal }) => model.extract({ values, instruction, schema }, { signal }),
  }) as Tool<Name, z.infer<typeof Input>>; // `parseTool` keeps the name and the schema
};
