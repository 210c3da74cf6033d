import type { ClassName } from './charter.ts';
import type { Fault, FaultKind } from './events.ts';
import type { Driver } from './node.ts';
import type { Planted } from './planted.ts';
import type { History } from './read-history.ts';

/** What a trial does. */
export interface Plan {
  readonly seed: number;
  readonly nodes: number;
  readonly classes: readonly ClassName[];
  /** The least number of tasks that are submitted. */
  readonly tasks: number;
  /** How often each fault is injected; the trial goes on until all are. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  /** How often a fault of a node waits until it wrote an intent: from 0 to 1. */
  readonly aimed: number;
  /** Milliseconds of a freeze: at least and at most. */
  readonly pause: readonly [least: number, most: number];
  /** Milliseconds until a killed node is started again, at most. */
  readonly downtime: number;
  /** Milliseconds after which no more faults are injected. */
  readonly longest: number;
  /** Milliseconds after the last fault in which all tasks must end. */
  readonly settling: number;
  readonly planted: Planted | null;
  /** Milliseconds of the lease; a second by default. */
  readonly lease?: number;
  /** How many tasks one node is given at once, before all others. */
  readonly burst?: number;
  /** Who decides when a task is performed; the nodes by default. */
  readonly driver?: Driver;
}

/** What came of a trial. */
export interface Trial {
  readonly history: History;
  readonly faults: readonly Fault[];
  /** How often nodes refused what was asked, by the code of the error. */
  readonly refused: Readonly<Record<string, number>>;
}
