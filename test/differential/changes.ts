import { approversOf, readsHeld } from './gates.ts';
import {
  approvalsOf,
  effectOf,
  isWrite,
  unresolvedCalls,
  verifiersOwed,
  type Approval,
  type Call,
  type Known,
  type Output,
} from './known.ts';
import { folded } from './names.ts';
import type { EvidenceWords, PlanWords, Proposal, Words } from './vocabulary.ts';

/** It is taken, and this is what it changes. */
export const take = (change: () => void): true => {
  change();
  return true;
};

/** A call that may not be made, although others go on: what was under way may have happened (decision 0072). */
export const deny = (call: Call, code: string): void => {
  if (call.underWay && isWrite(call)) giveUp(call, code);
  else Object.assign(call, { status: 'refused', code });
};

/** Why a call is held, unless its action has an outcome already and is not made again (interpretation 0007). */
export const heldOf = (k: Known, { digest, held }: Proposal): Proposal['held'] =>
  effectOf(k, digest) === undefined ? held : undefined;

/** Calls are let in, which no one has decided on yet. */
const add = (k: Known, calls: readonly Proposal[]): void => {
  k.calls.push(
    ...calls.map((proposal): Call => ({
      ...proposal,
      held: heldOf(k, proposal),
      status: 'ready',
      verdict: null,
      cleared: false,
      approvals: approvalsOf(k, proposal.digest),
      beganApproved: false,
      dependency: null,
      underWay: false,
      evidence: null,
      code: null,
      isTold: false,
    })),
  );
};

const outputOf = ({ digest, confidence, canProceed }: Words, waived: boolean): Output => ({
  digest,
  confidence,
  canProceed,
  waived,
  passed: false,
});

/** A plan is in force, with its calls and no others: what came of the one before it goes with that (interpretation 0006). */
export const takePlan = (k: Known, plan: PlanWords, waived: boolean): void => {
  k.plan = { ...outputOf(plan, waived), passed: k.plan?.passed === true };
  k.further = null;
  k.draft = null;
  k.wave = null;
  k.calls = [];
  k.questions.clear();
  k.reports.clear();
  k.counters.rounds = 1;
  k.counters.corrections = 0;
  add(k, plan.calls);
};

/** Further calls are proposed, in a round of their own, and wait to be let in. */
export const proposeFurther = (k: Known, plan: PlanWords): void => {
  k.counters.rounds += 1;
  k.counters.corrections = 0;
  k.wave = null;
  k.further = { ...outputOf(plan, false), calls: plan.calls };
};

/** Further calls are made: what was reported before does not stand for them (interpretation 0003). */
export const letIn = (k: Known, calls: readonly Proposal[]): void => {
  k.further = null;
  k.reports.clear();
  add(k, calls);
};

/** A draft is in force. */
export const takeDraft = (k: Known, draft: Words, waived: boolean): void => {
  k.draft = outputOf(draft, waived);
  k.wave = null;
  k.counters.corrections = 0;
};

/** What a call that could not finish comes to: a read has failed, a write is in doubt (interpretation 0005). */
export const giveUp = (call: Call, code: string): void => {
  call.status = isWrite(call) ? 'doubt' : 'failed';
  call.code = code;
};

/** A call that is not made after all: nothing was done by it, unless it was under way (interpretation 0016). */
export const giveUpUnmade = (call: Call, code: string): void => {
  if (call.underWay) giveUp(call, code);
  else Object.assign(call, { status: 'failed', code });
};

/** A call has its outcome, and what shows it, in a tool's words or a person's. */
export const bring = (k: Known, call: Call, evidence: EvidenceWords, byPerson: boolean): void => {
  call.evidence = { ...evidence, byPerson, stale: false };
  k.collected += 1;
};

/** A call says no more than it said: its question and its wait are over. */
export const leaveAlone = (k: Known, call: Call): void => {
  for (const [id, { kind, about }] of k.questions)
    if ((kind === 'tool' || kind === 'doubt') && about === call.id) k.questions.delete(id);
};

/** What became of an action became of its twins, also of one that could not be made any more (interpretation 0007). */
export const shareOutcome = (k: Known, call: Call): void => {
  for (const twin of k.calls)
    if (isWrite(twin) && twin.digest === call.digest && twin.status === 'failed')
      Object.assign(twin, { status: call.status, code: call.code, evidence: call.evidence });
};

/** A write happened: it is on record, and so are those who stood behind it. */
export const commit = (k: Known, call: Call): void => {
  if (!isWrite(call) || effectOf(k, call.digest) !== undefined) return;
  const { digest, tool, rollback, evidence } = call;
  const isAuthorized = call.beganApproved || call.approvals.length >= approversOf(k, call);
  k.effects.push({
    digest,
    tool,
    rollback,
    status: 'committed',
    evidence,
    isAuthorized,
    isApproved: isAuthorized && call.approvals.length > 0,
  });
};

/** Someone stands behind an action: another one than those who do, and as long as one is wanted (interpretation 0017). */
export const approve = (k: Known, digest: string, approval: Approval): boolean => {
  const isSystems = approval.authority === 'system';
  const isHeld = k.calls.some((call) => call.digest === digest && call.held !== undefined);
  if (isSystems && isHeld) return false; // a person endorses, and no system
  const wanting = unresolvedCalls(k, digest).filter(
    (call) =>
      call.approvals.length < approversOf(k, call) &&
      call.approvals.every(({ approver }) => folded(approver) !== folded(approval.approver)),
  );
  if (wanting.length === 0) return false;
  return take(() => {
    for (const call of wanting) call.approvals = [...call.approvals, approval];
    const [first] = unresolvedCalls(k, digest);
    if (first !== undefined && first.approvals.length >= approversOf(k, first))
      k.questions.delete(`approval:${digest}`);
  });
};

/** A write that is still to be made. */
export const isWaitingWrite = (call: Call): boolean => isWrite(call) && call.status === 'ready';

/** An action that has a record is answered from it, or is not done again (interpretation 0007). */
export const answerFromRecord = (k: Known, call: Call): boolean => {
  const effect = effectOf(k, call.digest);
  if (!isWaitingWrite(call) || effect === undefined) return false;
  if (effect.status === 'committed') {
    call.status = 'succeeded';
    call.evidence = effect.evidence;
  } else {
    call.status = 'failed';
    call.code = 'EFFECT_CLOSED';
  }
  return true;
};

/** Whether a verifier has still to speak on a digest: the draft while it is verified, or a write that is left. */
export const isReportOwed = (k: Known, verifier: string, of: string): boolean => {
  const { beforeWrite, beforeDeliver } = k.taskClass;
  const isIn = (owed: readonly { readonly verifier: string; readonly of: string }[]): boolean =>
    owed.some((one) => one.verifier === verifier && one.of === of);
  if (k.draft !== null) return k.draft.digest === of && isIn(verifiersOwed(k, beforeDeliver, [of]));
  if (readsHeld(k).length > 0) return false;
  const writes = k.calls
    .filter((call) => isWaitingWrite(call) && effectOf(k, call.digest) === undefined)
    .map(({ digest }) => digest);
  return isIn(verifiersOwed(k, beforeWrite, writes));
};

/** A write is not made, by a person's word or by default. */
export const refuse = (k: Known, id: string, calls: readonly Call[]): void => {
  k.questions.delete(id);
  for (const call of calls) {
    if (call.underWay && isWrite(call)) giveUp(call, 'HUMAN_REJECTED');
    else call.status = 'refused';
  }
};
