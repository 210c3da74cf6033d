import { isObject } from '../../base/boundary/is-object.ts';
import { chartsOf, otherChartOf } from '../ledger/chart.ts';
import type { CallDocument } from '../../base/ports/ledger.ts';
import type { StoredTask } from '../../base/ports/store.ts';
import type { InboxEntry, StoredSummary } from '../kernel/summary.ts';
import type { Environment } from './environment.ts';
import { entriesOf } from './pages.ts';
import { replayLedger } from './rehydrate.ts';
import { inTime } from './slots.ts';
import { readStoredSummary } from './stored-summary.ts';
import type { Change } from './surface.ts';
import type { LiveTask } from './live-task.ts';
import { changesOf, classOf, openTaskOf, toolChange, type Application } from './upgrades.ts';

/** Whether a question is about a call whose tool is missing or changed, as far as the question shows the call. */
const isOfChanged = async (
  { taskId, question, message }: InboxEntry,
  ports: Application,
): Promise<boolean> => {
  const { action } = message.payload;
  if (!isObject(action) || typeof action['tool'] !== 'string') return false;
  const call = action as unknown as CallDocument; // as the question shows it
  const { request_id: request = '', tier } = question.approval ?? {};
  const context = { request, calls: tier === undefined ? {} : { [call.id]: { tier } } };
  return (await toolChange(ports, call, { taskId, context, knownCalls: new Map() })) !== null;
};

/** Returns the changes of a task that is read from its ledger; none for one that this chart cannot replay. */
export const changesOfStored = async (stored: StoredTask, ports: Application): Promise<readonly Change[]> => {
  const { records } = stored;
  const since = otherChartOf(stored) === null ? chartsOf(records).since : records.length; // it is to be carried over
  const replayed = replayLedger(stored, since);
  return 'seq' in replayed ? [] : changesOf(openTaskOf(stored.indexEntry.taskId, replayed), ports);
};

/** Returns the changes of a task with open questions. It is loaded only if they show something else than would be done. */
const changesOfAsking = async (
  { summary, open }: StoredSummary,
  ports: Environment,
): Promise<readonly Change[]> => {
  const { taskId, taskClass } = summary;
  const known = classOf(ports, taskId, taskClass);
  // of the tasks of several machines, each performs those of its own classes
  if ('kind' in known) return ports.store.lease === Infinity ? [Object.freeze({ taskId, ...known })] : [];
  const changed = await Promise.all(open.map((entry) => isOfChanged(entry, ports)));
  const stored = changed.includes(true) ? await ports.store.load(taskId) : undefined;
  return stored === undefined ? [] : changesOfStored(stored, ports);
};

/** The most tasks that a report has, of each kind: it is for a person to read, and a recovery does not wait for long. */
const mostTasks = 1_000;

/** Milliseconds that the comparison of one waiting task may take. */
const patience = 1_000;

/** Creates the log of what loaded tasks meet that is not as they recorded it, until the first `recover` reports it. */
export const createChangeLog = (ports: Environment) => {
  const found = new Map<string, readonly Change[]>();
  const pending = new Set<Promise<void>>();
  let isReported = false;
  return {
    /** Compares a task that was just loaded. What it does next does not wait for that. */
    note: (task: LiveTask): void => {
      if (isReported || found.size + pending.size >= mostTasks) return;
      const { taskId, view, taskClass, knownCalls } = task;
      const open = openTaskOf(taskId, { ...view, contract: taskClass.contract }, knownCalls);
      const work = changesOf(open, ports)
        .then((changes) => {
          if (changes.length > 0) found.set(taskId, changes);
        })
        .catch(() => {}) // what cannot be compared is told where the task meets it
        .finally(() => pending.delete(work));
      pending.add(work);
    },
    /** Returns the changes of the tasks that were loaded before the first call, and of those with open questions. */
    take: async (): Promise<readonly Change[]> => {
      isReported = true;
      // a schema of the host may take its time: what is not compared by now is told where the task meets it
      await Promise.race([Promise.all(pending), new Promise((resolve) => void setImmediate(resolve))]);
      const loaded = new Set(found.keys());
      const changes = [...found.values()].flat();
      found.clear();
      let left = mostTasks;
      for await (const entry of entriesOf(ports.store, { isAsking: true })) {
        if (left === 0) break;
        left -= 1;
        try {
          if (loaded.has(entry.taskId)) continue;
          const work = changesOfAsking(readStoredSummary(entry), ports);
          changes.push(...(await inTime(ports.clock, patience, work)));
        } catch {
          // what cannot be read is reported by `inbox`, or where the task is loaded
        }
      }
      return Object.freeze(changes);
    },
  };
};
