import { digest } from '../canonical/digest.ts';
import type { Emission } from '../ports/emission.ts';
import type { LedgerRecord } from '../ports/ledger.ts';
import type { Step, Store } from '../ports/store.ts';

/** As text, so that nobody changes what was written. */
interface Kept {
  snapshot: string | undefined;
  records: string[];
  emissions: string[];
}

const texts = (values: readonly unknown[]): string[] => values.map((value) => JSON.stringify(value));
const recordIn = (text: string): LedgerRecord => JSON.parse(text) as LedgerRecord; // `texts` wrote it
const emissionIn = (text: string): Emission => JSON.parse(text) as Emission; // `texts` wrote it

const recordWithout = (text: string, erased: string): string => {
  const record = recordIn(text);
  const names = new Map(Object.entries(record.documents));
  const rest = Object.entries(record.brought).filter(([name]) => names.get(name) !== erased);
  return JSON.stringify({ ...record, brought: Object.fromEntries(rest) });
};

/** A store that lasts as long as its process: for tests, and for trying things out. */
export const memoryStore = (): Store => {
  const kept = new Map<string, Kept>();
  /** The action that each approval was used for, by its name (`jti`). */
  const spent = new Map<string, string>();
  const of = (taskId: string): Kept =>
    kept.get(taskId) ?? { snapshot: undefined, records: [], emissions: [] };

  const append = ({ taskId, snapshot, record, emissions, spends }: Step): 'ok' | 'conflict' | 'spent' => {
    const task = of(taskId);
    if (record.seq !== task.records.length) return 'conflict';
    const used = new Map<string, string>();
    for (const { jti, action } of spends) {
      if ((used.get(jti) ?? spent.get(jti) ?? action) !== action) return 'spent';
      used.set(jti, action);
    }
    const [records, emitted] = [texts([record]), texts(emissions)]; // whatever throws, throws before the first write
    kept.set(taskId, task);
    task.records.push(...records);
    task.emissions.push(...emitted);
    task.snapshot = snapshot ?? task.snapshot;
    for (const [jti, action] of used) spent.set(jti, action);
    return 'ok';
  };

  return {
    commit: async (step) => append(step),
    erase: async (step, erased) => {
      if (append({ ...step, spends: [] }) !== 'ok') return 'conflict';
      const task = of(step.taskId);
      task.records = task.records.map((text) => recordWithout(text, erased));
      task.emissions = task.emissions.filter((text) => digest(emissionIn(text).document) !== erased);
      return 'ok';
    },
    tasks: async () => [...kept.keys()],
    snapshot: async (taskId) => of(taskId).snapshot,
    records: async (taskId) => of(taskId).records.map(recordIn),
    emissions: async (taskId) => of(taskId).emissions.map(emissionIn),
    close: async () => {},
  };
};
