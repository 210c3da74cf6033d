import type {
  Approvals,
  Clock,
  Ids,
  Model,
  Orchestrator,
  OrchestratorEvents,
  OrchestratorOptions,
  Policy,
  Rollback,
  Store,
  TaskClassDefinition,
  TaskToolDefinition,
  Telemetry,
  Verifier,
} from '../../../../../src/index.ts';
import type { UnreadToolDefinition } from '../../../../../src/base/define/tool.ts';
import type { StandardSchema } from '../../../../../src/base/ports/schema.ts';
import type { TaskTelemetry, WorkTelemetry } from '../../../../../src/base/ports/telemetry.ts';

/** The function members of a type. */
type Callables<Port> = {
  [Key in keyof Port]-?: NonNullable<Port[Key]> extends (...given: never[]) => unknown ? Key : never;
}[keyof Port] &
  string;

type Named<Port> = Record<Callables<Port>, true>;

/** Every host function that the engine calls, by declaring type; a missing one is a compile error. */
export const callbacks = {
  options: { mayRespond: true, attest: true, redact: true } satisfies Named<OrchestratorOptions>,
  taskClass: { accept: true, followup: true } satisfies Named<TaskClassDefinition>,
  schema: { validate: true } satisfies Named<StandardSchema['~standard']>,
  tool: { call: true, lookup: true, summary: true } satisfies Named<UnreadToolDefinition<unknown>>,
  taskTool: { request: true, summary: true } satisfies Named<TaskToolDefinition<unknown>>,
  rollback: { describe: true, run: true, lookup: true } satisfies Named<Rollback>,
  verifier: { verify: true } satisfies Named<Verifier>,
  model: { answer: true } satisfies Named<Model>,
  policy: { decide: true } satisfies Named<Policy>,
  approvals: { verify: true } satisfies Named<Approvals>,
  telemetry: { begin: true } satisfies Named<Telemetry>,
  taskTelemetry: { step: true, work: true, close: true } satisfies Named<TaskTelemetry>,
  workTelemetry: { run: true, end: true } satisfies Named<WorkTelemetry>,
  clock: { now: true, wakeAt: true, monotonic: true } satisfies Named<Clock>,
  ids: { uuid: true, traceId: true } satisfies Named<Ids>,
  store: {
    take: true,
    commit: true,
    load: true,
    taskIndex: true,
    counts: true,
    figures: true,
    stalled: true,
    obstacle: true,
    pauses: true,
    pause: true,
    resume: true,
    prune: true,
    pruned: true,
    find: true,
    due: true,
    watch: true,
    erase: true,
    close: true,
    // a store that is held by a lock is not asked for the others
  } satisfies Omit<Named<Store>, 'keep' | 'letGo' | 'now' | 'renewedAgo' | 'setAttempts'>,
} as const;

/** The remaining orchestrator options: the ports above, and plain data. */
export const others = {
  taskClasses: 'taskClass',
  model: 'model',
  tools: 'tool',
  verifiers: 'verifier',
  policy: 'policy',
  approvals: 'approvals',
  store: 'store',
  clock: 'clock',
  ids: 'ids',
  telemetry: 'telemetry',
  skew: null,
  limits: null,
  quotas: null,
  concurrency: null,
  idleTasks: null,
  blobs: null,
  streamSecret: null,
  role: null,
  takes: null,
} as const satisfies Record<
  Exclude<keyof OrchestratorOptions, Callables<OrchestratorOptions>>,
  keyof typeof callbacks | null
>;

/** Every event, but `lost`, which no single process emits. */
export const events = {
  document: true,
  record: true,
  question: true,
  chunk: true,
  settled: true,
  changed: true,
  error: true,
  log: true,
} as const satisfies Record<Exclude<keyof OrchestratorEvents, 'lost'>, true>;

/** Every public method of an orchestrator. */
export const operations = {
  recover: true,
  submit: true,
  respond: true,
  receive: true,
  resolve: true,
  tell: true,
  refuse: true,
  cancel: true,
  settled: true,
  task: true,
  progress: true,
  list: true,
  inbox: true,
  counts: true,
  questionPath: true,
  thread: true,
  ledger: true,
  documents: true,
  erase: true,
  on: true,
  stats: true,
  stuck: true,
  perform: true,
  retry: true,
  skip: true,
  pause: true,
  resume: true,
  pauses: true,
  prune: true,
  readiness: true,
  close: true,
} as const satisfies Record<Callables<Orchestrator>, true>;

/** The places where a value is passed to the host: `tool.call`, `on.record`, `orchestrator.progress`. */
export type Handing =
  | {
      [Port in keyof typeof callbacks]: `${Port}.${string & keyof (typeof callbacks)[Port]}`;
    }[keyof typeof callbacks]
  | `on.${keyof typeof events}`
  | `orchestrator.${keyof typeof operations}`;

/** All such places. */
export const handings: readonly string[] = [
  ...Object.entries(callbacks).flatMap(([port, names]) =>
    Object.keys(names).map((name) => `${port}.${name}`),
  ),
  ...Object.keys(events).map((name) => `on.${name}`),
  ...Object.keys(operations).map((name) => `orchestrator.${name}`),
];
