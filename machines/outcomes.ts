import type { ReasonCode } from '../schema/index.ts';
import { changeCalls, moveCall, moveCalls, type CallEvent } from './call.ts';
import { entry, type Change } from './change.ts';
import type { Call, Context, EvidenceReference } from './context.ts';
import { addEffect } from './effect.ts';
import type { Evidence } from './facts/fields.ts';
import { isWrite } from './owed.ts';
import { closeQuestionsOf } from './question.ts';

/** Returns the part of evidence that gates read, as fresh evidence. */
const evidenceOf = (
  { id, type, empty = false, meets = [], subjects }: Evidence,
  byPerson: boolean,
): EvidenceReference => ({
  id,
  type,
  stale: false,
  ...(empty && { empty }),
  ...(byPerson && { byPerson }),
  ...(meets.length > 0 && { meets }),
  ...(subjects && { subjects }),
});

/**
 * Applies an outcome to a call and to every other call of the same action. They share the outcome and the approvers.
 */
const moveAction = (
  c: Context,
  id: string,
  call: Call,
  [own, others]: readonly [CallEvent, CallEvent],
  outcome: Partial<Omit<Call, 'status'>>,
): Change => {
  const { digest, review, authority, approvers } = call;
  const calls = moveCalls(c, (_, name) => name === id, own, outcome);
  const isOther = (other: Call, name: string): boolean => name !== id && other.digest === digest;
  return {
    calls: moveCalls({ ...c, calls }, isOther, others, { review, authority, approvers, ...outcome }),
  };
};

/** Codes of a tool that answered with an error, or not in time. */
const observable: ReadonlySet<ReasonCode | null> = new Set(['TOOL_FAILED', 'TOOL_TIMEOUT'] as const);

/** Counts the failure of a call under its tool. Within the limit it is an observation: the run goes on (UAICP 4.1). */
const observed = (before: Context, c: Context, id: string): Change => {
  const call = entry(c.calls, id);
  const hasFailed = call?.status === 'failed' && entry(before.calls, id)?.status !== 'failed';
  const most = c.taskClass.limits.failures;
  if (most === undefined || c.failures === undefined || !hasFailed || !observable.has(call.code)) return {};
  const count = (entry(c.failures, call.tool) ?? 0) + 1;
  return {
    failures: { ...c.failures, [call.tool]: count },
    calls: changeCalls(c, (_, name) => name === id, { observed: count <= most }),
  };
};

/** Applies an event that ends a call without a result. */
export const ended = (
  c: Context,
  id: string,
  event: CallEvent,
  code: ReasonCode,
  causes: readonly ReasonCode[] = [],
): Change => {
  const moved = moveCall(c, id, event, { code, causes });
  return { ...moved, ...observed(c, { ...c, ...moved }, id), ...closeQuestionsOf(c, id) };
};

/** Records that the write of a call happened. */
const committed = (c: Context, id: string, call: Call, evidence: EvidenceReference | null): Change => ({
  ...moveAction(c, id, call, ['call.succeeded', 'action.succeeded'], { evidence, code: null, causes: [] }),
  effects: addEffect(c, call, 'call.succeeded', evidence),
  collected: evidence === null ? c.collected : c.collected + 1,
});

/** Records the result of a call. */
export const succeeded = (c: Context, id: string, given: Evidence): Change => {
  const call = entry(c.calls, id);
  if (call === undefined) return {};
  const evidence = evidenceOf(given, false);
  const settled = isWrite(call)
    ? committed(c, id, call, evidence)
    : {
        ...moveCall(c, id, 'call.succeeded', { evidence, code: null, causes: [] }),
        collected: c.collected + 1,
      };
  return { ...settled, ...closeQuestionsOf(c, id) };
};

/** Records that the outcome of a call is unknown. */
export const doubted = (
  c: Context,
  id: string,
  code: ReasonCode,
  causes: readonly ReasonCode[] = [],
): Change => ended(c, id, 'call.doubted', code, causes);

/** Abandons a call before it finishes. */
export const abandoned = (c: Context, id: string, code: ReasonCode): Change =>
  ended(c, id, 'call.abandoned', code);

/** Records a person's statement that the write of a call in doubt happened. */
export const confirmed = (c: Context, id: string, word: Evidence | undefined): Change => {
  const call = entry(c.calls, id);
  return call === undefined ? {} : committed(c, id, call, word === undefined ? null : evidenceOf(word, true));
};

/** Records a person's statement that the write of a call in doubt did not happen. The action is not repeated. */
export const ruledOut = (c: Context, id: string): Change => {
  const call = entry(c.calls, id);
  return call === undefined
    ? {}
    : {
        ...moveAction(c, id, call, ['action.ruledOut', 'action.ruledOut'], {
          code: 'HUMAN_REJECTED',
          causes: [],
        }),
        effects: addEffect(c, call, 'question.ruledOut', null),
      };
};

/** Refuses the calls of an action that have not started. A write that may have had an effect becomes doubted. */
export const declined = (c: Context, digest: string, code: ReasonCode): Record<string, Call> =>
  moveCalls(c, (call) => call.digest === digest, 'question.declined', { code });
