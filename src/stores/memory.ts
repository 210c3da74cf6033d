import type { Emission } from '../ports/emission.ts';
import type { LedgerRecord } from '../ports/ledger.ts';
import type { Store } from '../ports/store.ts';

/** As text, so that nobody changes what was written. */
interface Kept {
  snapshot: string | undefined;
  readonly records: string[];
  readonly emissions: string[];
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
      task.records.push(JSON.stringify(record));
      task.emissions.push(...emissions.map((emission) => JSON.stringify(emission)));
      task.snapshot = snapshot ?? task.snapshot;
      return 'ok';
    },
    tasks: async () => [...kept.keys()],
    snapshot: async (taskId) => of(taskId).snapshot,
    records: async (taskId) => of(taskId).records.map((text) => JSON.parse(text) as LedgerRecord),
    emissions: async (taskId) => of(taskId).emissions.map((text) => JSON.parse(text) as Emission),
    close: async () => {},
  };
};
