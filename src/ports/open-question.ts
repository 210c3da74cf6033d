import type { Question } from '../../machines/index.ts';
import type { FeedbackType } from '../../schema/index.ts';
import type { ApprovalClaims } from './approvals.ts';

/** An open question as a person meets it. */
export interface OpenQuestion {
  readonly id: string;
  readonly kind: Question['kind'] | 'followup';
  /** The call, or the digest, that it is about. */
  readonly about: string;
  readonly accepts: readonly FeedbackType[];
  /** What each answer leads to, in words. */
  readonly consequences: Readonly<Partial<Record<FeedbackType, string>>>;
  /** When silence decides (RFC 3339); `null` where it never does. */
  readonly deadline: string | null;
  /** What is taken then; `null` where the task fails instead (QUESTION_EXPIRED). */
  readonly byDefault: unknown;
  /** What an approval of this action must say; on a question of approval only. */
  readonly approval?: ApprovalClaims;
  /** Whether a person's word alone does not approve it: a signed approval must come with it. */
  readonly needsToken?: boolean;
}
