import type { Known } from './known.ts';
import type { PlanWords, Proposal, Words } from './vocabulary.ts';

/** A confidence is a number from 0 to 1, or was not stated (UpFormat 2.3). */
const isConfidence = (confidence: Words['confidence']): boolean =>
  confidence === 'unstated' || (confidence >= 0 && confidence <= 1);

/** Whether what a model or a person says of an output can be read at all. */
export const isReadable = ({ confidence }: Words): boolean => isConfidence(confidence);

/** The calls of a proposal have new names, each its own (interpretation 0016). */
const areNewCalls = (taken: readonly Proposal[], calls: readonly Proposal[]): boolean => {
  const ids = [...taken, ...calls].map(({ id }) => id);
  return new Set(ids).size === ids.length && !ids.includes('sessionId');
};

/** Whether the task class lets this tool be called. */
export const isAllowedTool = ({ taskClass: { tools } }: Known, tool: string): boolean =>
  tools === undefined || tools.includes(tool);

/** Whether a call may be proposed: its tool may be called. */
export const isAllowedCall = (k: Known, { tool }: Proposal): boolean => isAllowedTool(k, tool);

/** Whether these calls, and what is said of them, may be proposed beside calls that there are. */
export const mayPropose = (k: Known, beside: readonly Proposal[], plan: PlanWords): boolean =>
  isReadable(plan) && areNewCalls(beside, plan.calls) && plan.calls.every((call) => isAllowedCall(k, call));
