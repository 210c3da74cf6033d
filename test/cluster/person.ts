import { randomUUID } from 'node:crypto';
import type { InboxEntry } from 'agentcharter';
import { approvalSubject, signApproval, type ApprovalKeySet } from 'agentcharter/approvals';
import type { Feedback } from '../../src/base/feedback/feedback.ts';
import { generateJwks } from '../key-pair.ts';
import { parties } from './charter.ts';

/** Signs approvals with a key that outlives all nodes. */
export interface Desk {
  readonly keys: ApprovalKeySet;
  readonly sign: (entry: InboxEntry) => Promise<string>;
}

/** Creates a desk. */
export const openDesk = (): Desk => {
  const { secret, open } = generateJwks();
  const kid = 'desk-1';
  const key = { ...secret, kid };
  return {
    keys: { keys: [{ ...open, kid, subjects: ['dana'] }] },
    sign: (entry) => {
      const issuedAt = Date.now() - 5_000; // tokens have whole seconds
      const times = { issuedAt, expiresAt: issuedAt + 600_000 };
      const { claims } = approvalSubject(entry);
      return signApproval({ ...parties, ...times, claims, approver: 'dana', jti: randomUUID(), key });
    },
  };
};

/** An answer to a question, with the token that it needs. */
export interface Answer {
  readonly feedback: Feedback;
  readonly approval?: string;
}

/**
 * Answers a question as a person does who looks at the world: says of a write in doubt whether it happened, ends what has
 * reached a limit, and rejects what asks for help: a plan is made again while revisions last. Returns `null` for a question that is left to its deadline.
 */
export const answerTo = async (
  entry: InboxEntry,
  desk: Desk,
  hasHappened: (key: string) => boolean,
): Promise<Answer | null> => {
  const { question, message } = entry;
  const target = message.messageId;
  if (question.kind === 'approval') {
    const approval = question.needsToken === true ? { approval: await desk.sign(entry) } : {};
    return { feedback: { type: 'approve', target }, ...approval };
  }
  if (question.kind === 'limit' || question.kind === 'help') return { feedback: { type: 'reject', target } };
  if (question.kind !== 'doubt') return null;
  const { action } = message.payload as { readonly action?: { readonly digest: string } };
  const effect = hasHappened(action?.digest ?? '') ? 'done' : 'absent';
  return { feedback: { type: 'edit', target, content: { value: { effect } } } };
};
