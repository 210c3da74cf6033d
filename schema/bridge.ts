import type { Identity, MessageEnvelope } from './uaicp/message-envelope.ts';
import type { Outcome } from './uaicp/outcome.ts';
import type { Phase } from './uaicp/phase.ts';
import type { UpFormatMessage } from './upformat/message.ts';
import type { OperationalState } from './upformat/operational-state.ts';

/** A situation that both specifications describe. */
export interface Correspondence {
  readonly when: string;
  readonly phases: readonly [Phase, ...Phase[]];
  readonly outcome: Outcome;
}

/** Maps each operational state of UpFormat Table 2 to UAICP's phases (3, Execution States) and outcomes. */
export const correspondences = {
  submitted: [
    { when: 'running', phases: ['intake', 'plan', 'execute', 'verify'], outcome: 'pending' },
    { when: 'undoing', phases: ['execute'], outcome: 'pending' },
  ],
  waiting: [{ when: 'a dependency or a child is outstanding', phases: ['execute'], outcome: 'pending' }],
  needsHumanDecision: [
    { when: 'a question is open', phases: ['intake', 'plan', 'execute'], outcome: 'pending' },
  ],
  completed: [{ when: 'delivered', phases: ['deliver'], outcome: 'success' }],
  followup: [{ when: 'delivered, a refinement is offered', phases: ['deliver'], outcome: 'success' }],
  failed: [
    { when: 'an invariant is unmet', phases: ['fail_safe'], outcome: 'uncertain' },
    { when: 'incapable, broken or rejected', phases: ['fail_safe'], outcome: 'failure' },
  ],
  cancelled: [
    { when: 'cancelled', phases: ['fail_safe'], outcome: 'failure' },
    { when: 'cancelled, and a write could not be undone', phases: ['fail_safe'], outcome: 'uncertain' },
  ],
} as const satisfies Record<OperationalState, readonly [Correspondence, ...Correspondence[]]>;

type MessageField = keyof (typeof UpFormatMessage)['shape'];
type EnvelopeField = keyof MessageEnvelope | `identity.${keyof (typeof Identity)['shape']}`;

/** The envelope field with the same meaning as a message field, and a similar field with another meaning. */
export interface FieldCorrespondence {
  /** The envelope field with the same meaning, or `null`. */
  readonly is: EnvelopeField | null;
  readonly isNot?: EnvelopeField;
  readonly because: string;
}

/** Compares each field of UpFormat Table 1 and its extensions with the envelope of UAICP 6. */
export const fieldCorrespondences = {
  messageId: { is: null, isNot: 'request_id', because: 'a run has one request and many messages' },
  threadId: { is: null, isNot: 'trace_id', because: 'a conversation outlives the run that is traced' },
  parentMessageId: {
    is: null,
    isNot: 'parent_trace_id',
    because: "one names a message, the other an orchestrator's trace",
  },
  timestamp: { is: 'timestamp', because: 'both are the instant at which the step was recorded' },
  state: { is: null, isNot: 'state', because: 'one is an operational state, the other a phase' },
  payload: { is: null, isNot: 'metadata', because: 'content is not carried by the envelope' },
  explanation: { is: null, because: 'the envelope has no words for people' },
  agentId: { is: 'identity.agent_id', because: 'both name the acting agent' },
  upThought: { is: null, isNot: 'outcome', because: "a model's confidence is no verdict" },
  upFeedback: { is: null, isNot: 'metadata', because: "feedback's metadata weighs the feedback only" },
  upContext: { is: null, because: 'the envelope does not describe content' },
} as const satisfies Record<MessageField, FieldCorrespondence>;
