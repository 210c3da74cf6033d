import type { Result, Scenario } from 'agentcharter/testing';
import type { Json, Work } from './work.ts';

/** What a scenario asks for, in the terms of the two programs. Parts that they do not support are omitted. */
export const workOf = ({ tools, verifiers, requires, repairs }: Scenario): Work => ({
  tools: tools.map(({ name, tier, call }) => ({
    name,
    isRisky: tier === 'write_high_risk',
    run: async (input, { id }) => {
      const answer = await call(input, { request_id: id, trace_id: '' }); // they know of no trace
      return answer.kind === 'result' ? answer.payload : answer.evidence;
    },
  })),
  requiredEvidence: requires.beforeDeliver.evidence,
  verifiers: verifiers
    .filter(({ id }) => requires.beforeDeliver.verifiers.includes(id))
    .map(({ id, verify }) => ({ id, verify: (value, evidence) => verify({ value, evidence }) })),
  repairs,
});

/** What the user of a run asks for, as the first message of a conversation. */
export const wordingOf = ({ request }: Scenario): string =>
  `${request.explanation} ${JSON.stringify(request.payload)}`;

/** How a run ended that has two ways to end, and no codes for either. */
export const resultOf = (payload: Json | null): Result => ({
  outcome: payload === null ? 'failure' : 'success',
  reasonCodes: [],
  payload,
});
