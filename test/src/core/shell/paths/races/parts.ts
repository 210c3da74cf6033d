import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { Approvals, Store } from 'agentcharter';

/** What a tool does when it is called. */
const behaviors = ['act', 'act', 'lose', 'refuse', 'wait', 'ask', 'hang'] as const;
type Behavior = (typeof behaviors)[number];

/** The answer of a person to an approval question. */
const habits = ['token', 'token', 'word', 'reject', 'edit', 'instruction'] as const;
export type Habit = (typeof habits)[number];

/** Everything that may happen to one task at the same time. */
export interface Story {
  /** Taken in order by the calls; when none is left, every tool acts. */
  readonly behaviors: readonly Behavior[];
  readonly kim: Habit;
  readonly lee: Habit;
  /** Kim sends everything twice. */
  readonly repeats: boolean;
  /** The writes in the plan. */
  readonly writes: 1 | 2;
  /** All tokens have one id. */
  readonly oneToken: boolean;
  readonly cancels: boolean;
  /** Delays in milliseconds, each at some moment. */
  readonly hours: readonly number[];
  /** Store writes are delayed. */
  readonly isSlow: boolean;
  /** A delivered task offers a followup, and a person asks for changes. */
  readonly offers: boolean;
  /** Its ledger is verified and replayed, which takes longer than the story. */
  readonly isAudited: boolean;
}

const second = 1_000;
const day = 86_400 * second;

/** Stories, mostly with one write and a person who approves it. */
export const stories: fc.Arbitrary<Story> = fc.record({
  behaviors: fc.array(fc.constantFrom(...behaviors), { maxLength: 3 }),
  kim: fc.constantFrom(...habits),
  lee: fc.constantFrom(...habits),
  repeats: fc.boolean(),
  writes: fc.constantFrom(1, 1, 1, 2),
  oneToken: fc.boolean(),
  cancels: fc.constantFrom(false, false, true),
  hours: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    fc.array(fc.constantFrom(61 * second, 2 * day, 8 * day), { minLength: 1, maxLength: 2 }),
  ),
  isSlow: fc.boolean(),
  offers: fc.constantFrom(false, false, true),
  isAudited: fc.constantFrom(true, false, false, false),
});

/** What connects a task with its surroundings; a planted fault replaces one of them. */
export interface Parts {
  readonly store: (whole: Store) => Store;
  readonly approvals: (sound: Approvals) => Approvals;
}
export const sound: Parts = { store: (store) => store, approvals: (approvals) => approvals };

/** Runs everything that the scheduler does not hold back. */
export const idle = async (): Promise<void> => {
  await nextTurn();
};

/** The schedule of a run in short form, to tell interleavings apart. */
export const scheduleOf = (scheduler: fc.Scheduler): string =>
  scheduler
    .report()
    .map(({ label }) => label)
    .join(' ');
