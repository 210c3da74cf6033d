import type { StoredTask } from 'agentcharter/stores';
import type { LedgerRecord } from 'agentcharter/ledger';
import type { CommittedEvent, Effect, NodeEvent, OutsideEvent } from './events.ts';
import type { Able } from './programs.ts';

/** What happened in a trial: the logs of the nodes, of the world and of the outside, and what the store has in the end. */
export interface History {
  readonly nodes: readonly NodeEvent[];
  readonly effects: readonly Effect[];
  readonly outside: readonly OutsideEvent[];
  readonly tasks: readonly StoredTask[];
  /** What each node can perform. */
  readonly able: Readonly<Record<string, Able>>;
  /** Milliseconds of a lease, and the longest time that a task with something to do may have no holder. */
  readonly lease: number;
  readonly longestWait: number;
  /** When it began and ended: milliseconds since 1970, by a clock that was right. */
  readonly began: number;
  readonly ended: number;
  /** Milliseconds until a question expires that no one answers, by task class. */
  readonly expires: Readonly<Record<string, number>>;
  /**
   * How often a look may report a task that did not change: once after a failover, and twice after a restored dump, whose numbers
   * are met again later.
   */
  readonly moves: number;
}

/** A law, and each way in which a history breaks it, in words. */
export type Law = (history: History) => readonly string[] | Promise<readonly string[]>;

/** Returns items by a key. */
export const grouped = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, Item[]> => {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
};

/** Returns the steps that a store acknowledged. */
export const commitsOf = ({ nodes }: History): readonly CommittedEvent[] =>
  nodes.flatMap((event) => (event.is === 'committed' ? [event] : []));

/** A task that a node took. */
export interface Take {
  readonly node: string;
  readonly task: string;
  readonly fence: number;
  readonly sent: number;
  readonly at: number;
}

/** Returns what nodes took. */
export const takesOf = ({ nodes }: History): readonly Take[] =>
  nodes.flatMap((event) =>
    event.is === 'took'
      ? event.holds.map(({ task, fence }) => ({
          node: event.node,
          task,
          fence,
          sent: event.sent,
          at: event.at,
        }))
      : [],
  );

/** Returns the records of each task. */
export const recordsOf = ({ tasks }: History): ReadonlyMap<string, readonly LedgerRecord[]> =>
  new Map(tasks.map(({ indexEntry, records }) => [indexEntry.taskId, records]));

/** Returns the facts among records. */
export const factsOf = (records: readonly LedgerRecord[]) =>
  records.flatMap(({ kind, fact, brought, timestamp }) =>
    kind === 'fact' && fact !== null ? [{ fact, brought, timestamp }] : [],
  );
