import { classNames } from './charter.ts';
import { lease } from './events.ts';
import type { Plan } from './trial.ts';
import type { LawName } from './history.ts';
import type { Planted } from './planted.ts';

/** What every round injects; `CLUSTER_ROUNDS` says how many there are. */
const ofRound = {
  kill: 20,
  freeze: 8,
  computing: 8,
  cut: 6,
  'lost answer': 6,
  'poison task': 6,
  crash: 4,
  failover: 3,
  'slow replica': 6,
  'full disk': 3,
  'restored dump': 6,
  'open transaction': 1, // and one more after each server
} as const;

const minute = 60_000;

/** The leases of rounds, in turn. */
const leases = [lease, lease / 2, lease / 5] as const;

/** A round with all faults, on 3 to 5 nodes. */
export const roundOf = (seed: number, longest: number): Plan => ({
  seed,
  nodes: 3 + (Math.floor(seed / 3) % 3),
  lease: leases[seed % 3] ?? lease,
  classes: classNames,
  tasks: 30,
  faults: ofRound,
  aimed: 0.7,
  pause: [1_200, 3_000],
  downtime: 1_500,
  longest,
  settling: minute,
  planted: null,
});

const short = {
  seed: 1,
  nodes: 3,
  tasks: 12,
  aimed: 1,
  pause: [4_000, 4_500], // longer than the quarantine of `ship`, shorter than that of `mail`
  downtime: 0,
  longest: minute,
  settling: 12_000,
} as const;

/** A burst of tasks at one of three nodes. */
export const burst: Plan = {
  ...short,
  classes: ['posting'],
  tasks: 0,
  burst: 60,
  settling: minute,
  faults: {},
  planted: null,
};

/** A trial in which a planted fault shows, and the laws that may find it. */
export interface Hunt {
  readonly plan: Omit<Plan, 'planted'>;
  readonly laws: readonly LawName[];
}

/** A trial for each planted fault. Without the fault it breaks no law. */
export const hunts: Readonly<Record<Planted, Hunt>> = {
  'no fence in the store': {
    plan: { ...short, classes: ['mailing'], faults: { freeze: 2 } },
    laws: ['an old fence writes nothing'],
  },
  'no fence at the effect': {
    plan: { ...short, classes: ['shipping'], faults: { freeze: 2 } },
    laws: ['an old fence has no effect', 'an effect happens once'],
  },
  'no quarantine': {
    plan: { ...short, classes: ['mailing'], faults: { freeze: 2 } },
    laws: ['an effect happens once', 'the ledger says what happened'],
  },
  'a lease by the clock of the node': {
    plan: { ...short, classes: ['posting', 'shipping'], faults: {} },
    laws: ['a task is not taken before its lease has passed'],
  },
  'LISTEN without polling': {
    plan: { ...short, classes: ['asking'], faults: {} }, // no one reports that a deadline is due
    laws: ['a task with something to do finds a holder'],
  },
};
