import { answerFromRecord, isWaitingWrite, letIn } from './changes.ts';
import { evidenceAgainst } from './evidence.ts';
import { against, broken, isAuthorized, oldReads, readsHeld, readsOf, unsure } from './gates.ts';
import { callOf, hasFailedReport, isBroken, verifiersOwed, type Call, type Known } from './known.ts';
import { isSpent, mayAskMore } from './limits.ts';
import { mayPropose } from './proposals.ts';
import { unplannedWrites } from './rollbacks.ts';
import { withdraw } from './upkeep.ts';
import type { PlanWords } from './vocabulary.ts';

const isOut = ({ status }: Call): boolean => ['started', 'awaiting', 'asking'].includes(status);

/** Somebody has still to approve the action of this write, under the name of another call, although nobody is asked yet. */
const isWanted = (k: Known, { digest }: Call): boolean =>
  k.calls.some((call) => isWaitingWrite(call) && call.digest === digest && !isAuthorized(k, call));

/** Whether nothing stands against this write but what stands against others: it needs nobody, or has everybody. */
const isAlone = (k: Known, write: Call): boolean =>
  [...k.questions.values()].every(({ kind, about }) => kind === 'approval' && about !== write.digest) &&
  k.calls.every((call) => !isOut(call) && call.status !== 'doubt' && !isBroken(call)) &&
  unsure({ ...k, draft: null }).length === 0 &&
  readsHeld(k).length === 0 &&
  oldReads(k).length === 0 &&
  unplannedWrites(k).length === 0 &&
  (write.tier !== 'write_high_risk' || write.rollback) &&
  evidenceAgainst(k, k.taskClass.beforeWrite, [write]).length === 0 &&
  verifiersOwed(k, k.taskClass.beforeWrite, [write.digest]).length === 0 &&
  !hasFailedReport(k, k.taskClass.beforeWrite);

/** Whether a call is still to be made, or to end. */
const isLeft = (k: Known, id: string): boolean => {
  const call = callOf(k, id);
  return call !== undefined && (call.status === 'ready' || isOut(call));
};

/** Reads that nobody has to endorse any more; none under a plan that is not sure. */
const freeReads = (k: Known): readonly Call[] =>
  unsure({ ...k, draft: null }).length > 0 ? [] : readsOf(k).filter((call) => isAuthorized(k, call));

/** What goes on while people are asked: reads, and then one write of those that nobody is asked about (decision 0080). */
export const besides = (k: Known): readonly Call[] => {
  if (isSpent(k, 'calls')) return [];
  const reads = freeReads(k);
  if (reads.length > 0) return reads;
  const write = k.calls.find(
    (call) =>
      isWaitingWrite(call) &&
      call.verdict !== null &&
      call.together === undefined &&
      (call.after ?? []).every((id) => !isLeft(k, id)) &&
      isAuthorized(k, call) &&
      !isWanted(k, call),
  );
  return write !== undefined && isAlone(k, write) ? [write] : [];
};

/** People are asked to approve calls, and nothing else (decision 0089). */
const asksForApproval = ({ reasons, questions }: Known): boolean =>
  reasons.length === 0 &&
  questions.size > 0 &&
  [...questions.values()].every(({ kind }) => kind === 'approval');

/** The writes that come next: none as long as a read waits for an endorsement (decision 0072). */
const nextWrites = (k: Known): readonly Call[] =>
  readsHeld(k).length > 0 ? [] : k.calls.filter(isWaitingWrite);

/** What would end the attempt, once the answer is there. */
const wouldEnd = (k: Known): boolean =>
  k.calls.some(({ status }) => status === 'doubt') || broken(k, nextWrites(k)).length > 0;

/** The run with further calls, without those that are on record or not allowed; the run itself stays as it is. */
const extended = (k: Known, { calls }: PlanWords): Known => {
  const one = { ...k, calls: k.calls.map((call) => ({ ...call })), reports: new Map() };
  letIn(one, calls);
  withdraw(one);
  for (const call of one.calls) answerFromRecord(one, call);
  return one;
};

/** Whether an agent in its own host may propose these calls beside a question: nothing would stop them (decision 0089). */
export const mayExtend = (k: Known, plan: PlanWords): boolean =>
  k.taskClass.host &&
  asksForApproval(k) &&
  !isSpent(k, 'rounds') &&
  !isSpent(k, 'modelCalls') &&
  mayPropose(k, k.calls, plan) &&
  against(k, { ...plan, waived: false, passed: false }).length === 0 &&
  (k.taskClass.beforeWrite.verifiers.length === 0 || plan.calls.every(({ tier }) => tier === 'read_only')) &&
  !wouldEnd(extended(k, plan));

/** Further calls are made at once, in a round of their own. From now on the run goes on beside its questions. */
export const extend = (k: Known, { calls }: PlanWords): void => {
  k.counters.rounds += 1;
  k.counters.corrections = 0;
  k.goesOn = true;
  letIn(k, calls);
};

/** Whether the run checks, decides and asks beside its questions. What went wrong waits for the answer (decision 0089). */
const isGoingOn = (k: Known): boolean => k.goesOn && asksForApproval(k) && !wouldEnd(k);

const isAsked = ({ questions }: Known, { digest }: Call): boolean => questions.has(`approval:${digest}`);

const reportsOwed = (k: Known): ReturnType<typeof verifiersOwed> =>
  verifiersOwed(
    k,
    k.taskClass.beforeWrite,
    nextWrites(k).map(({ digest }) => digest),
  );

/** The reports that are owed beside a question: none where people are asked about every write that waits. */
export const checksBeside = (k: Known): ReturnType<typeof verifiersOwed> =>
  isGoingOn(k) && nextWrites(k).some((call) => !isAsked(k, call)) ? reportsOwed(k) : [];

/** The calls that the policy is asked about beside a question: once every write that waits is checked. */
export const decisionsBeside = (k: Known): readonly Call[] =>
  isGoingOn(k) && reportsOwed(k).length === 0 ? nextWrites(k).filter(({ verdict }) => verdict === null) : [];

/** The actions that people are asked about beside the others, once everything else has come to rest. */
export const approvalsBeside = (k: Known): readonly string[] => {
  if (!isGoingOn(k) || !mayAskMore(k) || checksBeside(k).length > 0 || decisionsBeside(k).length > 0)
    return [];
  if (k.calls.some(isOut) || freeReads(k).length > 0) return [];
  const decided = k.calls.filter((call) => isWaitingWrite(call) && call.verdict !== null);
  const wanting = [...readsHeld(k), ...decided].filter((call) => !isAuthorized(k, call) && !isAsked(k, call));
  return [...new Set(wanting.map(({ digest }) => digest))];
};
