import { entry } from '../change.ts';
import type { Call, Context } from '../context.ts';
import { isConfidence } from '../operational-state.ts';
import type { Plan, ProposedCall } from './fields.ts';

/**
 * Returns whether a name may be a key in context. XState would store an object with the keys `sessionId`, `send` and
 * `ref` as a reference to an actor.
 */
export const isStorable = (name: string): boolean => name !== 'sessionId';

/** Returns whether the id of a question is new. Ids with a colon are reserved for questions of the chart itself. */
export const isNewQuestion = (c: Context, question: string): boolean =>
  isStorable(question) && !question.includes(':') && entry(c.questions, question) === undefined;

/** Returns whether the task class allows the tool of a call. */
export const isAllowedCall = ({ taskClass: { tools } }: Context, { tool }: ProposedCall): boolean =>
  tools?.includes(tool) ?? true;

/** Returns whether the calls have ids that can be stored and are unique. */
const haveUniqueIds = (calls: readonly ProposedCall[]): boolean =>
  calls.every(({ id }) => isStorable(id)) && new Set(calls.map(({ id }) => id)).size === calls.length;

type Proposed = Pick<Plan, 'confidence' | 'calls'>;

/** Returns whether a proposal has a valid confidence, calls with unique ids, and tools of the task class. */
export const isProposal = (c: Context, { confidence, calls }: Proposed): boolean =>
  isConfidence(confidence) && haveUniqueIds(calls) && calls.every((call) => isAllowedCall(c, call));

/** Returns whether a proposal is valid and can follow the calls of this attempt: its ids are new. */
export const isFurther = (c: Context, proposed: Proposed): boolean =>
  isProposal(c, proposed) && proposed.calls.every(({ id }) => entry(c.calls, id) === undefined);

/** Returns the call that a fact is about; `undefined` if the fact is of another request or attempt. */
export const callOf = (
  c: Context,
  fact: { readonly request: string; readonly attempt: number; readonly call: string },
): Call | undefined =>
  fact.request === c.request && fact.attempt === c.attempt ? entry(c.calls, fact.call) : undefined;
