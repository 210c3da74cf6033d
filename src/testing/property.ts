import type { AnyStateMachine } from 'xstate';
import type { EventOf, SnapshotOf } from './chart.ts';

/** One step of a run, with the snapshots before and after it. */
export interface Step<Machine extends AnyStateMachine> {
  readonly from: SnapshotOf<Machine>;
  readonly event: EventOf<Machine>;
  readonly to: SnapshotOf<Machine>;
}

/** Something that is asked of a chart, and its name: the sentence that a broken one is reported under. */
export type Property<Machine extends AnyStateMachine> = { readonly name: string } & (
  | { readonly kind: 'state'; readonly holds: (snapshot: SnapshotOf<Machine>) => boolean }
  | { readonly kind: 'step'; readonly holds: (step: Step<Machine>) => boolean }
  | { readonly kind: 'reachable'; readonly isGood: (snapshot: SnapshotOf<Machine>) => boolean }
  | { readonly kind: 'ending'; readonly isOutside: (step: Step<Machine>) => boolean }
);

/** Safety: what holds in every state. */
export const inEveryState = <Machine extends AnyStateMachine>(
  name: string,
  holds: (snapshot: SnapshotOf<Machine>) => boolean,
): Property<Machine> => ({ kind: 'state', name, holds });

/** Safety: what holds of every step. */
export const inEveryStep = <Machine extends AnyStateMachine>(
  name: string,
  holds: (step: Step<Machine>) => boolean,
): Property<Machine> => ({ kind: 'step', name, holds });

/** Liveness: from everywhere a good state can still be reached. */
export const staysReachable = <Machine extends AnyStateMachine>(
  name: string,
  isGood: (snapshot: SnapshotOf<Machine>) => boolean,
): Property<Machine> => ({ kind: 'reachable', name, isGood });

/** Liveness: every run ends, unless the outside world goes round in circles; `isOutside` says which steps it can repeat for ever. */
export const everyRunEnds = <Machine extends AnyStateMachine>(
  name: string,
  isOutside: (step: Step<Machine>) => boolean = () => false,
): Property<Machine> => ({ kind: 'ending', name, isOutside });
