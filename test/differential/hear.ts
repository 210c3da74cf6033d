import {
  approve,
  bring,
  commit,
  deny,
  giveUp,
  giveUpUnmade,
  isReportOwed,
  leaveAlone,
  proposeFurther,
  shareOutcome,
  take,
  takeDraft,
  takePlan,
} from './changes.ts';
import { decisionsBeside, extend, mayExtend } from './beside.ts';
import { clear, refuseCall, tighten } from './clearances.ts';
import { isOverdue } from './deadlines.ts';
import { fail, type Rest } from './follows.ts';
import { approversOf, makeReady } from './gates.ts';
import {
  callOf,
  effectOf,
  fresh,
  isFailing,
  isNewQuestion,
  isWrite,
  noteReport,
  tell,
  waitingFor,
  type Call,
  type Known,
} from './known.ts';
import { asks, askAt, countPause, isOfGate, isOver, isSpent } from './limits.ts';
import { answer } from './people.ts';
import { isReadable, mayPropose } from './proposals.ts';
import { recover } from './recoveries.ts';
import { rollbackOwed } from './rollbacks.ts';
import { closeIdleQuestions, dropReads, withdraw } from './upkeep.ts';
import type { Fact, FactName, FactNamed, OfCall, PlanWords } from './vocabulary.ts';

/** Whether a fact is about this run as it stands, and, if so, what is known after it. */
type Hear<Name extends FactName> = (k: Known, fact: FactNamed<Name>, rest: Rest) => boolean;

const isModelsTurn = (at: Rest['at']): boolean => at === 'proposing' || at === 'concluding';

/** Whether the policy is asked about calls now: in its wave, or beside a question (decision 0089). */
const isPolicyAsked = (k: Known, at: Rest['at']): boolean =>
  at === 'authorizing' || (at === 'asking' && decisionsBeside(k).length > 0);

/** The call that a fact is about, if it is one of this attempt. */
const called = (k: Known, { request, attempt, call }: OfCall): Call | undefined =>
  request === k.request && attempt === k.attempt ? callOf(k, call) : undefined;

/** Further calls beyond the limit on rounds wait until a person lets the run go on. */
const askedFurther = (k: Known, plan: PlanWords): void => {
  askAt(k, 'rounds');
  proposeFurther(k, plan);
};

/** Another round is bounded (interpretation 0003). */
const furtherRound = (k: Known, plan: PlanWords): void =>
  isOver(k, 'rounds') ? fail(k, ['BUDGET_SPENT']) : askedFurther(k, plan);

/** A stop for a person or for an outside event; beyond the bound the run ends (interpretation 0016). */
const pause = (k: Known, open: () => void): void => {
  if (isOver(k, 'pauses')) return fail(k, ['BUDGET_SPENT']);
  countPause(k);
  open();
};

const ask = (k: Known, id: string, kind: 'information' | 'help' | 'tool', about: string): void =>
  pause(k, () => void k.questions.set(id, { kind, about }));

const isOut = ({ status }: Call): boolean => ['started', 'awaiting', 'asking', 'doubt'].includes(status);

const hearRollback = (k: Known, digest: string, how: 'undone' | 'stuck'): boolean => {
  const effect = effectOf(k, digest);
  if (effect?.status !== 'undoing') return false;
  return take(() => void (effect.status = how));
};

/** A run that fails already relies on no document any more (interpretation 0059). */
const relies = (k: Known, request: string): boolean => request === k.request && !isFailing(k);

const hearing: { readonly [Name in FactName]: Hear<Name> } = {
  'request.accepted': (k, _, { at }) => at === 'intake' && take(() => void (k.accepted = true)),
  'request.refused': (k, { code }, { at }) => at === 'intake' && take(() => fail(k, [code])),
  'information.requested': (k, { question }, { at }) =>
    (at === 'intake' || at === 'proposing') &&
    isNewQuestion(k, question) &&
    take(() => ask(k, question, 'information', 'plan')),
  'plan.proposed': (k, plan, { at }) =>
    at === 'proposing' && mayPropose(k, [], plan) && take(() => takePlan(k, plan, false)),
  'draft.proposed': (k, draft, { at }) =>
    at === 'concluding' && isReadable(draft) && take(() => takeDraft(k, draft, false)),
  'calls.proposed': (k, plan, { at }) => {
    if (at === 'asking') return mayExtend(k, plan) && take(() => extend(k, plan));
    return at === 'concluding' && mayPropose(k, k.calls, plan) && take(() => furtherRound(k, plan));
  },
  'output.rejected': (k, { question }, { at }) =>
    isModelsTurn(at) &&
    isNewQuestion(k, question) &&
    take(() => {
      if (isSpent(k, 'corrections')) ask(k, question, 'help', at === 'proposing' ? 'plan' : 'draft');
      else k.counters.corrections += 1;
    }),
  'help.requested': (k, { question }, { at }) =>
    isModelsTurn(at) &&
    isNewQuestion(k, question) &&
    take(() => ask(k, question, 'help', at === 'proposing' ? 'plan' : 'draft')),
  'capability.exceeded': (k, _, { at }) => isModelsTurn(at) && take(() => fail(k, ['BEYOND_CAPABILITY'])),
  'policy.decided': (k, fact, { at }) => {
    const call = called(k, fact);
    if (!isPolicyAsked(k, at) || call?.digest !== fact.digest) return false;
    if (!isWrite(call) || call.status !== 'ready' || call.verdict !== null) return false;
    const { verdict, ends } = fact;
    if (ends !== undefined && verdict !== 'deny') return false;
    return take(() => {
      if (ends === 'call') deny(call, 'POLICY_BLOCKED');
      else if (verdict === 'deny') fail(k, ['POLICY_BLOCKED']);
      else Object.assign(call, { verdict, cleared: true });
    });
  },
  'approval.granted': (k, { request, digest, authority, approver }) => {
    if (request !== k.request || !k.taskClass.authorities.includes(authority)) return false;
    return approve(k, digest, { authority, approver });
  },
  'call.cleared': (k, fact, rest) => {
    const call = called(k, fact);
    return call?.digest === fact.digest && clear(rest, call);
  },
  'taskClass.changed': (k, { taskClass }) => tighten(k, taskClass),
  'call.started': (k, fact, { mayStart }) => {
    const call = called(k, fact);
    if (call?.digest !== fact.digest || !mayStart.includes(call.id)) return false;
    const beganApproved = call.approvals.length >= approversOf(k, call);
    return take(() => {
      k.counters.calls += 1;
      Object.assign(call, { status: 'started', beganApproved });
    });
  },
  'call.succeeded': (k, fact) => {
    const call = called(k, fact);
    if (call === undefined || !isOut(call)) return false;
    return take(() => {
      leaveAlone(k, call);
      call.status = 'succeeded';
      bring(k, call, fact.evidence, false);
      commit(k, call);
      if (isWrite(call)) shareOutcome(k, call);
    });
  },
  'call.failed': (k, fact) => {
    const call = called(k, fact);
    if (call === undefined || !isOut(call)) return false;
    return take(() => {
      leaveAlone(k, call);
      call.status = 'failed';
      call.code = fact.code;
      tell(k, call);
    });
  },
  'call.doubted': (k, fact) => {
    const call = called(k, fact);
    if (call?.status !== 'started' && call?.status !== 'awaiting') return false;
    return take(() => {
      leaveAlone(k, call);
      giveUp(call, fact.code);
      tell(k, call);
    });
  },
  'call.refused': (k, fact) => {
    const call = called(k, fact);
    return call !== undefined && refuseCall(k, call, fact.code);
  },
  'dependency.awaited': (k, fact) => {
    const call = called(k, fact);
    if (call?.status !== 'started' || fact.dependency === 'sessionId') return false;
    return take(() => {
      giveUp(call, 'BUDGET_SPENT');
      pause(k, () =>
        Object.assign(call, { status: 'awaiting', dependency: fact.dependency, underWay: true }),
      );
    });
  },
  'dependency.met': (k, { dependency }) => {
    const waiting = waitingFor(k, dependency);
    return waiting.length > 0 && take(() => waiting.forEach((call) => makeReady(k, call)));
  },
  'question.raised': (k, fact) => {
    const call = called(k, fact);
    if (call?.status !== 'started' && call?.status !== 'awaiting') return false;
    if (!isNewQuestion(k, fact.question)) return false;
    return take(() => {
      call.status = 'asking';
      if (isOver(k, 'pauses')) giveUpUnmade(call, 'BUDGET_SPENT');
      ask(k, fact.question, 'tool', call.id);
    });
  },
  'verifier.reported': (k, fact) => {
    if (fact.request !== k.request || fact.attempt !== k.attempt || fact.evidence !== k.collected)
      return false;
    if (!isReportOwed(k, fact.verifier, fact.of)) return false;
    return take(() => noteReport(k, fact.verifier, fact.of, fact.status));
  },
  'rollback.started': (k, { request, digest }, { at }) =>
    at === 'undoing' &&
    request === k.request &&
    rollbackOwed(k) === digest &&
    take(() => void Object.assign(effectOf(k, digest) ?? {}, { status: 'undoing' })),
  'rollback.succeeded': (k, { request, digest }, { at }) =>
    at === 'undoing' && request === k.request && hearRollback(k, digest, 'undone'),
  'rollback.failed': (k, { request, digest }, { at }) =>
    at === 'undoing' && request === k.request && hearRollback(k, digest, 'stuck'),
  'human.responded': answer,
  'deadline.passed': isOverdue,
  'followup.offered': (k, _, { at }) => at === 'offering' && take(() => void (k.offer = 'made')),
  'changes.requested': (k, { request }, { at }) =>
    at === 'offered' &&
    request !== k.request &&
    take(() => void Object.assign(k, fresh(k.taskClass, request))),
  'task.cancelled': (k, _, { at }) => {
    if (at === 'over') return false;
    return take(() => {
      if (k.outcome === 'delivered') k.offer = 'over';
      else {
        k.cancelled ||= k.reasons.length === 0;
        fail(k, ['CANCELLED']);
      }
    });
  },
  'run.failed': (k, { code }) => k.outcome === null && take(() => fail(k, [code])),
  'evidence.changed': (k, { request, evidence, code }) =>
    relies(k, request) &&
    k.calls.some((call) => call.evidence?.id === evidence) &&
    take(() => fail(k, [code])),
  'output.changed': (k, { request }) => relies(k, request) && take(() => fail(k, ['OUTPUT_CHANGED'])),
  'recovery.started': recover,
};

/** What may still happen to a run that was delivered (interpretation 0010). */
const ofFollowup: ReadonlySet<FactName> = new Set([
  'taskClass.changed',
  'followup.offered',
  'human.responded',
  'changes.requested',
  'deadline.passed',
  'task.cancelled',
]);

/** What a model says where the run waits for it, or an agent beside a question: each is one turn (interpretation 0059). */
const turns: ReadonlySet<FactName> = new Set([
  'plan.proposed',
  'calls.proposed',
  'draft.proposed',
  'output.rejected',
  'help.requested',
  'information.requested',
  'capability.exceeded',
]);

const isTurn = ({ type }: Fact, { at }: Rest): boolean =>
  turns.has(type) && (isModelsTurn(at) || at === 'asking');

const isOfPerson = (fact: Fact): boolean =>
  fact.type === 'human.responded' || (fact.type === 'approval.granted' && fact.authority !== 'system');

/** The pauses that an answer ended cost nothing. */
const creditPauses = (k: Known, before: Known['questions']): void => {
  withdraw(k);
  dropReads(k);
  closeIdleQuestions(k);
  const ended = [...before].filter(([id, { kind }]) => !k.questions.has(id) && kind !== 'limit');
  const ofGates = ended.filter(([, question]) => isOfGate(question));
  const isLeft = [...k.questions.values()].some(isOfGate);
  k.answered += ended.length - ofGates.length + (ofGates.length > 0 && !isLeft ? 1 : 0);
};

/** Tells a run a fact: whether it was taken. */
export const hear = (k: Known, fact: Fact, rest: Rest): boolean => {
  if (rest.at === 'over' || (k.outcome !== null && !ofFollowup.has(fact.type))) return false;
  const one = Object.hasOwn(hearing, fact.type) ? hearing[fact.type] : undefined;
  const before = new Map(k.questions);
  const isTaken = one !== undefined && (one as Hear<FactName>)(k, fact, rest);
  if (isTaken && isOfPerson(fact) && asks(k)) creditPauses(k, before);
  if (isTaken && isTurn(fact, rest)) k.counters.modelCalls += 1;
  return isTaken;
};
