import type { EvidenceType } from '../../schema/index.ts';

/** Evidence that a task class asks for: a type, and optionally the tool that must have produced it (UAICP 5.1). */
export interface EvidenceRequirement {
  readonly type: EvidenceType;
  readonly tool?: string;
}

/** What must stand before a gate opens: evidence (UAICP 5.1) and passed verifiers, by id (UAICP 5.2). */
export interface Requirements {
  readonly evidence: readonly EvidenceRequirement[];
  readonly verifiers: readonly string[];
}

/** Whose word clears a high-risk write (UAICP 5.3): a signed approval, or a person or system traced in the ledger. */
export type Authority = 'approval' | 'human' | 'system';

/** Bounds on everything that could otherwise grow without end; each is a count of one request. */
export interface Limits {
  /** Outputs of the model that may be sent back for correction, in a row (UpFormat 2.3). */
  readonly corrections: number;
  /** Repairs after an unmet invariant (UAICP 4.1). */
  readonly repairs: number;
  /** Times that the model may propose calls, the plan included. */
  readonly rounds: number;
  /** New plans at the word of a person. */
  readonly revisions: number;
  /** Times that reads are called again because their evidence grew too old before a write. */
  readonly refreshes: number;
  /** Times that the run may stop for a question or a dependency, whoever raises it. */
  readonly pauses: number;
}

/** The questions that may go unanswered: at the deadline their declared default is taken. */
export type DefaultedQuestion = 'information' | 'approval' | 'tool';

/** The contract of one class of tasks, as data: a task keeps the one that it began under. */
export interface TaskClass {
  readonly id: string;
  /** Confidence that an output must exceed to go on without a person; equality asks (UpFormat 2.3). */
  readonly threshold: number;
  readonly beforeWrite: Requirements;
  readonly beforeDeliver: Requirements;
  readonly authorities: readonly Authority[];
  /** How many approvers a high-risk write needs, each of them another one (UAICP 5.3). */
  readonly approvers: number;
  readonly repairTo: 'plan' | 'execute';
  readonly limits: Limits;
  readonly defaults: readonly DefaultedQuestion[];
  /** Whether a delivered task offers an optional refinement (UpFormat Table 2, followup). */
  readonly followup: boolean;
}

/** A task class with everything optional but its name; what is left out is the strict choice. */
export interface TaskClassInput extends Partial<
  Omit<TaskClass, 'id' | 'beforeWrite' | 'beforeDeliver' | 'limits'>
> {
  readonly id: string;
  readonly beforeWrite?: Partial<Requirements>;
  readonly beforeDeliver?: Partial<Requirements>;
  readonly limits?: Partial<Limits>;
}

const nothing: Requirements = { evidence: [], verifiers: [] };
const limits: Limits = { corrections: 2, repairs: 1, rounds: 3, revisions: 3, refreshes: 2, pauses: 8 };

/** The whole task class that a partial one stands for. */
export const taskClass = (given: TaskClassInput): TaskClass => ({
  threshold: 0.5,
  authorities: ['approval'],
  approvers: 1,
  repairTo: 'plan',
  defaults: [],
  followup: false,
  ...given,
  beforeWrite: { ...nothing, ...given.beforeWrite },
  beforeDeliver: { ...nothing, ...given.beforeDeliver },
  limits: { ...limits, ...given.limits },
});
