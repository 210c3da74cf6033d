import * as z from 'zod';
import { Identifier, JsonObject, UpContext, type UpThought } from '../../schema/index.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { digest } from '../canonical/digest.ts';
import type { OutputDocument } from '../ports/ledger.ts';

const thinking = {
  canProceed: z.boolean(),
  /** 0 to 1; a person is asked unless it is above the task class's threshold. `unstated` where nobody states it. */
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
  /** What the model calls it, as many programming interfaces have an identifier for each call. */
  ref: Identifier.optional(),
});
export type ProposedCallOutput = z.infer<typeof ProposedCallOutput>;

/**
 * A model's plan: calls, and how sure it is of them. Closed: there is no place in it for a state, a tier or an identity.
 *
 * With `missing` (field to description) and `canProceed: false` it says which information it lacks.
 */
export const PlanOutput = z.strictObject({
  ...thinking,
  calls: z.array(ProposedCallOutput),
  missing: z.record(z.string(), z.string()).optional(),
});
export type PlanOutput = z.infer<typeof PlanOutput>;

/** A model's draft of what is to be delivered. */
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
});
export type CallsOutput = z.infer<typeof CallsOutput>;

/** A model's choice after its output was sent back (UpFormat 2.3); `output` is read by the schema that refused before. */
export const CorrectionOutput = z.discriminatedUnion('choice', [
  z.strictObject({ choice: z.literal('fixed'), output: z.unknown(), explanation: z.string() }),
  z.strictObject({ choice: z.literal('needHuman'), explanation: z.string() }),
  z.strictObject({ choice: z.literal('beyondCapability'), explanation: z.string() }),
]);

export type CorrectionOutput = z.infer<typeof CorrectionOutput>;

/**
 * Returns an output as the ledger keeps it: the reasoning under UpFormat's own names. `raw` is the payload of a draft as
 * it was proposed, where the schema of its task class changed it.
 */
export const outputDocument = (
  output: PlanOutput | CallsOutput | DraftOutput,
  raw?: DraftOutput['payload'],
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
  });
};

/**
 * Returns the digest by which the chart names a plan or a draft: the digest of the whole document that its record keeps
 * under `output`, so that `documents.output` of that record is the same.
 */
export const digestOfOutput = (document: OutputDocument): string => digest(document, 'output');

/** Returns what people are shown and what is delivered of an output: all but the raw payload. */
export const shownOutput = ({ raw: _raw, ...shown }: OutputDocument): Omit<OutputDocument, 'raw'> => shown;

/** Returns a draft as it was proposed, or with what its schema read in place of the payload. */
export const proposedDraft = (
  { upThought, payload, raw, ...rest }: OutputDocument,
  as: 'raw' | 'read',
): DraftOutput =>
  DraftOutput.parse({
    confidence: 'unstated',
    ...upThought,
    ...rest,
    payload: as === 'raw' ? (raw ?? payload) : payload,
  });

/** Says which fields are wanted, in the place where UpFormat describes fields (UpFormat 3.1). */
export const contextOf = (missing: Readonly<Record<string, string>> | undefined): UpContext | undefined =>
  missing && {
    entity: 'Information that the request lacks',
    fields: { ...missing },
    constraints: { required: Object.keys(missing) },
  };
