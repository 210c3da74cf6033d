import { entry } from '../change.ts';
import type { Call, Context } from '../context.ts';
import { isConfidence } from '../operational-state.ts';
import type { Plan, ProposedCall } from './fields.ts';

/** XState stores an object with this key, and two more, as the reference of an actor: no name may complete it. */
export const isStorable = (name: string): boolean => name !== 'sessionId';

/** Whether a question has a new name. Names with a colon are the gates' own, and bound to a digest. */
export const isNewQuestion = (c: Context, question: string): boolean =>
  isStorable(question) && !question.includes(':') && entry(c.questions, question) === undefined;

/** Whether a call may be proposed: the task class allows its tool. */
export const isAllowedCall = ({ taskClass: { tools } }: Context, { tool }: ProposedCall): boolean =>
  tools?.includes(tool) ?? true;

/** Returns whether the calls have ids that can be stored and are unique. */
const haveUniqueIds = (calls: readonly ProposedCall[]): boolean =>
  calls.every(({ id }) => isStorable(id)) && new Set(calls.map(({ id }) => id)).size === calls.length;

type Proposed = Pick<Plan, 'confidence' | 'calls'>;

/** Whether a proposal has a confidence, calls with unique ids, and tools of the task class. */
export const isProposal = (c: Context, { confidence, calls }: Proposed): boolean =>
  isConfidence(confidence) && haveUniqueIds(calls) && calls.every((call) => isAllowedCall(c, call));

/** Whether a proposal can follow the calls of this attempt. */
export const isFurther = (c: Context, proposed: Proposed): boolean =>
  isProposal(c, proposed) && proposed.calls.every(({ id }) => entry(c.calls, id) === undefined);

/** Returns the call that a fact of this request and this attempt is about. */
export const callOf = (
  c: Context,
  fact: { readonly request: string; readonly attempt: number; readonly call: string },
): Call | undefined =>
  fact.request === c.request && fact.attempt === c.attempt ? entry(c.calls, fact.call) : undefined;
