import { entry } from './acceptance.ts';
import { approved, isToBeMade, resumed } from './approvals.ts';
import { concludeAnswer } from './answers.ts';
import { unasked, unavailable, callsOfPlan, doubted, succeeded, unfinished } from './calls.ts';
import {
  changeCall,
  changeCalls,
  changeEffect,
  closeQuestionsOf,
  dropped,
  failing,
  isGone,
  lapsed,
  askQuestion,
  suspend,
  reported,
  omit,
  type Change,
} from './changes.ts';
import { begin, type Call, type Context } from './context.ts';
import { applyDeadline } from './deadlines.ts';
import type { Fact, FactOf } from './facts.ts';
import { isWrite } from './owed.ts';
import { stricter } from './task-class.ts';

const help = (c: Context, question: string): Change =>
  suspend(c, askQuestion(c, question, { kind: 'help', about: c.plan === null ? 'plan' : 'draft' }));

const rejected = (c: Context, question: string): Change =>
  c.counters.corrections >= c.taskClass.limits.corrections
    ? help(c, question)
    : { counters: { ...c.counters, corrections: c.counters.corrections + 1 } };

/** Further calls wait for the gate that the plan passed (UpFormat 2.3). */
const furtherCalls = (
  c: Context,
  { digest, confidence, canProceed, calls }: FactOf<'calls.proposed'>,
): Change =>
  c.counters.rounds >= c.taskClass.limits.rounds
    ? failing(c, { code: 'BUDGET_SPENT', about: 'rounds' })
    : {
        further: { digest, confidence, canProceed, calls, waived: false },
        counters: { ...c.counters, rounds: c.counters.rounds + 1, corrections: 0 },
      };

const decided = (c: Context, { call, verdict }: FactOf<'policy.decided'>): Change =>
  verdict === 'deny'
    ? failing(c, { code: 'POLICY_BLOCKED', about: call })
    : changeCall(c, call, { status: 'allowed', cleared: true, review: verdict === 'needs_review' });

/** A write as its gates find it that nobody has decided on. */
const uncleared = {
  status: 'proposed',
  cleared: false,
  review: false,
  authority: null,
  approvers: [],
} as const satisfies Partial<Call>;

/** Questions about approvals end with the clearance that they were for: the gate asks them again. */
const withoutApprovals = ({ questions }: Context): Context['questions'] =>
  Object.fromEntries(Object.entries(questions).filter(([, { kind }]) => kind !== 'approval'));

/** A clearance that lapsed goes back to its gate: the policy decides again, and every approver is asked again. */
const refused = (c: Context, { call: id, code }: FactOf<'call.refused'>): Change => {
  if (isGone(code)) return unfinished(c, id, code);
  const digest = entry(c.calls, id)?.digest;
  const isOver = (call: Call, name: string): boolean =>
    name === id || (call.digest === digest && isToBeMade(call));
  return {
    calls: changeCalls(c, isOver, uncleared),
    ...(c.counters.clearances < c.taskClass.limits.clearances
      ? { counters: { ...c.counters, clearances: c.counters.clearances + 1 } }
      : failing(c, { code: 'BUDGET_SPENT', about: 'clearances' }, { code, about: id })),
  };
};

const isPaused = ({ status }: Call): boolean => status === 'waiting' || status === 'asking';

/** Every write that has not begun goes back to its gate; one that paused comes back to it without its approvals. */
const reassessed = (c: Context): Record<string, Call> => {
  const calls = changeCalls(c, (call) => isWrite(call) && isToBeMade(call), uncleared);
  const { authority, approvers, cleared } = uncleared;
  const withdrawn = { authority, approvers, cleared };
  return changeCalls({ ...c, calls }, (call) => isWrite(call) && isPaused(call), withdrawn);
};

/** The stricter class holds from now on: for calls that have not begun, and for those that will begin once more. */
const tightened = (c: Context, current: FactOf<'taskClass.changed'>['taskClass']): Change => {
  const taskClass = stricter(c.taskClass, current);
  return { taskClass, calls: reassessed(c), questions: withoutApprovals(c) };
};

/** Returns what a fact itself changes, before its consequences. */
const reduce = (c: Context, fact: Fact): Change => {
  switch (fact.type) {
    case 'request.accepted':
      return {};
    case 'request.refused':
      return failing(c, { code: fact.code, about: 'request' });
    case 'information.requested':
      return suspend(c, askQuestion(c, fact.question, { kind: 'information', about: 'request' }));
    case 'plan.proposed': {
      const { digest, confidence, canProceed, calls } = fact;
      return {
        plan: { digest, confidence, canProceed, waived: false },
        calls: callsOfPlan(c, calls),
        counters: { ...c.counters, corrections: 0, rounds: 1 },
      };
    }
    case 'draft.proposed': {
      const { digest, confidence, canProceed } = fact;
      return {
        draft: { digest, confidence, canProceed, waived: false },
        counters: { ...c.counters, corrections: 0 },
      };
    }
    case 'calls.proposed':
      return furtherCalls(c, fact);
    case 'output.rejected':
      return rejected(c, fact.question);
    case 'help.requested':
      return help(c, fact.question);
    case 'capability.exceeded':
      return failing(c, { code: 'BEYOND_CAPABILITY', about: 'model' });
    case 'policy.decided':
      return decided(c, fact);
    case 'approval.granted':
      return approved(c, fact.digest, fact.approver, fact.authority);
    case 'call.started':
      return changeCall(c, fact.call, { status: 'started' });
    case 'call.succeeded':
      return succeeded(c, fact);
    case 'call.failed':
      return {
        ...changeCall(c, fact.call, {
          status: 'failed',
          code: fact.code,
          causes: fact.causes ?? [],
        }),
        ...closeQuestionsOf(c, fact.call),
      };
    case 'call.doubted':
      return doubted(c, fact.call, fact.code, fact.causes);
    case 'call.cleared':
      return changeCall(c, fact.call, { cleared: true });
    case 'taskClass.changed':
      return tightened(c, fact.taskClass);
    case 'call.refused':
      return refused(c, fact);
    case 'dependency.awaited':
      return suspend(
        c,
        {
          ...changeCall(c, fact.call, { status: 'waiting', underWay: true }),
          dependencies: {
            ...c.dependencies,
            [fact.dependency]: [...(entry(c.dependencies, fact.dependency) ?? []), fact.call],
          },
        },
        doubted(c, fact.call, 'BUDGET_SPENT'),
      );
    case 'dependency.met': {
      const waiting = entry(c.dependencies, fact.dependency) ?? [];
      return {
        calls: resumed(c, (_, id) => waiting.includes(id)),
        dependencies: omit(c.dependencies, fact.dependency),
      };
    }
    case 'question.raised':
      return suspend(
        c,
        {
          ...changeCall(c, fact.call, { status: 'asking' }),
          ...closeQuestionsOf(c, fact.call),
          ...askQuestion({ ...c, ...closeQuestionsOf(c, fact.call) }, fact.question, {
            kind: 'tool',
            about: fact.call,
          }),
        },
        unfinished(c, fact.call, 'BUDGET_SPENT'),
      );
    case 'verifier.reported': {
      const { verifier, of, evidence, status } = fact;
      return reported(c, {
        verifier,
        of,
        evidence,
        status,
        code: status === 'pass' ? null : (fact.code ?? null),
      });
    }
    case 'human.responded':
      return concludeAnswer(c, fact);
    case 'deadline.passed':
      return applyDeadline(c, fact);
    case 'rollback.started':
      return changeEffect(c, fact.digest, 'undoing');
    case 'rollback.succeeded':
      return changeEffect(c, fact.digest, 'undone');
    case 'rollback.failed':
      return changeEffect(c, fact.digest, 'stuck');
    case 'followup.offered':
      return { followup: 'offered' };
    case 'changes.requested':
      return begin({ taskClass: c.taskClass, request: fact.request });
    case 'task.cancelled':
      return failing(c, { code: 'CANCELLED', about: 'task' });
    case 'run.failed':
      return failing(c, { code: fact.code, about: 'run' });
  }
};

/** Returns what a fact changes in the context, with its immediate consequences. Each fact starts a new trail. */
export const applyFact = (c: Context, fact: Fact): Change =>
  [unavailable, dropped, unasked, lapsed].reduce<Change>(
    (change, follow) => ({ ...change, ...follow({ ...c, ...change }) }),
    {
      trail: [],
      ...reduce(c, fact),
    },
  );
