import { checksBeside, decisionsBeside } from './beside.ts';
import { giveUp, giveUpUnmade, isReportOwed, refuse, take } from './changes.ts';
import { makeReady } from './gates.ts';
import { fail, type Rest } from './follows.ts';
import { keep, missHost } from './hosts.ts';
import {
  callOf,
  effectOf,
  isWrite,
  unresolvedCalls,
  noteReport,
  tell,
  waitingFor,
  type Call,
  type Known,
  type Question,
} from './known.ts';
import { endAtLimit } from './people.ts';
import { rollbackOwed } from './rollbacks.ts';
import type { FactNamed } from './vocabulary.ts';

/** What is taken when a person does not answer: a default of the task class, or the run fails (interpretation 0004). */
const unanswered = (k: Known, id: string, { kind, about }: Question): void => {
  if (kind === 'host') return keep(k);
  if (kind === 'limit') return endAtLimit(k);
  const hasDefault = k.taskClass.defaults.some((one) => one === kind);
  if (!hasDefault) return fail(k, ['QUESTION_EXPIRED']);
  k.questions.delete(id);
  if (kind === 'approval')
    refuse(
      k,
      id,
      k.calls.filter((call) => call.digest === about && call.status === 'ready'),
    );
  const call = callOf(k, about);
  if (kind === 'tool' && call !== undefined) makeReady(k, call);
};

/** One turn of the model: whatever begins another one changes its name. */
export const turnOf = ({ attempt, counters: { rounds, corrections, revisions, pauses } }: Known): string =>
  [attempt, rounds, corrections, revisions, pauses].join('.');

const late = (k: Known, call: Call): void => {
  giveUp(call, 'TOOL_TIMEOUT');
  tell(k, call);
};

const overdueCall = (k: Known, call: Call | undefined): boolean =>
  call?.status === 'started' && take(() => late(k, call));

const overdueStart = (call: Call | undefined): boolean =>
  call !== undefined && take(() => giveUpUnmade(call, 'CALL_NOT_STARTED'));

const overdueDependency = (k: Known, id: string): boolean =>
  waitingFor(k, id).length > 0 && take(() => waitingFor(k, id).forEach((call) => late(k, call)));

const overdueApproval = (k: Known, digest: string): boolean => {
  const ended = unresolvedCalls(k, digest).filter((call) => call.approvals.length > 0 && !call.underWay);
  return (
    ended.length > 0 &&
    take(() => {
      for (const call of ended) call.approvals = [];
    })
  );
};

const overdueEvidence = (k: Known, id: string): boolean => {
  const known = [...k.calls, ...k.effects].flatMap(({ evidence }) => (evidence?.id === id ? [evidence] : []));
  if (!known.some(({ stale }) => !stale)) return false;
  return take(() => {
    for (const evidence of known) evidence.stale = true;
  });
};

const overdueReport = (k: Known, id: string, at: Rest['at']): boolean => {
  const [of = '', ...words] = id.split(' ');
  const verifier = words.join(' '); // its name may have spaces
  const isWaitedFor =
    at === 'checking' || at === 'verifying' || (at === 'asking' && checksBeside(k).length > 0);
  if (!isWaitedFor || !isReportOwed(k, verifier, of)) return false;
  return take(() => noteReport(k, verifier, of, 'timeout'));
};

const overdueRollback = (k: Known, id: string, at: Rest['at']): boolean => {
  const effect = effectOf(k, id);
  if (effect === undefined || at !== 'undoing') return false;
  if (effect.status !== 'undoing' && rollbackOwed(k) !== id) return false;
  return take(() => void (effect.status = 'stuck'));
};

/** What the passing of a deadline does; that of what is over changes nothing and is not taken (interpretation 0004). */
export const isOverdue = (
  k: Known,
  { of, id }: FactNamed<'deadline.passed'>,
  { at, next }: Rest,
): boolean => {
  const question = k.questions.get(id);
  if (k.outcome !== null && of !== 'offer' && of !== 'followup') return false;
  switch (of) {
    case 'accept':
      return at === 'intake' && id === k.request && take(() => fail(k, ['GUARD_ERROR']));
    case 'model':
    case 'host':
      return (
        (at === 'proposing' || at === 'concluding') &&
        k.taskClass.host === (of === 'host') &&
        id === turnOf(k) &&
        take(() => (of === 'host' ? missHost(k, id) : fail(k, ['MODEL_UNAVAILABLE'])))
      );
    case 'start':
      return next.includes(id) && overdueStart(callOf(k, id));
    case 'policy': {
      const call = callOf(k, id);
      const isOwed = call?.status === 'ready' && isWrite(call) && call.verdict === null;
      const isWaitedFor = at === 'authorizing' || (at === 'asking' && decisionsBeside(k).length > 0);
      return isWaitedFor && isOwed && take(() => fail(k, ['POLICY_UNAVAILABLE']));
    }
    case 'call':
      return overdueCall(k, callOf(k, id));
    case 'dependency':
      return overdueDependency(k, id);
    case 'verifier':
      return overdueReport(k, id, at);
    case 'question':
      return question !== undefined && take(() => unanswered(k, id, question));
    case 'approval':
      return overdueApproval(k, id);
    case 'evidence':
      return overdueEvidence(k, id);
    case 'rollback':
      return overdueRollback(k, id, at);
    case 'offer':
      return at === 'offering' && id === k.request && take(() => void (k.offer = 'over'));
    case 'followup':
      return at === 'offered' && id === k.request && take(() => void (k.offer = 'over'));
    default:
      return false;
  }
};
