import { makeReady } from './gates.ts';
import {
  approve,
  bring,
  commit,
  giveUpUnmade,
  heldOf,
  leaveAlone,
  letIn,
  refuse,
  shareOutcome,
  take,
  takeDraft,
  takePlan,
} from './changes.ts';
import { fail, type Rest } from './follows.ts';
import { judgeHost } from './hosts.ts';
import { callOf, hasPartialWrites, unresolvedCalls, type Call, type Known, type Question } from './known.ts';
import { isSpent } from './limits.ts';
import { isAllowedCall, isReadable, mayPropose } from './proposals.ts';
import { isWriteInFlight } from './rollbacks.ts';
import type { FactNamed, Proposal } from './vocabulary.ts';

type Answer = FactNamed<'human.responded'>;

/** Another attempt at the word of a person, within its bound (interpretation 0006). */
const revise = (k: Known): void => {
  k.counters.revisions += 1;
  k.questions.clear();
  k.nextCause = 'revise';
};

/** Whether a person may ask for another plan: none forgets a write that is being made, or that was not finished. */
const mayRevise = (k: Known): boolean =>
  !isSpent(k, 'revisions') && !hasPartialWrites(k) && !k.calls.some(isWriteInFlight);

const rejectOutput = (k: Known): void => (mayRevise(k) ? revise(k) : fail(k, ['HUMAN_REJECTED']));

const inform = (k: Known, id: string, { feedback }: Answer): boolean => {
  switch (feedback) {
    case 'edit':
    case 'instruction':
      return take(() => void k.questions.delete(id));
    case 'reject':
      return take(() => fail(k, ['HUMAN_REJECTED']));
    case 'approve':
    case 'rank':
    case 'comment':
      return false;
  }
};

const replaceOutput = (k: Known, id: string, of: string, about: string, { plan, draft }: Answer): boolean => {
  if (of === 'draft') {
    if (draft === undefined || !isReadable(draft)) return false;
    return take(() => {
      k.questions.delete(id);
      takeDraft(k, draft, true);
    });
  }
  const isFurther = k.further?.digest === about && !k.further.waived;
  if (!isFurther && hasPartialWrites(k)) return false;
  if (plan === undefined || !mayPropose(k, isFurther ? k.calls : [], plan)) return false;
  return take(() => {
    k.questions.delete(id);
    if (isFurther) letIn(k, plan.calls);
    else takePlan(k, plan, true);
  });
};

const judgeOutput = (k: Known, id: string, { kind, about }: Question, fact: Answer): boolean => {
  const of = kind === 'help' ? about : kind;
  switch (fact.feedback) {
    case 'edit':
    case 'rank':
      return !(kind === 'help' && fact.feedback === 'rank') && replaceOutput(k, id, of, about, fact);
    case 'approve':
      return (
        kind !== 'help' &&
        take(() => {
          k.questions.delete(id);
          // further calls may read like the plan: whoever approves one approves the other
          for (const output of of === 'plan' ? [k.further, k.plan] : [k.draft])
            if (output?.digest === about) output.waived = true;
        })
      );
    case 'instruction':
      if (!mayRevise(k)) return false;
      return take(() => {
        if (kind !== 'help') return revise(k);
        k.counters.revisions += 1;
        k.counters.corrections = 0;
        k.questions.delete(id);
      });
    case 'reject':
      return take(() => rejectOutput(k));
    case 'comment':
      return true;
  }
};

/** A person's word counts for a high-risk write where the task class says so; where several are wanted, each by name. */
const approveByWord = (k: Known, digest: string, call: Call, by: string | undefined): boolean => {
  if (call.tier === 'write_high_risk' && !k.taskClass.authorities.includes('human')) return false;
  return by !== undefined && approve(k, digest, { authority: 'human', approver: by });
};

/** Who edits a call approves it, where their word counts for it; not one that is held, for they did not see why. */
const approveEdited = (k: Known, edited: Proposal, by: string | undefined): void => {
  const call = unresolvedCalls(k, edited.digest)[0];
  if (call !== undefined && heldOf(k, edited) === undefined) approveByWord(k, edited.digest, call, by);
};

/** The action and its twins become another one, which no one has decided on yet. */
const replaceWrite = (k: Known, id: string, digest: string, edited: Proposal): void => {
  k.questions.delete(id);
  const held = heldOf(k, edited);
  const others = edited.digest === digest ? [] : unresolvedCalls(k, edited.digest);
  if (held !== undefined) for (const other of others) other.approvals = []; // no one was shown why it is held
  const approvals = others[0]?.approvals ?? [];
  for (const { id: name, ...call } of unresolvedCalls(k, digest)) {
    const one = callOf(k, name);
    if (one !== undefined)
      Object.assign(one, {
        ...call,
        ...edited,
        id: name,
        subjects: edited.subjects,
        together: edited.together,
        after: edited.after,
        held,
        status: 'ready',
        verdict: null,
        cleared: false,
        underWay: false, // what was begun of a read is given up
        approvals,
      });
  }
};

const judgeWrite = (k: Known, id: string, digest: string, fact: Answer): boolean => {
  const calls = unresolvedCalls(k, digest);
  const [call] = calls;
  if (call === undefined) return false;
  switch (fact.feedback) {
    case 'approve':
      return approveByWord(k, digest, call, fact.by);
    case 'edit': {
      const edited = fact.call;
      if (edited === undefined || !isAllowedCall(k, edited) || hasPartialWrites(k)) return false;
      return take(() => {
        replaceWrite(k, id, digest, edited);
        if (fact.approves === true) approveEdited(k, edited, fact.by);
      });
    }
    case 'instruction':
      return mayRevise(k) && take(() => revise(k));
    case 'reject':
      return take(() => refuse(k, id, calls));
    case 'rank':
      return false;
    case 'comment':
      return true;
  }
};

const judgeDoubt = (k: Known, id: string, call: Call, fact: Answer): boolean => {
  const { feedback, effect, evidence } = fact;
  if (feedback === 'comment') return true;
  const isDone = feedback === 'approve' || (feedback === 'edit' && effect === 'done');
  const isAbsent = feedback === 'edit' && effect === 'absent';
  if (!isDone && !isAbsent && feedback !== 'reject') return false;
  if (isDone && evidence !== undefined && evidence.type !== 'custom') return false;
  return take(() => {
    k.questions.delete(id);
    if (isAbsent) {
      call.underWay = false;
      makeReady(k, call);
    } else call.status = isDone ? 'succeeded' : 'failed';
    call.code = feedback === 'reject' ? 'HUMAN_REJECTED' : null;
    if (isDone && evidence !== undefined) bring(k, call, evidence, true);
    if (!isAbsent) shareOutcome(k, call);
    if (isDone) commit(k, call);
    if (feedback === 'reject') {
      commit(k, call);
      const effectOfCall = k.effects.at(-1);
      if (effectOfCall !== undefined) effectOfCall.status = 'ruledOut';
    }
  });
};

const tellTool = (k: Known, id: string, call: Call, { feedback }: Answer): boolean => {
  if (feedback === 'comment') return true;
  return take(() => {
    leaveAlone(k, call);
    k.questions.delete(id);
    if (feedback === 'reject') giveUpUnmade(call, 'HUMAN_REJECTED');
    else makeReady(k, call);
  });
};

/** The run ends at a limit: what people approved may stay (decision 0081). */
export const endAtLimit = (k: Known): void => {
  if (k.taskClass.atLimit === 'keep')
    for (const effect of k.effects)
      if (effect.status === 'committed' && effect.isApproved) effect.status = 'kept';
  fail(k, ['BUDGET_SPENT']);
};

/** What a person says where a limit is reached. */
const judgeLimit = (k: Known, id: string, limit: string, { feedback }: Answer): boolean => {
  if (feedback === 'reject') return take(() => endAtLimit(k));
  if (feedback !== 'approve') return feedback === 'comment';
  return take(() => {
    k.questions.delete(id);
    k.raised.set(limit, (k.raised.get(limit) ?? 0) + 1);
  });
};

const judge = (k: Known, id: string, question: Question, fact: Answer): boolean => {
  const call = callOf(k, question.about);
  switch (question.kind) {
    case 'information':
      return fact.feedback === 'comment' || inform(k, id, fact);
    case 'help':
    case 'plan':
    case 'draft':
      return judgeOutput(k, id, question, fact);
    case 'approval':
      return judgeWrite(k, id, question.about, fact);
    case 'tool':
      return call !== undefined && tellTool(k, id, call, fact);
    case 'host':
      return judgeHost(k, fact);
    case 'limit':
      return judgeLimit(k, id, question.about, fact);
    case 'doubt':
      return call !== undefined && judgeDoubt(k, id, call, fact);
  }
};

/** What a person's answer changes (CHART 5); while a refinement is offered, a choice settles and a remark does not. */
export const answer = (k: Known, fact: Answer, { at }: Rest): boolean => {
  if (at === 'offered') {
    if (fact.question !== 'followup') return false;
    if (fact.feedback === 'comment') return true;
    const isChoice = ['approve', 'rank', 'reject'].includes(fact.feedback);
    return isChoice && take(() => void (k.offer = 'over'));
  }
  const question = k.questions.get(fact.question);
  return question !== undefined && judge(k, fact.question, question, fact);
};
