/** The tools that change the world. */
export const toolNames = ['post', 'ship', 'mail', 'pay'] as const;
export type ToolName = (typeof toolNames)[number];

/** Milliseconds of the lease of a node, unless a trial has a shorter one. Faults last for so many of these. */
export const lease = 1_000;

/** Milliseconds of the monotonic clock that all processes of a machine share: a clock that is set does not move it. */
export const machineTime = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Waits. */
export const later = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A call of a store by a node: when it was sent, and when its answer came. */
interface Call {
  readonly node: string;
  readonly sent: number;
  readonly at: number;
}

/** A task and the fence of a hold. */
export interface Fenced {
  readonly task: string;
  readonly fence: number;
}

/** A hold as it was taken, with the last earlier one that was not let go. */
export interface Taken extends Fenced {
  readonly lapsed: { readonly fence: number; readonly ago: number } | null;
  /** How many holds lapsed in a row before it. */
  readonly attempts: number;
}

export interface TookEvent extends Call {
  readonly is: 'took';
  readonly holds: readonly Taken[];
}

export interface KeptEvent extends Call {
  readonly is: 'kept';
  readonly holds: readonly Fenced[];
}

/** Holds that a node asked to let go, whether the store answered or not. */
export interface LetGoEvent {
  readonly is: 'let go';
  readonly node: string;
  readonly sent: number;
  readonly holds: readonly Fenced[];
}

/** A step that the store answered with `ok`. */
export interface CommittedEvent extends Call {
  readonly is: 'committed';
  readonly task: string;
  readonly seq: number;
  readonly hash: string;
  readonly fence: number | null;
  /** The type of its fact; `null` for none. */
  readonly fact: string | null;
}

/** Tasks that a look reported as changed by others. */
export interface ReportedEvent {
  readonly is: 'reported';
  readonly node: string;
  readonly tasks: readonly string[];
}

/** A process that a task ends, by the key of the task; written before it ends. */
export interface PoisonedEvent {
  readonly is: 'poisoned';
  readonly node: string;
  readonly at: number;
  readonly key: string;
}

/** What a node writes down of itself. */
export type NodeEvent = TookEvent | KeptEvent | LetGoEvent | CommittedEvent | ReportedEvent | PoisonedEvent;

/** A request to the resource behind the tools, in the order in which it took them. */
export interface Request {
  readonly kind: 'call' | 'rollback' | 'lookup';
  readonly tool: ToolName;
  readonly key: string;
  /** `null` for a rollback by another task than its own. */
  readonly fence: number | null;
}

/** `known`: it happened before, under this key. `refused`: a newer fence was seen. */
export interface Effect extends Request {
  readonly at: number;
  readonly answer: 'done' | 'known' | 'refused' | 'found' | 'absent';
}

/** What those outside the nodes were told. */
export type OutsideEvent =
  | { readonly is: 'submitted'; readonly key: string; readonly task: string }
  | { readonly is: 'answered'; readonly task: string; readonly message: string }
  /** A task that had something to do and no holder for so many milliseconds, while nodes and server ran. */
  | { readonly is: 'waited'; readonly task: string; readonly for: number };

/** What was done to a process; `until` is when it was over. */
export interface Fault {
  readonly kind: FaultKind;
  /** The node, with the number of its life; `null` for the server, and for what no node is meant by. */
  readonly node: string | null;
  readonly at: number;
  readonly until: number;
}

/** What is done to a node. */
export const nodeFaults = ['kill', 'freeze', 'computing', 'cut', 'lost answer'] as const;

/** What is done to the server; meanwhile, no one can be expected to take a task. */
export const serverFaults = ['crash', 'failover', 'slow replica', 'full disk', 'restored dump'] as const;

export const faultKinds = [
  ...nodeFaults,
  'short lease',
  'poison task',
  ...serverFaults,
  'open transaction',
] as const;
export type FaultKind = (typeof faultKinds)[number];
