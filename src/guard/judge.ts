import type { Issue } from '../base/errors.ts';
import type { Turn } from '../base/ports/model.ts';
import { issueText } from '../core/shell/read-output.ts';
import { refused, type PendingCall, type PendingDraft } from './pending-proposals.ts';

/** The answer to the last turn. */
export interface Sent {
  readonly calls: readonly PendingCall[];
  /** The number of repeated calls that precede the new ones. */
  readonly offset: number;
}

export const nothingSent: Sent = { calls: [], offset: 0 };

/** Why the chart rejected proposals; those of a turn that asks for a correction. */
type Rejection = Pick<Turn, 'wants'> & { readonly rejected: { readonly issues: readonly Issue[] } | null };

/** Returns the issues of one call. Their paths begin in the call, because an agent proposes no list of them. */
const issuesOfCall = (issues: readonly Issue[], at: number): readonly Issue[] => {
  const place = `/calls/${at}`;
  return issues.flatMap(({ path, message }) =>
    path.startsWith(`${place}/`) ? [{ path: path.slice(place.length), message }] : [],
  );
};

/**
 * Sets the verdict of each call that the chart rejected. Queues the other calls of that turn for another
 * turn.
 */
export const judge = (
  { rejected, wants }: Rejection,
  { calls, offset }: Sent,
  draft: PendingDraft | null,
): void => {
  const issues = (rejected?.issues ?? []).map((issue) => ({
    ...issue,
    path: issue.path.replace(/^\/output(?=\/)/, ''), // an unreadable output is reported at its root
  }));
  const own = calls.map((_, at) => issuesOfCall(issues, offset + at));
  const isOne = own.some((some) => some.length > 0);
  for (const [at, call] of calls.entries()) {
    const found = isOne ? (own[at] ?? []) : issues;
    if (isOne && found.length === 0) call.stage = 'queued';
    else call.verdict = refused('OUTPUT_INVALID', issueText(found), found);
  }
  if (calls.length === 0 && wants === 'draft' && draft?.stage === 'sent')
    draft.verdict = refused('OUTPUT_INVALID', issueText(issues), issues);
};
