import { nextAttempt } from './attempts.ts';
import { approvalsBeside, besides } from './beside.ts';
import { answerFromRecord, letIn } from './changes.ts';
import { evidenceAgainst } from './evidence.ts';
import {
  against,
  authorityMissing,
  broken,
  isAuthorized,
  isMendable,
  isPlanUnsure,
  isUnapproved,
  oldReads,
  readsHeld,
  readsOf,
  outputsOf,
  unsure,
} from './gates.ts';
import {
  hasFailedReport,
  isBroken,
  isFailing,
  isPartial,
  isWrite,
  verifiersOwed,
  type Call,
  type Known,
  type Output,
} from './known.ts';
import { askAt, countGatePause, isOver, isSpent, mayAsk, mayAskMore } from './limits.ts';
import { isWriteInFlight, rollbackOwed, unplannedWrites } from './rollbacks.ts';
import { closeIdleQuestions, dropReads, lapseWaiting, withdraw } from './upkeep.ts';
import type { Phase } from './vocabulary.ts';

/** What the run waits for when nothing more follows from what is known. */
export interface Rest {
  readonly at:
    | 'intake'
    | 'asking'
    | 'waiting'
    | 'proposing'
    | 'calling'
    | 'checking'
    | 'authorizing'
    | 'concluding'
    | 'verifying'
    | 'undoing'
    | 'offering'
    | 'offered'
    | 'over';
  readonly phase: Phase;
  /** The calls that come next: the gates before them are open. */
  readonly next: readonly string[];
  /** Those of them that may start now: a write as long as its clearance stands. */
  readonly mayStart: readonly string[];
}

/** Something was decided, so that what follows has to be looked at again. */
const undecided = null;

const rest = (at: Rest['at'], phase: Phase, calls: readonly Call[] = []): Rest => ({
  at,
  phase,
  next: calls.map(({ id }) => id),
  mayStart: calls.filter((call) => !isWrite(call) || call.cleared).map(({ id }) => id),
});

/** The run fails, for these reasons beside those that it has; a failing run asks no one (interpretation 0009). */
export const fail = (k: Known, codes: readonly string[]): void => {
  for (const code of codes) if (!k.reasons.includes(code)) k.reasons.push(code);
  k.nextCause = null;
  k.questions.clear();
};

/** What a gate asks at once, which counts once (interpretation 0016). */
const ask = (k: Known, kind: 'approval' | 'doubt', abouts: readonly string[]): typeof undecided => {
  countGatePause(k);
  k.wave = null;
  for (const call of k.calls) call.cleared = false;
  for (const about of abouts) k.questions.set(`${kind}:${about}`, { kind, about });
  return undecided;
};

/** A person is asked about every output that may not go on. */
const askOutputs = (k: Known): typeof undecided => {
  countGatePause(k);
  k.wave = null;
  for (const { kind, output } of outputsOf(k))
    if (output !== null && against(k, output).length > 0)
      k.questions.set(`${kind}:${output.digest}`, { kind, about: output.digest });
  return undecided;
};

/** Whether a gate has something to ask a person. */
const hasToAsk = (k: Known): boolean =>
  k.calls.some(({ status }) => status === 'doubt') ||
  unsure(k).length > 0 ||
  readsHeld(k).length > 0 ||
  k.calls.some(
    (call) => isWrite(call) && call.status === 'ready' && call.verdict !== null && !isAuthorized(k, call),
  );

/** A gate fails the run: where nobody can be asked any more, the limit says so first (decision 0081). */
const failFor = (k: Known, codes: readonly string[]): typeof undecided => {
  fail(
    k,
    k.taskClass.atLimit !== undefined && isOver(k, 'pauses') && hasToAsk(k)
      ? ['BUDGET_SPENT', ...codes]
      : codes,
  );
  return undecided;
};

/** Another attempt at the word of a gate, within its bound; else the run fails (UAICP 4.1). */
const repair = (k: Known, codes: readonly string[], mayMend: boolean): typeof undecided => {
  if (!mayMend || isSpent(k, 'repairs')) return failFor(k, codes);
  k.counters.repairs += 1;
  k.nextCause = 'repair';
  return undecided;
};

/** A failing run waits for its writes, rolls back what it did, and ends with its reasons (CHART 7). */
const failing = (k: Known): Rest | null => {
  if (k.calls.some(isWriteInFlight)) return rest('undoing', 'undoing');
  if (rollbackOwed(k) !== null || k.effects.some(({ status }) => status === 'undoing'))
    return rest('undoing', 'undoing');
  const doubts = k.calls.filter((call) => call.status === 'doubt' || isPartial(call));
  const stands = k.effects.filter(({ status }) => status === 'committed' || status === 'stuck');
  k.leaves = [...doubts.map(({ id }) => id), ...stands.map(({ digest }) => digest)];
  if (doubts.length > 0) fail(k, ['EFFECT_IN_DOUBT']);
  if (stands.length > 0) fail(k, ['ROLLBACK_REQUIRED']);
  k.outcome = k.cancelled ? 'cancelled' : 'failed';
  return rest('over', 'fail_safe');
};

/** Reads whose evidence grew too old are called again where a write is owed (interpretation 0008). */
const refresh = (k: Known): boolean => {
  const old = oldReads(k);
  if (old.length === 0 || isSpent(k, 'refreshes')) return false;
  k.counters.refreshes += 1;
  for (const call of old) Object.assign(call, { status: 'ready', evidence: null });
  return true;
};

const wave = (k: Known, at: NonNullable<Known['wave']>): Rest => {
  k.wave = at;
  return rest(at, 'execute');
};

const calling = (k: Known, reads: readonly Call[]): Rest => {
  k.wave = null;
  return rest('calling', 'execute', reads);
};

/** A wave that has begun, and has something left to do. */
const begun = (k: Known, writes: readonly Call[]): Rest | null => {
  const digests = writes.map(({ digest }) => digest);
  const isOwed = {
    checking: verifiersOwed(k, k.taskClass.beforeWrite, digests).length > 0,
    authorizing: writes.some(({ verdict }) => verdict === null),
    concluding: true,
    verifying: false,
  };
  if (k.wave === null) return null;
  if (isOwed[k.wave]) return rest(k.wave, 'execute');
  k.wave = null;
  return null;
};

/** Someone is asked to stand behind calls, before they are made. */
const endorsing = (k: Known, calls: readonly Call[]): typeof undecided =>
  isOver(k, 'pauses')
    ? failFor(k, calls.map(authorityMissing))
    : ask(k, 'approval', [...new Set(calls.map(({ digest }) => digest))]);

/** The writes that are left: checked, decided, approved, and then called one at a time (interpretation 0003). */
const clearing = (k: Known, writes: readonly Call[]): Rest | null => {
  const digests = writes.map(({ digest }) => digest);
  if (verifiersOwed(k, k.taskClass.beforeWrite, digests).length > 0) return wave(k, 'checking');
  if (writes.some(({ verdict }) => verdict === null)) return wave(k, 'authorizing');
  const codes = unsure(k);
  if (codes.length > 0) return isOver(k, 'pauses') ? failFor(k, codes) : askOutputs(k);
  const unapproved = writes.filter((call) => !isAuthorized(k, call));
  const [first] = writes;
  if (unapproved.length > 0) return endorsing(k, unapproved);
  return rest('calling', 'execute', first === undefined ? [] : [first]);
};

/** What stands against the run of calls that came to nothing, in their order: the first reason leads (CHART 7). */
const unfinishedIn = (k: Known): readonly string[] =>
  k.calls.flatMap((call) => {
    if (call.status === 'doubt') return ['EFFECT_IN_DOUBT'];
    return isBroken(call) ? [call.code ?? 'TOOL_FAILED'] : [];
  });

/** A round of calls: reads, then what broke, then what is in doubt, then writes, then the model's conclusion. */
const working = (k: Known): Rest | null => {
  const writes = k.calls.filter((call) => isWrite(call) && call.status === 'ready');
  const unfinished = begun(k, writes);
  if (unfinished !== null) return unfinished;
  const held = readsHeld(k);
  const reads = readsOf(k).filter((call) => isAuthorized(k, call));
  if (reads.length > 0 || k.calls.some(({ status }) => status === 'started')) return calling(k, reads);
  const doubts = k.calls.filter(({ status }) => status === 'doubt').map(({ id }) => id);
  if (doubts.length > 0 && !isOver(k, 'pauses')) return ask(k, 'doubt', doubts);
  if (isPlanUnsure(k)) return isOver(k, 'pauses') ? failFor(k, unsure(k)) : askOutputs(k);
  if (writes.length > 0 && !hasFailedReport(k, k.taskClass.beforeWrite) && refresh(k)) return undecided;
  if (doubts.length > 0) return failFor(k, unfinishedIn(k));
  const codes = broken(k, held.length > 0 ? [] : writes);
  if (codes.length > 0) return repair(k, codes, isMendable(k, codes));
  const unapproved = writes.filter((call) => call.verdict !== null && !isAuthorized(k, call));
  if (held.length > 0) return endorsing(k, [...held, ...unapproved]);
  if (writes.length > 0) return clearing(k, writes);
  if (unsure(k).length > 0 && !isOver(k, 'pauses')) return askOutputs(k);
  return wave(k, 'concluding');
};

/** A draft is verified under outputs that are sure; reports that are asked for are waited for (interpretation 0003). */
const verifying = (k: Known, isOwed: boolean): Rest | typeof undecided | undefined => {
  if (k.wave !== 'verifying') {
    const codes = unsure(k);
    if (codes.length > 0 && !isOver(k, 'pauses')) return askOutputs(k);
    if (isPlanUnsure(k)) return failFor(k, codes);
  }
  if (!isOwed) return undefined;
  k.wave = 'verifying';
  return rest('verifying', 'verify');
};

const delivering = (k: Known, draft: Output): Rest | null => {
  const required = k.taskClass.beforeDeliver;
  const found = verifying(k, verifiersOwed(k, required, [draft.digest]).length > 0);
  if (found !== undefined) return found;
  k.wave = null;
  const codes = unsure(k);
  if (codes.length > 0 && !isOver(k, 'pauses')) return askOutputs(k);
  const made = k.calls.filter((call) => isWrite(call) && call.status === 'succeeded');
  const unmet = [
    ...codes,
    ...evidenceAgainst(k, required, made),
    ...(hasFailedReport(k, required) ? ['VERIFICATION_FAILED'] : []),
    ...made.filter((call) => isUnapproved(k, call)).map(authorityMissing),
  ];
  if (unmet.length > 0) return repair(k, unmet, true);
  k.outcome = 'delivered';
  k.offer = k.taskClass.followup ? 'owed' : 'over';
  return undecided;
};

const ended = (k: Known): Rest => {
  if (k.outcome !== 'delivered') return rest('over', 'fail_safe');
  const at = { owed: 'offering', made: 'offered', over: 'over' } as const;
  return rest(at[k.offer], 'deliver');
};

/** The phase of a run that is not at its end, whatever it waits for. */
const phaseOf = (k: Known): Phase => {
  if (!k.accepted) return 'intake';
  if (k.plan?.passed !== true) return 'plan';
  return k.draft === null || k.questions.size > 0 ? 'execute' : 'verify';
};

/** Further calls pass the gate that the plan passed (UpFormat 2.3). */
const extending = (k: Known, further: NonNullable<Known['further']>): Rest | null => {
  const codes = unsure(k);
  if (codes.length > 0) return isOver(k, 'pauses') ? failFor(k, codes) : askOutputs(k);
  letIn(k, further.calls);
  return undecided;
};

/** Writes that no plan asks for cannot be undone; who is asked about an unsure plan may ask for them again (interpretation 0007). */
const unableToUndo = (k: Known): typeof undecided => {
  if (!isPlanUnsure(k)) return failFor(k, ['ROLLBACK_REQUIRED']);
  return isOver(k, 'pauses') ? failFor(k, unsure(k)) : askOutputs(k);
};

const planned = (k: Known, plan: Output): Rest | null => {
  if (!plan.passed) {
    const codes = against(k, plan);
    if (codes.length > 0) return isOver(k, 'pauses') ? failFor(k, codes) : askOutputs(k);
    plan.passed = true;
    return undecided;
  }
  const unplanned = unplannedWrites(k);
  if (rollbackOwed(k) !== null || unplanned.some(({ status }) => status === 'undoing'))
    return rest('undoing', 'undoing');
  if (unplanned.length > 0) return unableToUndo(k);
  if (k.further !== null) return extending(k, k.further);
  return k.draft === null ? working(k) : delivering(k, k.draft);
};

const next = (k: Known): Rest | null => {
  if (k.outcome !== null) return ended(k);
  if (isFailing(k)) return failing(k);
  if (k.nextCause !== null) {
    if (k.calls.some(isWriteInFlight)) return rest('undoing', 'undoing');
    nextAttempt(k);
    return undecided;
  }
  if (k.plan?.passed === true && k.calls.some((call) => answerFromRecord(k, call))) return undecided;
  const doubts = k.calls.filter(({ status, id }) => status === 'doubt' && !k.questions.has(`doubt:${id}`));
  if (k.questions.size > 0 && doubts.length > 0 && mayAskMore(k))
    return ask(
      k,
      'doubt',
      doubts.map(({ id }) => id),
    );
  const approvals = approvalsBeside(k);
  if (approvals.length > 0) return ask(k, 'approval', approvals);
  if (k.questions.size > 0) return rest('asking', phaseOf(k), besides(k));
  if (k.calls.some(({ status }) => status === 'awaiting')) return rest('waiting', phaseOf(k));
  if (!k.accepted) return rest('intake', 'intake');
  return k.plan === null ? rest('proposing', 'plan') : planned(k, k.plan);
};

/** A turn of the model, or a call, that comes next and is one too many (interpretation 0059). */
const limitReached = (k: Known, { at, next: calls }: Rest): 'modelCalls' | 'calls' | null => {
  if (at === 'proposing' || at === 'concluding') return isSpent(k, 'modelCalls') ? 'modelCalls' : null;
  return at === 'calling' && calls.length > 0 && isSpent(k, 'calls') ? 'calls' : null;
};

/** The run fails, because it needs more turns or calls than its task class allows (interpretation 0059). */
const exceed = (k: Known, limit: 'modelCalls' | 'calls'): void => {
  k.exceeded = limit;
  fail(k, ['BUDGET_SPENT']);
};

/** What follows from what is known, until something has to happen in the world. */
export const settle = (k: Known): Rest => {
  for (let steps = 0; steps < 100; steps += 1) {
    withdraw(k);
    dropReads(k);
    closeIdleQuestions(k);
    lapseWaiting(k, besides(k));
    const found = next(k);
    const limit = found === null ? null : limitReached(k, found);
    if (limit !== null && mayAsk(k, limit)) askAt(k, limit);
    else if (limit !== null) exceed(k, limit);
    else if (found !== null) return found;
  }
  throw new Error('the model does not come to rest');
};
