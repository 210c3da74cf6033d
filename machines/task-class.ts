import type { EvidenceType } from '../schema/index.ts';

/** One kind of evidence that counts for a requirement (UAICP 5.1). */
export interface EvidenceClause {
  readonly type: EvidenceType;
  /** The tool that must have produced it; any tool by default. */
  readonly tool?: string | undefined;
  /** An empty payload (`null`, '', [] or {}) counts; by default it does not. */
  readonly allowEmpty?: true | undefined;
  /** A person's word that a write happened counts; by default it does not. */
  readonly byPerson?: true | undefined;
  /** Names what was checked of the payload when it was collected; the evidence must list it. */
  readonly check?: string | undefined;
  /** The evidence must be about the same thing as the write: both carry a subject under `check`. */
  readonly ofAction?: true | undefined;
}

/** Evidence that a task class asks for: one clause, or any of several (UAICP 5.1). */
export type EvidenceRequirement = EvidenceClause | { readonly anyOf: readonly EvidenceClause[] };

/** The clauses of a requirement: one of them has to be met. */
export const clausesOf = (requirement: EvidenceRequirement): readonly EvidenceClause[] =>
  'anyOf' in requirement ? requirement.anyOf : [requirement];

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
  /** Times that a clearance may lapse before its write begins. */
  readonly clearances: number;
  /** Recorded turns of the model. One that a crash cut off is asked again. */
  readonly modelCalls: number;
  /** Calls that may begin. A recovery makes a call again under its key: `recoveries` bounds it. */
  readonly calls: number;
  /** Times that one effect in doubt may be looked up or made again before it is left to a person. */
  readonly recoveries: number;
}

/** The questions that may go unanswered: at the deadline their declared default is taken. */
export type DefaultedQuestion = 'information' | 'approval' | 'tool';

/** The contract of one class of tasks, as data: a task keeps the one that it began under. */
export interface TaskClass {
  readonly id: string;
  /** The confidence that an output must exceed to continue without a person; by default 0.5 (UpFormat 2.3). */
  readonly threshold: number;
  /** What happens to an output without a stated confidence; by default a person is asked. */
  readonly unstated: 'ask' | 'proceed';
  /** Names of the tools that may be called; by default all. */
  readonly tools?: readonly string[] | undefined;
  /** The agent runs in a host that may be away for days: its silence is not the model's (see `deadlines.host`). */
  readonly host: boolean;
  /** The requirements before each write; by default none (UAICP 7). */
  readonly beforeWrite: Requirements;
  /** The requirements before the answer is delivered; by default none (UAICP 5.1, 5.2). */
  readonly beforeDeliver: Requirements;
  /**
   * Who clears a high-risk write that the policy allows: `approval` is a signed token, `human` a person's plain
   * `approve`, `system` the `attest` of the orchestrator. By default only `approval` (UAICP 5.3).
   */
  readonly authorities: readonly Authority[];
  /** The number of different approvers that a high-risk write needs; by default 1 (UAICP 5.3). */
  readonly approvers: number;
  /** Whether the user and the owner behind an agent may approve its writes; by default `false`. The agent never may (UAICP 5.3). */
  readonly selfApproval: boolean;
  /** Where a repair begins again; by default at the plan (UAICP 4.1). */
  readonly repairTo: 'plan' | 'execute';
  readonly limits: Limits;
  readonly defaults: readonly DefaultedQuestion[];
  /** Whether a delivered task offers an optional refinement (UpFormat Table 2, followup). */
  readonly followup: boolean;
  /** What happens to a call that is held: `refuse` refuses it and the run goes on; by default a person is asked. */
  readonly flows?: 'refuse' | undefined;
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

/** The whole task class that a partial one stands for. */
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
  ...given,
  beforeWrite: { ...nothing, ...given.beforeWrite },
  beforeDeliver: { ...nothing, ...given.beforeDeliver },
  limits: { ...limits, ...given.limits },
});

/** The same value, in whichever order its members stand. */
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

/** Both lists allow a tool; a missing list allows every tool. */
const stricterTools = ({ tools: one }: TaskClass, { tools: other }: TaskClass): Pick<TaskClass, 'tools'> => {
  const tools = one !== undefined && other !== undefined ? common(one, other) : (one ?? other);
  return tools === undefined ? {} : { tools };
};

/** The stricter of two versions of a task class, member by member; its limits and course are those of the first. */
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
