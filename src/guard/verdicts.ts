import { reasonMeaning, ReasonCode } from '../../schema/index.ts';
import { deepFreeze } from '../base/canonical/deep-freeze.ts';
import { isHidden } from '../gates/origins/sources.ts';
import { byPersonKey } from '../core/kernel/failure-words.ts';
import type { Progress } from '../core/shell/progress.ts';
import type { CallListing } from '../base/ports/model.ts';
import type { GuardContext } from './guard-context.ts';
import type { CallOutcome, Clearance, Conclusion, Done, Ended, Repairing } from './outcome.ts';
import { refused, type Pending, type PendingCall, type PendingDraft } from './pending-proposals.ts';

const isDelivered = ({ outcome }: Progress): boolean => outcome === 'success';

export const ended = ({ state, reasons }: Progress): Ended => ({ status: 'ended', state, reasons });

const repairing = ({ attempt, unmet, answers }: Progress): Repairing => ({
  status: 'repairing',
  attempt,
  unmet,
  answers,
});

/** Returns whether a run takes no more proposals. */
export const isOver = (progress: Progress): boolean => progress.isSettled || isDelivered(progress);

/** Returns the progress of a run as its agent may see it: without the payload of hidden evidence. */
export const shownProgress = (progress: Progress): Progress => {
  if (!progress.evidence.some(isHidden)) return progress;
  const evidence = progress.evidence.map((one) => {
    const { payload: _hidden, ...shown } = one;
    return isHidden(one) ? shown : one;
  });
  return deepFreeze({ ...progress, evidence });
};

/** Returns the result of a call; of a hidden one, the reference by which the agent may pass it on. */
const done = (call: CallListing, { evidence, sources }: Progress): Done => {
  const { evidence: id, of, changedBy } = call;
  const found = evidence.find(({ evidence_id }) => evidence_id === id) ?? null;
  const isStatement = found?.[byPersonKey] === true; // a person stated that it happened, without its result
  const result = isStatement ? null : (found?.payload ?? null);
  const told = {
    ...(changedBy !== undefined && { changed: { by: changedBy, arguments: call.arguments } }),
    ...(of !== undefined && { isRepeated: true as const, of }),
  };
  if (found === null || !isHidden(found)) return { status: 'done', evidence: found, result, ...told };
  const alias = sources?.find((source) => source.evidence === id)?.alias ?? '';
  return { status: 'done', evidence: null, result: { $from: alias, pointer: '' }, ...told };
};

/** Returns the listing of the current call with this ref. */
export const listingOf = (ref: string, { calls }: Progress): CallListing | undefined =>
  calls.find((call) => call.ref === ref);

/** Returns whether a proposal belongs to an abandoned attempt. */
const isSuperseded = (
  { stage, attempt }: Pick<PendingCall, 'stage' | 'attempt'>,
  progress: Progress,
): boolean => stage === 'sent' && attempt < progress.attempt;

/** Returns whether a proposal is pending, so that its ref cannot be reused. */
export const isLive = (pending: Pending, progress: Progress): boolean => {
  if (pending.verdict !== null) return pending.verdict.code === 'HUMAN_REJECTED';
  const isListed = 'ref' in pending && listingOf(pending.ref, progress) !== undefined;
  return isListed || !isSuperseded(pending, progress);
};

/** Returns the outcome of a call; `undefined` while it is not known. */
export const callVerdict = (pending: PendingCall, progress: Progress): Clearance | undefined => {
  if (pending.verdict !== null) return pending.verdict;
  const listing = listingOf(pending.ref, progress);
  // a failing run undoes what was done
  if (listing?.status === 'succeeded' && progress.reasons.length === 0) return done(listing, progress);
  if (isOver(progress)) return ended(progress);
  const isRefused = listing?.status === 'refused';
  if (isRefused || (listing?.status === 'failed' && progress.reasons.length === 0)) {
    const code = ReasonCode.catch('HUMAN_REJECTED').parse(listing.code);
    return refused(code, [reasonMeaning[code], ...(listing.reasons ?? [])].join(' '));
  }
  if (listing === undefined) return isSuperseded(pending, progress) ? repairing(progress) : undefined;
  return listing.status === 'started' ? { status: 'cleared' } : undefined;
};

/** Returns an outcome that is final; `undefined` for a clearance. */
export const finalVerdict = (verdict: Clearance): CallOutcome | undefined =>
  verdict.status === 'cleared' ? undefined : verdict;

/** Returns the outcome of a call as `which` takes it; `soon` for one that it leaves out. */
export const resultIn = <Result extends Clearance>(
  pending: PendingCall,
  progress: Progress,
  which: (verdict: Clearance) => Result | undefined,
): Result | 'soon' | undefined => {
  const verdict = callVerdict(pending, progress);
  return verdict === undefined ? undefined : (which(verdict) ?? 'soon');
};

/** Returns the outcome of an answer; `undefined` while it is not known. */
export const draftVerdict = (pending: PendingDraft, progress: Progress): Conclusion | undefined => {
  if (pending.verdict !== null) return pending.verdict;
  if (isDelivered(progress)) return { status: 'delivered', payload: progress.draft ?? {} };
  if (progress.isSettled) return ended(progress);
  return isSuperseded(pending, progress) ? repairing(progress) : undefined;
};

/**
 * Returns whether a call that nobody is asked about may be made soon beside a question: one is being made, or is made next; or
 * this one moved on since its progress was read.
 */
export const isMovingOn = async (
  pending: Pending,
  progress: Progress,
  { view, callers: { isAwaited } }: Pick<GuardContext, 'view' | 'callers'>,
): Promise<boolean> => {
  if (!('ref' in pending)) return false;
  const was = listingOf(pending.ref, progress)?.status;
  if (was !== 'allowed' && was !== 'proposed') return false;
  const { taskId } = progress;
  const { duties, context, projection } = await view(taskId);
  return (
    duties.some((duty) =>
      duty.kind === 'call'
        ? !isAwaited(taskId, projection.calls[duty.call])
        : duty.kind === 'observe' || duty.kind === 'decide' || duty.kind === 'verify',
    ) ||
    Object.entries(context.calls).some(
      ([id, { status }]) => projection.calls[id]?.ref === pending.ref && status !== was,
    )
  );
};

/** Returns whether the run waits for people or an external dependency. */
export const isWaiting = ({ state }: Progress): boolean =>
  state === 'needsHumanDecision' || state === 'waiting';
