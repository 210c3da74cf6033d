import * as z from 'zod';
import { Identifier, JsonObject, UpContext, type UpThought } from '../../../schema/index.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { digest } from '../../base/canonical/digest.ts';
import type { AdoptedDocument, OutputDocument } from '../../base/ports/ledger.ts';

const thinking = {
  canProceed: z.boolean(),
  /** 0 to 1; a person is asked unless it exceeds the task class's threshold. `unstated` if the model gives none. */
  confidence: z.union([z.number().min(0).max(1), z.literal('unstated')]),
  explanation: z.string(),
  reasoning: z.array(z.string()).optional(),
  questions: z.array(z.string()).optional(),
  alternatives: z.array(z.unknown()).optional(),
  assumptions: z.array(z.string()).optional(),
};

const ProposedCallOutput = z.strictObject({
  tool: Identifier,
  arguments: JsonObject,
  /** The model's name for the call, like the call ids of many model APIs. */
  ref: Identifier.optional(),
  /** For a write that waits until the other writes of its step may be made, or are refused. By default it waits for its own approval only. */
  together: z.literal(true).optional(),
  /** For a write: the `ref`s of earlier calls that it comes after. It is refused if one of them was not made. */
  after: z.array(Identifier).min(1).max(100).optional(),
  /** For a call that the agent performs itself once it is cleared: it reports what came of it. Only for agents of a host. */
  performs: z.literal('caller').optional(),
});
export type ProposedCallOutput = z.infer<typeof ProposedCallOutput>;

/**
 * Tools that later calls of the run need, at most 100, beside those of `calls`. Under `mandate: 'plan'` they are within
 * the mandate if nothing untrusted was shown before.
 */
const declares = z.array(Identifier).max(100).optional();

/**
 * A model's plan: calls and a confidence. Closed: it cannot set a state, a tier or an identity.
 *
 * With `missing` (field to description) and `canProceed: false` it names missing information.
 */
export const PlanOutput = z.strictObject({
  ...thinking,
  calls: z.array(ProposedCallOutput),
  declares,
  missing: z.record(z.string(), z.string()).optional(),
});
export type PlanOutput = z.infer<typeof PlanOutput>;

/** A model's draft of the delivery. */
export const DraftOutput = z.strictObject({
  ...thinking,
  payload: JsonObject,
  upContext: UpContext.optional(),
});
export type DraftOutput = z.infer<typeof DraftOutput>;

/** Further calls instead of a draft. */
export const CallsOutput = z.strictObject({
  ...thinking,
  calls: z.array(ProposedCallOutput).min(1),
  declares,
});
export type CallsOutput = z.infer<typeof CallsOutput>;

/**
 * A model's adoption of another agent's review, in place of a plan, a draft or further calls. The engine takes the
 * calls or the payload from the review, and nothing else.
 */
export const AdoptionOutput = z.strictObject({
  ...thinking,
  /** The `messageId` of a review in `turn.reviews`: an edit or a ranking. */
  adopts: z.string(),
});
export type AdoptionOutput = z.infer<typeof AdoptionOutput>;

/**
 * A model's choice after its output was rejected (UpFormat 2.3). The schema that rejected the output reads `output`.
 */
export const CorrectionOutput = z.discriminatedUnion('choice', [
  z.strictObject({ choice: z.literal('fixed'), output: z.unknown(), explanation: z.string() }),
  z.strictObject({ choice: z.literal('needHuman'), explanation: z.string() }),
  z.strictObject({ choice: z.literal('beyondCapability'), explanation: z.string() }),
]);

export type CorrectionOutput = z.infer<typeof CorrectionOutput>;

/**
 * Returns an output for the ledger, with the reasoning under UpFormat's names. `raw` is the proposed payload of a
 * draft, if its schema changed it; `adopted` is the review that it was taken from.
 */
export const outputDocument = (
  output: PlanOutput | CallsOutput | DraftOutput,
  raw?: OutputDocument['payload'],
  adopted?: AdoptedDocument,
): OutputDocument => {
  const { canProceed, confidence, reasoning, questions, alternatives, assumptions } = output;
  const upThought: UpThought = {
    canProceed,
    ...(confidence !== 'unstated' && { confidence }),
    ...(reasoning && { reasoning }),
    ...(questions && { questions }),
    ...(alternatives && { alternatives: alternatives.map((one) => z.json().parse(one)) }),
    ...(assumptions && { assumptions }),
  };
  const upContext =
    'payload' in output ? output.upContext : 'missing' in output ? contextOf(output.missing) : undefined;
  return deepFreeze({
    payload: 'payload' in output ? output.payload : { calls: output.calls },
    ...(raw !== undefined && { raw }),
    explanation: output.explanation,
    upThought,
    ...(upContext && { upContext }),
    ...('declares' in output && output.declares && { declares: output.declares }),
    ...(adopted && { adopted }),
  });
};

/**
 * Returns the digest of a plan or a draft in the chart: that of the whole document, equal to `documents.output` of
 * its record.
 */
export const digestOfOutput = (document: OutputDocument): string => digest(document, 'output');

/** Returns the part of an output that people see and that is delivered. */
export const shownOutput = ({
  raw: _raw,
  mediation: _mediation,
  adopted: _adopted,
  declares: _declares,
  ...shown
}: OutputDocument): Omit<OutputDocument, 'raw' | 'mediation' | 'adopted' | 'declares'> => shown;

/** Returns a draft with its payload as proposed, or as its schema read it. */
export const proposedDraft = (
  { upThought, payload, raw, adopted: _adopted, ...rest }: OutputDocument,
  as: 'raw' | 'read',
): DraftOutput =>
  DraftOutput.parse({
    confidence: 'unstated',
    ...upThought,
    ...rest,
    payload: as === 'raw' ? (raw ?? payload) : payload,
  });

/** Describes the missing fields as an UpContext (UpFormat 3.1). */
export const contextOf = (missing: Readonly<Record<string, string>> | undefined): UpContext | undefined =>
  missing && {
    entity: 'Information that the request lacks',
    fields: { ...missing },
    constraints: { required: Object.keys(missing) },
  };
