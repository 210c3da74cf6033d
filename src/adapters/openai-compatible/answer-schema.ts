import * as z from 'zod';
import type { JsonObject } from '../../../schema/formats.ts';
import { CallsOutput, CorrectionOutput, DraftOutput, PlanOutput } from '../../orchestrator/outputs.ts';
import type { ToolListing, Turn } from '../../ports/model.ts';
import { shapeOf } from './shape.ts';

/** Returns an object schema as JSON Schema, with replaced properties. */
const printed = (schema: z.ZodObject, replaced: JsonObject = {}): JsonObject => {
  const json = z.toJSONSchema(schema, { io: 'input' });
  return { ...json, properties: { ...json.properties, ...replaced } };
};

const callOf = ({ name, input }: ToolListing): JsonObject => ({
  type: 'object',
  properties: {
    tool: { type: 'string', const: name },
    arguments: input ?? { type: 'object' },
    ref: { type: 'string' },
  },
  required: ['tool', 'arguments'],
  additionalProperties: false,
});

const [Fixed, ...choices] = CorrectionOutput.options;

/**
 * Returns the valid answers of a turn: calls with their tools' arguments, and a draft with the payload's
 * schema.
 */
const alternativesOf = (
  { asks, wants, tools }: Turn,
  payload: JsonObject | undefined,
): readonly JsonObject[] => {
  const calls = tools.length > 0 && { calls: { type: 'array', items: { anyOf: tools.map(callOf) } } };
  const draft = printed(DraftOutput, { ...(payload && { payload }) });
  const drafts = calls ? [draft, printed(CallsOutput, calls)] : [draft];
  const outputs = wants === 'plan' ? [printed(PlanOutput, { ...calls })] : drafts;
  if (asks !== 'correction') return outputs;
  return [printed(Fixed, { output: { anyOf: outputs } }), ...choices.map((choice) => printed(choice))];
};

/**
 * Returns the JSON Schema of an answer, as the member `answer` of an object, because many servers accept no
 * union at the root.
 *
 * It accepts all that the orchestrator accepts, which validates the answer with its own schemas.
 */
export const answerSchema = (turn: Turn, payload: JsonObject | undefined): JsonObject =>
  shapeOf({
    type: 'object',
    properties: { answer: { anyOf: alternativesOf(turn, payload) } },
    required: ['answer'],
    additionalProperties: false,
  });
