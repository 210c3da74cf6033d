import { z } from 'zod';
import { EvidenceType, Identifier } from '../schema/index.ts';
import { withoutUndefined } from './without-undefined.ts';

/** A type whose members, at every depth, cannot be assigned. */
export type DeepReadonly<Value> = { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> };

const EvidenceClause = z.strictObject({
  type: EvidenceType,
  /** The tool that must have produced it; any tool by default. */
  tool: Identifier.optional(),
  /** An empty payload (`null`, '', [] or {}) counts; by default it does not. */
  allowEmpty: z.literal(true).optional(),
  /** A person's statement that a write happened counts; by default it does not. */
  byPerson: z.literal(true).optional(),
  /** The name of a check that the payload must have passed when it was collected. */
  check: Identifier.optional(),
  /** The evidence and the write must have the same subject under `check`. */
  ofAction: z.literal(true).optional(),
});
/** One kind of evidence that counts for a requirement (UAICP 5.1). */
export type EvidenceClause = DeepReadonly<z.infer<typeof EvidenceClause>>;

const EvidenceRequirement = z.union([
  EvidenceClause,
  z.strictObject({ anyOf: z.array(EvidenceClause).min(1) }),
]);
/** Evidence that a task class requires: one clause, or any one of several (UAICP 5.1). */
export type EvidenceRequirement = DeepReadonly<z.infer<typeof EvidenceRequirement>>;

/** Returns the clauses of a requirement. Evidence must meet one of them. */
export const clausesOf = (requirement: EvidenceRequirement): readonly EvidenceClause[] =>
  'anyOf' in requirement ? requirement.anyOf : [requirement];

const Requirements = z.strictObject({
  evidence: z.array(EvidenceRequirement),
  verifiers: z.array(Identifier),
});
/** The requirements of a gate: evidence (UAICP 5.1), and the ids of the verifiers that must pass (UAICP 5.2). */
export type Requirements = DeepReadonly<z.infer<typeof Requirements>>;

/**
 * What may approve a high-risk write (UAICP 5.3): a signed token (`approval`), or a person or system recorded in the
 * ledger.
 */
export const Authority = z.enum(['approval', 'human', 'system']);
export type Authority = z.infer<typeof Authority>;

/** The default limits, and the names of all limits. */
const limits = {
  /** Outputs of the model, in a row, that may be sent back for correction (UpFormat 2.3). */
  corrections: 2,
  /** Repairs after an unmet invariant (UAICP 4.1). */
  repairs: 1,
  /** Times that the model may propose calls, including the plan. */
  rounds: 32,
  /** New plans that a person may ask for. */
  revisions: 3,
  /** Times that reads are repeated because their evidence is too old for a write. */
  refreshes: 2,
  /** Times that the run may pause for a question or a dependency, from any source. */
  pauses: 64,
  /** Times that a clearance may lapse before its write starts. */
  clearances: 8,
  /** Recorded turns of the model. A turn that a crash interrupts is repeated and counts once. */
  modelCalls: 32,
  /** Calls that may start. A retry by a recovery counts under `recoveries` instead. */
  calls: 64,
  /** Lookups and retries of one effect in doubt, before it is left to a person. */
  recoveries: 3,
};
/** The limits on everything that could otherwise repeat without end. Each counts within one request. */
export type Limits = Readonly<typeof limits>;

const each = <Names extends object, Value>(names: Names, value: Value) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, value])) as { [Name in keyof Names]: Value }; // its keys

/** How much of each limit of the task class is used. `recoveries` is counted for each effect instead. */
export type Counters = Omit<Limits, 'recoveries'>;
const { recoveries: _, ...counted } = limits;
/** The counters of a new run. */
export const noneUsed: Counters = each(counted, 0);

/** The limits at which a person is asked whether the run goes on. */
export const askedLimits = ['pauses', 'rounds', 'modelCalls', 'calls'] as const;
export type AskedLimit = (typeof askedLimits)[number];

const DefaultedQuestion = z.enum(['information', 'approval', 'tool']);
/** A kind of question that takes its declared default if there is no answer before the deadline. */
export type DefaultedQuestion = z.infer<typeof DefaultedQuestion>;

/** The schema of a task class that is in force now. A task may have started under another version of it. */
export const TaskClassContract = z.strictObject({
  id: Identifier,
  /** The confidence that an output must exceed to continue without a person; by default 0.5 (UpFormat 2.3). */
  threshold: z.number().min(0).max(1),
  /** What happens to an output without a stated confidence; by default a person is asked. */
  unstated: z.enum(['ask', 'proceed']),
  /** Names of the tools that may be called; by default all. */
  tools: z.array(Identifier).optional(),
  /**
   * Whether the agent runs in a host that may be away for days; by default `false`. The host has a deadline of its own
   * (see `deadlines.host`).
   */
  host: z.boolean(),
  /** The requirements before each write; by default none (UAICP 7). */
  beforeWrite: Requirements,
  /** The requirements before the answer is delivered; by default none (UAICP 5.1, 5.2). */
  beforeDeliver: Requirements,
  /**
   * What may approve a high-risk write that the policy allows: a signed token (`approval`), a person's plain `approve`
   * (`human`), or the `attest` of the orchestrator (`system`). By default only `approval`; `human` in an orchestrator
   * without `approvals` (UAICP 5.3).
   */
  authorities: z.array(Authority),
  /** The number of different approvers that a high-risk write needs; by default 1 (UAICP 5.3). */
  approvers: z.int().positive(),
  /**
   * Whether the user and the owner of an agent may approve its writes; by default `false`. The agent itself never may
   * (UAICP 5.3).
   */
  selfApproval: z.boolean(),
  /** Where a repair starts again; by default at the plan (UAICP 4.1). */
  repairTo: z.enum(['plan', 'execute']),
  limits: z.strictObject({
    ...each(limits, z.int().nonnegative()),
    /**
     * Failures of one tool in a request that the model reads and goes on after (UAICP 4.1). By default none, and 8 for the
     * agent of a guard.
     */
    failures: z.int().nonnegative().optional(),
  }),
  /**
   * What happens at the limits on pauses, rounds, turns and calls. `ask`: a person is asked whether the run goes on with as
   * much again, three times at most; without a yes it fails, and its writes are undone. `keep`: the same, and approved writes stay.
   * `stop`: it fails at once. By default a task class asks for an agent that is `human-supervised`, and the bare chart stops.
   */
  atLimit: z.enum(['ask', 'keep', 'stop']).optional(),
  /** The kinds of questions that take their declared default at the deadline; by default none. */
  defaults: z.array(DefaultedQuestion),
  /** What happens to a call that is held: `refuse` refuses it and the run goes on; by default a person is asked. */
  flows: z.literal('refuse').optional(),
  /** Whether a delivered task offers an optional refinement; by default `false` (UpFormat Table 2, followup). */
  followup: z.boolean(),
});
/** The contract of one class of tasks, as data. A task keeps the one that it started with, or a stricter one. */
export type TaskClass = DeepReadonly<z.infer<typeof TaskClassContract>>;

/** The input for a task class. Only `id` is required; everything else has a default. */
export interface TaskClassInput
  extends Pick<TaskClass, 'id'>, Partial<Omit<TaskClass, 'id' | 'beforeWrite' | 'beforeDeliver' | 'limits'>> {
  readonly beforeWrite?: Partial<Requirements>;
  readonly beforeDeliver?: Partial<Requirements>;
  readonly limits?: Partial<TaskClass['limits']>;
}

/** Returns whether a task class asks a person at its limits. */
export const asksAtLimits = ({ atLimit = 'stop' }: Pick<TaskClassInput, 'atLimit'>): boolean =>
  atLimit !== 'stop';

const nothing: Requirements = { evidence: [], verifiers: [] };

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
 * Returns the stricter of two versions of a task class. `limits`, `atLimit`, `repairTo`, `host` and `followup` are those of
 * the first.
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
