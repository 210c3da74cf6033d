import type { ReasonCode } from '../../schema/index.ts';
import { entry } from './acceptance.ts';
import { changeCall, changeCalls, closedFor, type Change } from './changes.ts';
import type { Call, Context, Effect } from './context.ts';
import type { FactOf, ProposedCall } from './facts.ts';
import { isWrite } from './owed.ts';

/** How a write starts out, given what the same action already did: done is done, and undone stays undone. */
const known = (effect: Effect | undefined): Pick<Call, 'status' | 'evidence' | 'code'> => {
  if (effect === undefined) return { status: 'proposed', evidence: null, code: null };
  if (effect.status === 'committed') return { status: 'succeeded', evidence: effect.evidence, code: null };
  return { status: 'failed', evidence: null, code: 'EFFECT_CLOSED' };
};

/** The call that a proposal asks for: a read is allowed at once (UAICP 5.3), a write owes a policy decision. */
export const callFor = (c: Context, { tool, tier, digest, rollback }: ProposedCall): Call => ({
  tool,
  tier,
  digest,
  rollback,
  review: false,
  authority: null,
  ...(isWrite({ tier })
    ? known(c.effects.find((effect) => effect.digest === digest))
    : ({ status: 'allowed', evidence: null, code: null } as const)),
});

export const callsFor = (c: Context, proposed: readonly ProposedCall[]): Record<string, Call> =>
  Object.fromEntries(proposed.map((call) => [call.id, callFor(c, call)]));

export const succeeded = (
  c: Context,
  { call: id, evidence: { id: evidenceId, type } }: FactOf<'call.succeeded'>,
): Change => {
  const call = entry(c.calls, id);
  if (call === undefined) return {};
  const evidence = { id: evidenceId, type, stale: false };
  const outcome = { status: 'succeeded', evidence, code: null } as const;
  const collected = c.collected + 1;
  if (!isWrite(call)) return { ...changeCall(c, id, outcome), ...closedFor(c, id), collected };
  const effect: Effect = {
    digest: call.digest,
    tool: call.tool,
    rollback: call.rollback,
    status: 'committed',
    evidence,
  };
  return {
    calls: changeCalls(c, ({ digest }) => digest === call.digest, outcome),
    effects: [...c.effects.filter(({ digest }) => digest !== call.digest), effect],
    ...closedFor(c, id),
    collected,
  };
};

/** A read without an outcome has failed; a write without one may have happened. */
export const doubted = (c: Context, id: string, code: ReasonCode): Change => {
  const call = entry(c.calls, id);
  return {
    ...changeCall(c, id, { status: call !== undefined && isWrite(call) ? 'doubted' : 'failed', code }),
    ...closedFor(c, id),
  };
};
