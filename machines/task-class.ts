import type { EvidenceType } from '../schema/index.ts';
import { withoutUndefined } from './without-undefined.ts';

/** One kind of evidence that counts for a requirement (UAICP 5.1). */
export interface EvidenceClause {
  readonly type: EvidenceType;
  /** The tool that must have produced it; any tool by default. */
  readonly tool?: string | undefined;
  /** An empty payload (`null`, '', [] or {}) counts; by default it does not. */
  readonly allowEmpty?: true | undefined;
  /** A person's statement that a write happened counts; by default it does not. */
  readonly byPerson?: true | undefined;
  /** The name of a check that the payload must have passed when it was collected. */
  readonly check?: string | undefined;
  /** The evidence and the write must have the same subject under `check`. */
  readonly ofAction?: true | undefined;
}

/** Evidence that a task class requires: one clause, or any one of several (UAICP 5.1). */
export type EvidenceRequirement = EvidenceClause | { readonly anyOf: readonly EvidenceClause[] };

/** Returns the clauses of a requirement. Evidence must meet one of them. */
export const clausesOf = (requirement: EvidenceRequirement): readonly EvidenceClause[] =>
  'anyOf' in requirement ? requirement.anyOf : [requirement];

/** The requirements of a gate: evidence (UAICP 5.1), and the ids of the verifiers that must pass (UAICP 5.2). */
export interface Requirements {
  readonly evidence: readonly EvidenceRequirement[];
  readonly verifiers: readonly string[];
}

/**
 * What may approve a high-risk write (UAICP 5.3): a signed token (`approval`), or a person or system recorded in the
 * ledger.
 */
export type Authority = 'approval' | 'human' | 'system';

/** The limits on everything that could otherwise repeat without end. Each counts within one request. */
export interface Limits {
  /** Outputs of the model, in a row, that may be sent back for correction (UpFormat 2.3). */
  readonly corrections: number;
  /** Repairs after an unmet invariant (UAICP 4.1). */
  readonly repairs: number;
  /** Times that the model may propose calls, including the plan. */
  readonly rounds: number;
  /** New plans that a person may ask for. */
  readonly revisions: number;
  /** Times that reads are repeated because their evidence is too old for a write. */
  readonly refreshes: number;
  /** Times that the run may pause for a question or a dependency, from any source. */
  readonly pauses: number;
  /** Times that a clearance may lapse before its write starts. */
  readonly clearances: number;
  /** Recorded turns of the model. A turn that a crash interrupts is repeated and counts once. */
  readonly modelCalls: number;
  /** Calls that may start. A retry by a recovery counts under `recoveries` instead. */
  readonly calls: number;
  /** Lookups and retries of one effect in doubt, before it is left to a person. */
  readonly recoveries: number;
}

/** A kind of question that takes its declared default if there is no answer before the deadline. */
export type DefaultedQuestion = 'information' | 'approval' | 'tool';

/** The contract of one class of tasks, as data. A task keeps the one that it started with, or a stricter one. */
export interface TaskClass {
  readonly id: string;
  /** The confidence that an output must exceed to continue without a person; by default 0.5 (UpFormat 2.3). */
  readonly threshold: number;
  /** What happens to an output without a stated confidence; by default a person is asked. */
  readonly unstated: 'ask' | 'proceed';
  /** Names of the tools that may be called; by default all. */
  readonly tools?: readonly string[] | undefined;
  /**
   * Whether the agent runs in a host that may be away for days; by default `false`. The host has a deadline of its own
   * (see `deadlines.host`).
   */
  readonly host: boolean;
  /** The requirements before each write; by default none (UAICP 7). */
  readonly beforeWrite: Requirements;
  /** The requirements before the answer is delivered; by default none (UAICP 5.1, 5.2). */
  readonly beforeDeliver: Requirements;
  /**
   * What may approve a high-risk write that the policy allows: a signed token (`approval`), a person's plain `approve`
   * (`human`), or the `attest` of the orchestrator (`system`). By default only `approval`; `human` in an orchestrator
   * without `approvals` (UAICP 5.3).
   */
  readonly authorities: readonly Authority[];
  /** The number of different approvers that a high-risk write needs; by default 1 (UAICP 5.3). */
  readonly approvers: number;
  /**
   * Whether the user and the owner of an agent may approve its writes; by default `false`. The agent itself never may
   * (UAICP 5.3).
   */
  readonly selfApproval: boolean;
  /** Where a repair starts again; by default at the plan (UAICP 4.1). */
  readonly repairTo: 'plan' | 'execute';
  readonly limits: Limits;
  /** The kinds of questions that take their declared default at the deadline; by default none. */
  readonly defaults: readonly DefaultedQuestion[];
  /** Whether a delivered task offers an optional refinement; by default `false` (UpFormat Table 2, followup). */
  readonly followup: boolean;
  /** What happens to a call that is held: `refuse` refuses it and the run goes on; by default a person is asked. */
  readonly flows?: 'refuse' | undefined;
}

/** The input for a task class. Only `id` is required; everything else has a default. */
export interface TaskClassInput extends Partial<
  Omit<TaskClass, 'id' | 'beforeWrite' | 'beforeDeliver' | 'limits'>
> {
  readonly id: string;
  readonly beforeWrite?: Partial<Requirements>;
  readonly beforeDeliver?: Partial<Requirements>;
  readonly limits?: Partial<Limits>;
}

const nothing: Requirements = { evidence: [], verifiers: [] };
const limits: Limits = {
  corrections: 2,
  repairs: 1,
  rounds: 32,
  revisions: 3,
  refreshes: 2,
  pauses: 8,
  clearances: 8,
  modelCalls: 32,
  calls: 64,
  recoveries: 3,
};

/** Returns the complete task class, with defaults for the missing fields. */
export const taskClass = (given: TaskClassInput): TaskClass => ({
  threshold: 0.5,
  unstated: 'ask',
  host: false,
  authorities: ['approval'],
  approvers: 1,
  selfApproval: false,
  repairTo: 'plan',
  defaults: [],
  followup: false,
  ...withoutUndefined(given),
  beforeWrite: { ...nothing, ...withoutUndefined(given.beforeWrite ?? {}) },
  beforeDeliver: { ...nothing, ...withoutUndefined(given.beforeDeliver ?? {}) },
  limits: { ...limits, ...withoutUndefined(given.limits ?? {}) },
});

/** Returns a value as JSON with sorted keys, for comparison. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member !== 'object' || member === null || Array.isArray(member)
      ? member
      : Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  );

const union = <One>(one: readonly One[], other: readonly One[]): readonly One[] => [
  ...one,
  ...other.filter((item) => !one.some((known) => textOf(known) === textOf(item))),
];

const common = <One>(one: readonly One[], other: readonly One[]): readonly One[] =>
  one.filter((item) => other.includes(item));

const stricterRequirements = (one: Requirements, other: Requirements): Requirements => ({
  evidence: union(one.evidence, other.evidence),
  verifiers: union(one.verifiers, other.verifiers),
});

/** Returns the tools that both lists allow. A missing list allows every tool. */
const stricterTools = ({ tools: one }: TaskClass, { tools: other }: TaskClass): Pick<TaskClass, 'tools'> => {
  const tools = one !== undefined && other !== undefined ? common(one, other) : (one ?? other);
  return tools === undefined ? {} : { tools };
};

/**
 * Returns the stricter of two versions of a task class. `limits`, `repairTo`, `host` and `followup` are those of the
 * first.
 */
export const stricter = (begun: TaskClass, current: TaskClass): TaskClass => ({
  ...begun,
  ...stricterTools(begun, current),
  threshold: Math.max(begun.threshold, current.threshold),
  unstated: begun.unstated === 'ask' ? 'ask' : current.unstated,
  beforeWrite: stricterRequirements(begun.beforeWrite, current.beforeWrite),
  beforeDeliver: stricterRequirements(begun.beforeDeliver, current.beforeDeliver),
  authorities: common(begun.authorities, current.authorities),
  approvers: Math.max(begun.approvers, current.approvers),
  selfApproval: begun.selfApproval && current.selfApproval,
  defaults: common(begun.defaults, current.defaults),
  ...(current.flows === 'refuse' && { flows: current.flows }),
});
