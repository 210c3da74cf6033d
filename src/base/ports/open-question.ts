import type { Question } from '../../../machines/index.ts';
import type { FeedbackType } from '../../../schema/index.ts';
import type { ApprovalClaims } from './approvals.ts';

/** An open question, as a person sees it. */
export interface OpenQuestion {
  readonly id: string;
  readonly kind: Question['kind'] | 'followup';
  /** The id of the call or the digest that the question is about. */
  readonly about: string;
  /** What the call does, in a sentence; on questions of approval and doubt only. */
  readonly summary?: string;
  /** Why a person is asked, or what the tool of a call in doubt threw; on questions of approval and doubt only. */
  readonly reasons?: readonly string[];
  readonly accepts: readonly FeedbackType[];
  /** The effect of each answer, in words. */
  readonly consequences: Readonly<Partial<Record<FeedbackType, string>>>;
  /** When the question expires (RFC 3339); `null` for never. */
  readonly deadline: string | null;
  /** The answer that applies at the deadline; `null` if the task fails instead (QUESTION_EXPIRED). */
  readonly byDefault: unknown;
  /** The required claims of an approval; on a question of approval only. */
  readonly approval?: ApprovalClaims;
  /** Whether an answer needs a signed approval. */
  readonly needsToken?: boolean;
}
