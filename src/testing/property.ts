import type { AnyStateMachine } from 'xstate';
import type { EventOf, SnapshotOf } from './chart.ts';

/** A step of a run, with the snapshots before and after it. */
export interface Step<Machine extends AnyStateMachine> {
  readonly from: SnapshotOf<Machine>;
  readonly event: EventOf<Machine>;
  readonly to: SnapshotOf<Machine>;
}

/** A property of a chart. Its name is the sentence that a violation is reported with. */
export type Property<Machine extends AnyStateMachine> = { readonly name: string } & (
  | { readonly kind: 'state'; readonly holds: (snapshot: SnapshotOf<Machine>) => boolean }
  | { readonly kind: 'step'; readonly holds: (step: Step<Machine>) => boolean }
  | { readonly kind: 'reachable'; readonly isGood: (snapshot: SnapshotOf<Machine>) => boolean }
  | { readonly kind: 'ending'; readonly isOutside: (step: Step<Machine>) => boolean }
);

/** Safety: returns a property of every state. */
export const inEveryState = <Machine extends AnyStateMachine>(
  name: string,
  holds: (snapshot: SnapshotOf<Machine>) => boolean,
): Property<Machine> => ({ kind: 'state', name, holds });

/** Safety: returns a property of every step. */
export const inEveryStep = <Machine extends AnyStateMachine>(
  name: string,
  holds: (step: Step<Machine>) => boolean,
): Property<Machine> => ({ kind: 'step', name, holds });

/** Liveness: returns the property that a good state is reachable from every state. */
export const staysReachable = <Machine extends AnyStateMachine>(
  name: string,
  isGood: (snapshot: SnapshotOf<Machine>) => boolean,
): Property<Machine> => ({ kind: 'reachable', name, isGood });

/**
 * Liveness: returns the property that every run ends. `isOutside` marks steps that the environment may repeat
 * forever.
 */
export const everyRunEnds = <Machine extends AnyStateMachine>(
  name: string,
  isOutside: (step: Step<Machine>) => boolean = () => false,
): Property<Machine> => ({ kind: 'ending', name, isOutside });
