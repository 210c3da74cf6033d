import { approversOf } from './gates.ts';
import {
  approvalsOf,
  effectOf,
  isWrite,
  left,
  verifiersOwed,
  type Approval,
  type Call,
  type Known,
  type Output,
} from './known.ts';
import type { PlanWords, Proposal, Words } from './vocabulary.ts';

/** It is taken, and this is what it changes. */
export const take = (change: () => void): true => {
  change();
  return true;
};

/** Calls are proposed, in a round of their own. */
export const add = (k: Known, calls: readonly Proposal[]): void => {
  k.counters.rounds += 1;
  k.counters.corrections = 0;
  k.calls.push(
    ...calls.map((proposal): Call => ({
      ...proposal,
      status: 'ready',
      round: k.counters.rounds,
      verdict: null,
      approvals: approvalsOf(k, proposal.digest),
      dependency: null,
      underWay: false,
      evidence: null,
      code: null,
    })),
  );
};

const outputOf = ({ digest, confidence, canProceed }: Words, waived: boolean): Output => ({
  digest,
  confidence,
  canProceed,
  waived,
});

/** A plan is in force, with its calls and no others. */
export const takePlan = (k: Known, plan: PlanWords, waived: boolean): void => {
  k.plan = outputOf(plan, waived);
  k.calls = [];
  k.counters.rounds = 0;
  add(k, plan.calls);
};

/** A draft is in force. */
export const takeDraft = (k: Known, draft: Words, waived: boolean): void => {
  k.draft = outputOf(draft, waived);
  k.counters.corrections = 0;
};

/** What a call that could not finish comes to: a read has failed, a write is in doubt (interpretation 0005). */
export const giveUp = (call: Call, code: string): void => {
  call.status = isWrite(call) ? 'doubt' : 'failed';
  call.code = code;
};

/** A tool that asks once too often: nothing was done by it, unless it was under way (interpretation 0016). */
export const giveUpAsking = (call: Call): void => {
  if (call.underWay) giveUp(call, 'BUDGET_SPENT');
  else Object.assign(call, { status: 'failed', code: 'BUDGET_SPENT' });
};

/** A call says no more than it said: its question and its wait are over. */
export const leaveAlone = (k: Known, call: Call): void => {
  for (const [id, { kind, about }] of k.questions)
    if ((kind === 'tool' || kind === 'doubt') && about === call.id) k.questions.delete(id);
};

/** A write happened: it is on record, and so are those who stood behind it. */
export const commit = (k: Known, call: Call): void => {
  if (!isWrite(call) || effectOf(k, call.digest) !== undefined) return;
  const { digest, tool, rollback, evidence } = call;
  k.effects.push({ digest, tool, rollback, status: 'committed', evidence });
};

/** Somebody stands behind an action: another one than those who do, and as long as one is wanted (interpretation 0017). */
export const approve = (k: Known, digest: string, approval: Approval): boolean => {
  const wanting = left(k, digest).filter(
    (call) =>
      call.approvals.length < approversOf(k, call) &&
      call.approvals.every(({ approver }) => approver !== approval.approver),
  );
  if (wanting.length === 0) return false;
  return take(() => {
    for (const call of wanting) call.approvals = [...call.approvals, approval];
    const [first] = left(k, digest);
    if (first !== undefined && first.approvals.length >= approversOf(k, first))
      k.questions.delete(`approval:${digest}`);
  });
};

/** Whether a verifier has still to speak on a digest: the draft while it is verified, or a write that is left. */
export const isReportOwed = (k: Known, verifier: string, of: string): boolean => {
  const { beforeWrite, beforeDeliver } = k.taskClass;
  const isIn = (owed: readonly { readonly verifier: string; readonly of: string }[]): boolean =>
    owed.some((one) => one.verifier === verifier && one.of === of);
  if (k.draft !== null) return k.draft.digest === of && isIn(verifiersOwed(k, beforeDeliver, [of]));
  const writes = k.calls
    .filter((call) => isWrite(call) && call.status === 'ready')
    .map(({ digest }) => digest);
  return isIn(verifiersOwed(k, beforeWrite, writes));
};

/** A write is not made, by a person's word or by default. */
export const refuse = (k: Known, id: string, calls: readonly Call[]): void => {
  k.questions.delete(id);
  for (const call of calls) call.status = 'refused';
};
