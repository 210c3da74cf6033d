import type { Emission } from '../ports/emission.ts';
import type { LedgerRecord } from '../ports/ledger.ts';
import type { Store } from '../ports/store.ts';

interface Kept {
  snapshot: string | undefined;
  readonly records: LedgerRecord[];
  readonly emissions: Emission[];
}

/** A store that lasts as long as its process: for tests, and for trying things out. */
export const memoryStore = (): Store => {
  const kept = new Map<string, Kept>();
  const of = (taskId: string): Kept =>
    kept.get(taskId) ?? { snapshot: undefined, records: [], emissions: [] };
  return {
    commit: async ({ taskId, snapshot, record, emissions }) => {
      const task = of(taskId);
      if (record.seq !== task.records.length) return 'conflict';
      kept.set(taskId, task);
      task.records.push(record);
      task.emissions.push(...emissions);
      task.snapshot = snapshot ?? task.snapshot;
      return 'ok';
    },
    tasks: async () => [...kept.keys()],
    snapshot: async (taskId) => of(taskId).snapshot,
    records: async (taskId) => [...of(taskId).records],
    emissions: async (taskId) => [...of(taskId).emissions],
    close: async () => {},
  };
};
