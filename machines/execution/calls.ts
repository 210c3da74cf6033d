import type { ReasonCode } from '../../schema/index.ts';
import { entry } from './acceptance.ts';
import { isToBeMade } from './approvals.ts';
import { changeCall, changeSameAction, closeQuestionsOf, settledEffect, type Change } from './changes.ts';
import type { Call, Context, Effect, EvidenceReference } from './context.ts';
import type { FactOf, ProposedCall } from './facts.ts';
import { isWrite } from './owed.ts';

/** Returns how a new write starts, given the earlier effect of the same action: a committed effect counts, any other is not repeated. */
const priorOutcome = (
  effect: Effect | undefined,
): Pick<Call, 'status' | 'evidence' | 'authority' | 'code'> => {
  if (effect === undefined) return { status: 'proposed', evidence: null, authority: null, code: null };
  const { evidence, authority } = effect;
  return effect.status === 'committed'
    ? { status: 'succeeded', evidence, authority, code: null }
    : { status: 'failed', evidence: null, authority: null, code: 'EFFECT_CLOSED' };
};

/** Returns a call of the same action that is still to be made. */
const sameActionOf = (c: Context, digest: string): Call | undefined =>
  Object.values(c.calls).find((call) => isWrite(call) && call.digest === digest && isToBeMade(call));

/** Returns the approvals that calls of the same action share. */
const sharedWith = (other: Call | undefined): Partial<Pick<Call, 'authority' | 'approvers'>> =>
  other === undefined ? {} : { authority: other.authority, approvers: other.approvers };

/** The call that a proposal asks for: a read is allowed at once (UAICP 5.3), a write owes a policy decision. */
export const callFor = (
  c: Context,
  { tool, tier, digest, rollback, subjects }: ProposedCall,
  at: number,
): Call => ({
  at,
  tool,
  tier,
  digest,
  rollback,
  ...(subjects && { subjects }),
  underWay: false,
  cleared: false,
  review: false,
  approvers: [],
  causes: [],
  ...(isWrite({ tier })
    ? {
        ...priorOutcome(c.effects.find((effect) => effect.digest === digest)),
        ...sharedWith(sameActionOf(c, digest)),
      }
    : ({ status: 'allowed', evidence: null, authority: null, code: null } as const)),
});

/** The calls that a proposal asks for, numbered in its order. */
export const callsFor = (c: Context, proposed: readonly ProposedCall[], from = 0): Record<string, Call> =>
  Object.fromEntries(proposed.map((call, index) => [call.id, callFor(c, call, from + index)]));

/** The calls of a plan, which has nothing of the calls that it replaces. */
export const callsOfPlan = (c: Context, proposed: readonly ProposedCall[]): Record<string, Call> =>
  callsFor({ ...c, calls: {} }, proposed);

/** Evidence as gates see it, fresh. */
export const evidenceOf = (
  { id, type, empty = false, meets = [], subjects }: FactOf<'call.succeeded'>['evidence'],
  byPerson = false,
): EvidenceReference => ({
  id,
  type,
  stale: false,
  ...(empty && { empty }),
  ...(byPerson && { byPerson }),
  ...(meets.length > 0 && { meets }),
  ...(subjects && { subjects }),
});

/** What a write came to. */
export const effectOf = (
  { digest, tool, rollback, authority }: Call,
  status: Effect['status'],
  evidence: Effect['evidence'],
): Effect => ({ digest, tool, rollback, authority, status, evidence });

export const succeeded = (c: Context, { call: id, evidence: given }: FactOf<'call.succeeded'>): Change => {
  const call = entry(c.calls, id);
  if (call === undefined) return {};
  const evidence = evidenceOf(given);
  const outcome = { status: 'succeeded', evidence, code: null, causes: [] } as const;
  const collected = c.collected + 1;
  if (!isWrite(call)) return { ...changeCall(c, id, outcome), ...closeQuestionsOf(c, id), collected };
  return {
    calls: changeSameAction(c, call, outcome),
    effects: settledEffect(c, effectOf(call, 'committed', evidence)),
    ...closeQuestionsOf(c, id),
    collected,
  };
};

/** A read without an outcome has failed; a write without one may have happened. */
export const doubted = (
  c: Context,
  id: string,
  code: ReasonCode,
  causes: readonly ReasonCode[] = [],
): Change => {
  const call = entry(c.calls, id);
  const status = call !== undefined && isWrite(call) ? 'doubted' : 'failed';
  return {
    ...changeCall(c, id, { status, code, causes }),
    ...closeQuestionsOf(c, id),
  };
};

/** A call that is given up before it finished: nothing happened, unless it was under way. */
export const unfinished = (c: Context, id: string, code: ReasonCode): Change =>
  entry(c.calls, id)?.underWay === true
    ? doubted(c, id, code)
    : { ...changeCall(c, id, { status: 'failed', code, causes: [] }), ...closeQuestionsOf(c, id) };

/** The writes of an action are not made: what was under way may have happened. */
export const declined = (c: Context, digest: string, code: ReasonCode): Record<string, Call> =>
  Object.fromEntries(
    Object.entries(c.calls).map(([id, call]) => {
      if (call.digest !== digest || !isToBeMade(call)) return [id, call];
      const status = call.underWay ? 'doubted' : 'refused';
      return [id, { ...call, status, code }];
    }),
  );

/** No call is made of a tool that the task class does not allow any more, whenever it is owed again. */
export const unavailable = (c: Context): Change =>
  Object.entries(c.calls).reduce<Change>(
    (change, [id, call]) =>
      isToBeMade(call) && c.taskClass.tools?.includes(call.tool) === false
        ? { ...change, ...unfinished({ ...c, ...change }, id, 'TOOL_UNAVAILABLE') }
        : change,
    {},
  );

/** No one is asked about an action of which no call is made any more. */
export const unasked = (c: Context): Change => {
  const isIdle = ({ kind, about }: Context['questions'][string]): boolean =>
    kind === 'approval' && !Object.values(c.calls).some((call) => call.digest === about && isToBeMade(call));
  const open = Object.entries(c.questions);
  const asked = open.filter(([, question]) => !isIdle(question));
  return asked.length === open.length ? {} : { questions: Object.fromEntries(asked) };
};
