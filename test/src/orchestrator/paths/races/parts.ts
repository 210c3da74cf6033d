import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { Approvals, Store } from 'agentcharter';

/** What a tool does when it is called. */
const behaviors = ['act', 'act', 'lose', 'refuse', 'wait', 'ask', 'hang'] as const;
type Behavior = (typeof behaviors)[number];

/** How a person answers when asked to approve. */
const habits = ['token', 'token', 'word', 'reject', 'edit', 'instruction'] as const;
export type Habit = (typeof habits)[number];

/** What may happen to one task, all of it at once. */
export interface Story {
  /** One after the other, by whichever call comes; then every tool acts. */
  readonly behaviors: readonly Behavior[];
  readonly kim: Habit;
  readonly lee: Habit;
  /** Kim says everything twice. */
  readonly repeats: boolean;
  /** The writes that the plan asks for. */
  readonly writes: 1 | 2;
  /** All tokens have one name. */
  readonly oneToken: boolean;
  readonly cancels: boolean;
  /** Milliseconds that pass, each at some moment. */
  readonly hours: readonly number[];
  /** What is recorded takes its time. */
  readonly isSlow: boolean;
  /** A delivered task offers a followup, and somebody asks for changes. */
  readonly offers: boolean;
  /** Its ledger is verified and replayed, which takes longer than the story itself. */
  readonly isAudited: boolean;
}

const second = 1_000;
const day = 86_400 * second;

/** Stories: mostly one write, mostly with somebody who approves it. */
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

/** What stands between a task and its world; a test that plants a fault changes one of them. */
export interface Parts {
  readonly store: (whole: Store) => Store;
  readonly approvals: (sound: Approvals) => Approvals;
}
export const sound: Parts = { store: (store) => store, approvals: (approvals) => approvals };

/** Lets everything run that nobody holds back. */
export const idle = async (): Promise<void> => {
  await nextTurn();
};

/** The schedule in which something was done, as short as can be: what tells one interleaving from another. */
export const scheduleOf = (scheduler: fc.Scheduler): string =>
  scheduler
    .report()
    .map(({ label }) => label)
    .join(' ');
