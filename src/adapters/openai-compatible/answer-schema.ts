import * as z from 'zod';
import type { JsonObject } from '../../../schema/formats.ts';
import {
  AdoptionOutput,
  CallsOutput,
  CorrectionOutput,
  DraftOutput,
  PlanOutput,
} from '../../core/kernel/outputs.ts';
import type { ToolListing, Turn } from '../../base/ports/model.ts';
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
 * Returns the valid answers of a turn: calls with their tools' arguments, a draft with the payload's schema, and the
 * adoption of a review if there is one.
 */
const alternativesOf = (
  { asks, wants, tools, reviews }: Turn,
  payload: JsonObject | undefined,
): readonly JsonObject[] => {
  const calls = tools.length > 0 && {
    calls: { type: 'array', items: { anyOf: tools.map(callOf) } },
    declares: {
      type: 'array',
      description:
        'Tools that later calls may need. A person is asked about others, if the tools of the run are fixed.',
      items: { type: 'string', enum: tools.map(({ name }) => name) },
    },
  };
  const draft = printed(DraftOutput, { ...(payload && { payload }) });
  const drafts = calls ? [draft, printed(CallsOutput, calls)] : [draft];
  const own = wants === 'plan' ? [printed(PlanOutput, { ...calls })] : drafts;
  const adopts = { type: 'string', enum: reviews.map(({ message }) => message.messageId) };
  const outputs = reviews.length > 0 ? [...own, printed(AdoptionOutput, { adopts })] : own;
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
