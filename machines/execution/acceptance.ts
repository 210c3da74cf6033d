import type { FeedbackType } from '../../schema/index.ts';
import { mayApprove } from './approvals.ts';
import { isGone } from './changes.ts';
import type { Call, Context, Question } from './context.ts';
import type { Fact, FactOf, ProposedCall } from './facts.ts';
import { violationsOf } from './gates.ts';
import { isConfidence } from './operational-state.ts';
import { stricter } from './task-class.ts';
import {
  callsOf,
  checksOwed,
  partialWrites,
  isOutstanding,
  isWrite,
  needsAuthority,
  nextWrite,
  readsOwed,
  reportKey,
  reportsOwed,
  undoOwed,
} from './owed.ts';

/** An own entry: a name such as `constructor` finds nothing. */
export const entry = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

const callOf = (c: Context, fact: { request: string; attempt: number; call: string }) =>
  fact.request === c.request && fact.attempt === c.attempt ? entry(c.calls, fact.call) : undefined;

const actionOf = (c: Context, digest: string) => callsOf(c).filter((call) => call.digest === digest);

/** Another plan may be asked for: while revisions last, and no write is half done that it would forget. */
export const mayRevise = (c: Context): boolean =>
  c.counters.revisions < c.taskClass.limits.revisions && partialWrites(c).length === 0;

/** A person's word is enough for this action; a high-risk write needs a task class that says so (UAICP 5.3). */
const isPersonsToApprove = (c: Context, digest: string): boolean =>
  actionOf(c, digest).every(({ tier }) => tier !== 'write_high_risk') ||
  c.taskClass.authorities.includes('human');

/** The types of feedback that this question takes, as the run stands (UpFormat Table 2, upFeedback). */
export const feedbackTaken = (c: Context, { kind, about }: Question): readonly FeedbackType[] => {
  const revise: readonly FeedbackType[] = mayRevise(c) ? ['instruction'] : [];
  switch (kind) {
    case 'information':
      return ['edit', 'instruction', 'reject', 'comment'];
    case 'help':
      return ['edit', ...revise, 'reject', 'comment'];
    case 'plan':
    case 'draft':
      return ['approve', 'edit', 'rank', ...revise, 'reject', 'comment'];
    case 'approval': {
      const approve: readonly FeedbackType[] = isPersonsToApprove(c, about) ? ['approve'] : [];
      return [...approve, 'edit', ...revise, 'reject', 'comment'];
    }
    case 'doubt':
      return ['approve', 'edit', 'reject', 'comment'];
    case 'tool':
      return ['approve', 'edit', 'rank', 'instruction', 'reject', 'comment'];
    case 'host':
      return ['approve', 'reject', 'comment'];
  }
};

type Proposed = Pick<FactOf<'plan.proposed'>, 'confidence' | 'calls'>;

const isAllowedTool = ({ taskClass: { tools } }: Context, { tool }: ProposedCall): boolean =>
  tools?.includes(tool) ?? true;

/** Its confidence is one, its calls have names of their own, and their tools are those of the task class. */
const isProposal = (c: Context, { confidence, calls }: Proposed): boolean =>
  isConfidence(confidence) && haveUniqueIds(calls) && calls.every((call) => isAllowedTool(c, call));

const isFurther = (c: Context, proposed: Proposed): boolean =>
  isProposal(c, proposed) && proposed.calls.every(({ id }) => entry(c.calls, id) === undefined);

const bringsPlan = (c: Context, { plan }: FactOf<'human.responded'>, about: string): boolean =>
  plan !== undefined &&
  (c.further?.digest === about ? isFurther(c, plan) : isProposal(c, plan) && partialWrites(c).length === 0);

const bringsDraft = ({ draft }: FactOf<'human.responded'>): boolean =>
  draft !== undefined && isConfidence(draft.confidence);

/** An edit or a ranking brings what it replaces; nothing else brings anything. */
const bringsItsReplacement = (c: Context, question: Question, fact: FactOf<'human.responded'>): boolean => {
  if (fact.feedback !== 'edit' && fact.feedback !== 'rank') return true;
  switch (question.kind) {
    case 'information':
    case 'tool':
    case 'host': // takes no edit
      return true;
    case 'help':
      return question.about === 'plan' ? bringsPlan(c, fact, 'plan') : bringsDraft(fact);
    case 'plan':
      return bringsPlan(c, fact, question.about);
    case 'draft':
      return bringsDraft(fact);
    case 'approval':
      return fact.call !== undefined && isAllowedTool(c, fact.call) && partialWrites(c).length === 0;
    case 'doubt':
      return fact.effect !== undefined;
  }
};

/** A person's word that a write happened is no evidence of another type. */
const bringsItsWord = (
  { kind }: Question,
  { feedback, effect, evidence }: FactOf<'human.responded'>,
): boolean => {
  const isDone = kind === 'doubt' && (feedback === 'approve' || (feedback === 'edit' && effect === 'done'));
  return !isDone || evidence === undefined || evidence.type === 'custom';
};

/** XState stores an object with this key, and two more, as the reference of an actor: no name may complete it. */
const isStorable = (name: string): boolean => name !== 'sessionId';

/** Names that come from outside have no colon: those with one are the gates' own, and bound to a digest. */
const isNew = (c: Context, question: string): boolean =>
  isStorable(question) && !question.includes(':') && entry(c.questions, question) === undefined;

/** Returns whether the calls have ids that can be stored and are unique. */
const haveUniqueIds = (calls: readonly ProposedCall[]): boolean =>
  calls.every(({ id }) => isStorable(id)) && new Set(calls.map(({ id }) => id)).size === calls.length;

/** An approval ends only while nothing rests on it: a call that is under way goes on. */
export const isApprovalUnused = ({ status, approvers, underWay }: Call): boolean =>
  (status === 'proposed' || status === 'allowed') && approvers.length > 0 && !underWay;

const isDue = (c: Context, { of, id }: FactOf<'deadline.passed'>): boolean => {
  switch (of) {
    case 'call':
      return entry(c.calls, id)?.status === 'started';
    case 'evidence':
      return [...callsOf(c), ...c.effects].some(({ evidence }) => evidence?.id === id && !evidence.stale);
    case 'approval':
      return actionOf(c, id).some(isApprovalUnused);
    case 'verifier':
      return [...checksOwed(c), ...reportsOwed(c)].some(
        ({ verifier, of: on }) => reportKey(verifier, on) === id,
      );
    case 'question':
      return c.reasons.length === 0 && entry(c.questions, id) !== undefined;
    case 'dependency':
      return entry(c.dependencies, id) !== undefined;
    case 'rollback':
      return c.undoing && undoOwed(c)[0]?.digest === id;
    case 'accept':
    case 'model':
    case 'host':
    case 'policy':
    case 'start':
    case 'offer':
    case 'followup':
      return false; // due in one state alone, which takes it itself
  }
};

/** Nothing but its clearance stands between this call and its intent. */
export const isNext = (c: Context, id: string): boolean => {
  const call = entry(c.calls, id);
  if (call?.status !== 'allowed') return false;
  if (!isWrite(call)) return readsOwed(c).some((read) => read.id === id);
  return nextWrite(c)?.id === id && violationsOf('write', c).length === 0;
};

const mayStart = (c: Context, fact: FactOf<'call.started'>): boolean => {
  const call = callOf(c, fact);
  return call?.digest === fact.digest && isNext(c, fact.call) && (call.cleared || !isWrite(call));
};

const mayClear = (c: Context, fact: FactOf<'call.cleared'>): boolean => {
  const call = callOf(c, fact);
  return call !== undefined && isWrite(call) && call.digest === fact.digest && isNext(c, fact.call);
};

/** A clearance lapses before its write begins; a call whose tool is another one now is not made at all. */
const mayRefuse = (c: Context, fact: FactOf<'call.refused'>): boolean => {
  const call = callOf(c, fact);
  if (call === undefined) return false;
  if (call.status === 'allowed') return c.reasons.length === 0 && (isWrite(call) || isGone(fact.code));
  return call.status === 'started' && needsAuthority(call) && !call.underWay && !isGone(fact.code);
};

/** The task class in force is stricter than the one that the run goes by. */
const isStricter = ({ taskClass }: Context, current: FactOf<'taskClass.changed'>['taskClass']): boolean =>
  taskClass.id === current.id && JSON.stringify(stricter(taskClass, current)) !== JSON.stringify(taskClass);

/** What was delivered may still be changed by another request, which goes by the same task class. */
const mayContinue = ({ outcome, taskClass, followup }: Context): boolean =>
  outcome === 'delivered' && taskClass.followup && (followup === null || followup === 'offered');

/** Returns whether a fact applies to this run in its present state. Only this function and its helpers read an event. */
export const appliesTo = (c: Context, fact: Fact): boolean => {
  if (c.outcome !== null)
    return fact.type === 'taskClass.changed'
      ? mayContinue(c) && isStricter(c, fact.taskClass)
      : fact.type === 'changes.requested' && fact.request !== c.request;
  switch (fact.type) {
    case 'policy.decided': {
      const call = callOf(c, fact);
      return call?.status === 'proposed' && call.digest === fact.digest;
    }
    case 'approval.granted':
      return (
        fact.request === c.request &&
        c.taskClass.authorities.includes(fact.authority) &&
        mayApprove(c, fact.digest, fact.approver)
      );
    case 'call.started':
      return mayStart(c, fact);
    case 'call.succeeded':
    case 'call.failed': {
      const call = callOf(c, fact);
      return call !== undefined && (isOutstanding(call) || call.status === 'doubted');
    }
    case 'call.doubted': {
      const status = callOf(c, fact)?.status;
      return status === 'started' || status === 'waiting';
    }
    case 'call.cleared':
      return mayClear(c, fact);
    case 'taskClass.changed':
      return isStricter(c, fact.taskClass);
    case 'call.refused':
      return mayRefuse(c, fact);
    case 'dependency.awaited':
      return callOf(c, fact)?.status === 'started' && isStorable(fact.dependency);
    case 'question.raised': {
      const status = callOf(c, fact)?.status;
      return (status === 'started' || status === 'waiting') && isNew(c, fact.question);
    }
    case 'dependency.met':
      return entry(c.dependencies, fact.dependency) !== undefined;
    case 'verifier.reported':
      return (
        fact.request === c.request &&
        fact.attempt === c.attempt &&
        fact.evidence === c.collected &&
        [...checksOwed(c), ...reportsOwed(c)].some(
          ({ verifier, of }) => verifier === fact.verifier && of === fact.of,
        )
      );
    case 'human.responded': {
      const question = entry(c.questions, fact.question);
      return (
        question !== undefined &&
        c.reasons.length === 0 &&
        feedbackTaken(c, question).includes(fact.feedback) &&
        (question.kind !== 'approval' ||
          fact.feedback !== 'approve' ||
          mayApprove(c, question.about, fact.by)) &&
        bringsItsReplacement(c, question, fact) &&
        bringsItsWord(question, fact)
      );
    }
    case 'deadline.passed':
      return isDue(c, fact);
    case 'rollback.started': {
      const next = undoOwed(c)[0];
      return fact.request === c.request && next?.digest === fact.digest && next.status === 'committed';
    }
    case 'rollback.succeeded':
    case 'rollback.failed': {
      const next = undoOwed(c)[0];
      return fact.request === c.request && next?.digest === fact.digest && next.status === 'undoing';
    }
    case 'information.requested':
    case 'output.rejected':
    case 'help.requested':
      return isNew(c, fact.question);
    case 'plan.proposed':
      return isProposal(c, fact);
    case 'calls.proposed':
      return isFurther(c, fact);
    case 'draft.proposed':
      return isConfidence(fact.confidence);
    case 'changes.requested':
      return false; // only what was delivered can be changed
    case 'task.cancelled':
    case 'run.failed':
    case 'request.accepted':
    case 'request.refused':
    case 'capability.exceeded':
    case 'followup.offered':
      return true; // the state that takes it says enough
  }
};
