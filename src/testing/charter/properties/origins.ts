import { isDeepStrictEqual } from 'node:util';
import type { Context, Fact, ProposedCall } from '../../../../machines/index.ts';
import type { StateView } from './states.ts';
import { isEndorsed, isOwedRead, isShared, isWrite } from './predicates.ts';
import { isReplanned, type Step } from './steps.ts';

/** The properties of calls that are held, because of the origins of their values or of their tool, in every state. */
export const inEveryState: Readonly<Record<string, (here: StateView) => boolean>> = {
  'only a person or a signed approval authorizes a call that is held': ({ c }) =>
    Object.values(c.calls).every((call) => call.authority === null || isEndorsed(call) || isShared(c, call)),
  'a task class that refuses held calls asks no one about them': ({ c }) =>
    c.taskClass.flows !== 'refuse' ||
    Object.values(c.calls).every(
      ({ held, status, digest }) =>
        held === undefined ||
        (status !== 'proposed' && status !== 'allowed' && status !== 'started') ||
        !(`approval:${digest}` in c.questions),
    ),
};

/** Returns the calls that a fact brings, and those that were proposed before and wait to be let in. */
const proposedBy = (fact: Fact, { further }: Context): readonly ProposedCall[] => {
  const waiting = further?.calls ?? [];
  if (fact.type === 'plan.proposed' || fact.type === 'calls.proposed') return fact.calls;
  return fact.type === 'human.responded' ? [...(fact.plan?.calls ?? []), ...waiting] : waiting;
};

/** The properties of calls that are held, or that are denied alone, in every step. */
export const inEveryStep: Readonly<Record<string, (step: Step) => boolean>> = {
  'no call starts whose origins were neither accepted nor endorsed by a person': ({ before, fact }) => {
    const call = fact.type === 'call.started' ? before.calls[fact.call] : undefined;
    return call === undefined || isEndorsed(call);
  },
  'no policy decides and no write starts while a read waits to be endorsed': ({ before, fact }) => {
    const call = fact.type === 'call.started' ? before.calls[fact.call] : undefined;
    return (
      (fact.type !== 'policy.decided' && (call === undefined || !isWrite(call))) ||
      !Object.values(before.calls).some((read) => isOwedRead(read) && !isEndorsed(read))
    );
  },
  'a call is held as it was proposed, unless its action has an outcome': ({ before, fact, after }) =>
    Object.entries(after.calls).every(([id, { digest, held }]) => {
      const was = before.calls[id];
      if (was?.digest === digest && isDeepStrictEqual(was.held, held)) return true;
      const edited = fact.type === 'human.responded' ? fact.call : undefined;
      const proposal = proposedBy(fact, before).find((call) => call.id === id) ?? edited;
      const isOver = before.effects.some((effect) => effect.digest === digest);
      return proposal?.digest === digest && isDeepStrictEqual(held, isOver ? undefined : proposal.held);
    }),
  'a call that is held stays held, for the same reasons': ({ before, fact, after }) =>
    fact.type === 'changes.requested' ||
    before.attempt !== after.attempt ||
    isReplanned(fact, after) ||
    Object.entries(before.calls).every(([id, { held, digest }]) => {
      const is = after.calls[id];
      const isEdited = fact.type === 'human.responded' && fact.call !== undefined;
      return held === undefined || is?.digest !== digest || isEdited || isDeepStrictEqual(is.held, held);
    }),
  'a task class that refuses held calls lets none of them start': ({ before, fact, after }) =>
    before.taskClass.flows !== 'refuse' ||
    ((fact.type !== 'call.started' || before.calls[fact.call]?.held === undefined) &&
      Object.values(after.calls).every(
        ({ held, status }) => held === undefined || (status !== 'proposed' && status !== 'allowed'),
      )),
  'a policy that denies one call refuses it, and gives the run no reason to fail': ({
    before,
    fact,
    after,
  }) => {
    if (fact.type !== 'policy.decided' || fact.ends !== 'call') return true;
    const was = before.calls[fact.call];
    const is = after.calls[fact.call];
    return (
      fact.verdict === 'deny' &&
      !after.reasons.some(({ code }) => code === 'POLICY_BLOCKED') &&
      (after.attempt !== before.attempt ||
        (is?.status === (was?.underWay === true ? 'doubted' : 'refused') && is.code === 'POLICY_BLOCKED'))
    );
  },
  'a call that was refused does not start': ({ before, fact }) =>
    fact.type !== 'call.started' || before.calls[fact.call]?.status !== 'refused',
};
