import * as z from 'zod';
import { FeedbackType, JsonObject, UpFeedback, Uuid } from '../../../../schema/index.ts';
import { parseDocument } from '../../../base/boundary/parse-document.ts';

/** The key of a signed approval in the `metadata` of an answer. */
export const approvalKey = 'agentcharter:approval';

/** An answer to one interrupt (AG-UI 1.0, `ResumeEntry`). */
export const ResumeEntry = z.looseObject({
  interruptId: Uuid,
  status: z.enum(['resolved', 'cancelled']),
  /** The feedback without its target, for `resolved` only. */
  payload: z.unknown().optional(),
  metadata: JsonObject.optional(),
});
export type ResumeEntry = z.infer<typeof ResumeEntry>;

/** The answers with which a run continues (AG-UI 1.0, `RunAgentInput`). Other members are ignored. */
export const RunInput = z.looseObject({
  threadId: Uuid,
  runId: z.string().min(1).max(128),
  resume: z
    .array(ResumeEntry)
    .max(256)
    .refine((entries) => new Set(entries.map(({ interruptId }) => interruptId)).size === entries.length, {
      message: 'expected one answer to an interrupt',
    })
    .optional(),
});

const Payload = z.strictObject({
  type: FeedbackType,
  content: z.unknown().optional(),
  metadata: JsonObject.optional(),
});

const Token = z.string().min(1).max(65_536).optional();

/** A person's answer, with its signed approval if any. */
export interface Resumed {
  readonly feedback: UpFeedback;
  readonly approval?: string;
}

const answerOf = ({ interruptId: target, status, payload, metadata }: ResumeEntry, at: number): Resumed => {
  const document = `/resume/${at}/payload`;
  // closing a question without an answer is not an approval
  const content = status === 'cancelled' ? { type: 'reject' } : parseDocument(document, Payload, payload);
  const approval = parseDocument(`/resume/${at}/metadata/${approvalKey}`, Token, metadata?.[approvalKey]);
  return {
    feedback: parseDocument(document, UpFeedback, { ...content, target }),
    ...(approval !== undefined && { approval }),
  };
};

/**
 * Returns the answers to interrupts as UpFormat feedback, in order: `cancelled` rejects. Throws
 * `document_invalid`.
 */
export const feedbackOf = (resume: readonly ResumeEntry[]): readonly Resumed[] => resume.map(answerOf);
