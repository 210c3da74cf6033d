import { OperationalState, type Outcome, type Phase, type ReasonCode } from '../schema/index.ts';
import type { Context } from './context.ts';

/**
 * A document to emit after a step: a message for each operational state entered, an envelope for each phase entered.
 */
export type Occasion =
  | { readonly kind: 'message'; readonly state: OperationalState }
  | {
      readonly kind: 'envelope';
      readonly phase: Phase;
      readonly outcome: Outcome;
      /** The reason codes (UAICP 7), the deciding one first; empty unless the phase is `fail_safe`. */
      readonly reasonCodes: readonly ReasonCode[];
      readonly missingEvidence: readonly string[];
    };

/** The codes of a plain failure: something broke, or a person refused, and no invariant of UAICP 5 is in question. */
const failures: ReadonlySet<ReasonCode> = new Set([
  'TOOL_FAILED',
  'TOOL_TIMEOUT',
  'CHILD_FAILED',
  'BEYOND_CAPABILITY',
  'MODEL_UNAVAILABLE',
  'MODEL_ERROR',
  'HOST_UNAVAILABLE',
  'CALL_NOT_STARTED',
  'TOOL_UNAVAILABLE',
  'HUMAN_REJECTED',
  'CANCELLED',
] satisfies ReasonCode[]);

/** Returns the outcome of a run as its envelope states it: `uncertain` if an invariant is unmet (UAICP 7). */
export const outcomeOf = ({ outcome, reasons }: Context): Outcome => {
  switch (outcome) {
    case 'delivered':
      return 'success';
    case 'failed':
    case 'cancelled':
      return reasons.every(({ code }) => failures.has(code)) ? 'failure' : 'uncertain';
    case null:
      return 'pending';
  }
};

const operationalStates: ReadonlySet<string> = new Set(OperationalState.options);

const isState = (name: Phase | OperationalState): name is OperationalState => operationalStates.has(name);

/** Returns the documents to emit for the step that led to this context, in the order of its trail. */
export const occasionsOf = (after: Context): readonly Occasion[] =>
  after.trail.map((name): Occasion => {
    if (isState(name)) return { kind: 'message', state: name };
    const ended = name === 'deliver' || name === 'fail_safe';
    const reasons = name === 'fail_safe' ? after.reasons : [];
    return {
      kind: 'envelope',
      phase: name,
      outcome: ended ? outcomeOf(after) : 'pending',
      reasonCodes: [...new Set(reasons.map(({ code }) => code))],
      missingEvidence: reasons.filter(({ code }) => code === 'EVIDENCE_MISSING').map(({ about }) => about),
    };
  });
