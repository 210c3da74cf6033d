import type { NameKind, StoredName, TaskCopy } from '../../base/ports/store.ts';
import { unheld } from '../shared.ts';
import { insertClaims } from './regulation.ts';
import type { Tables } from './tables.ts';
import { emittedBy, insertTask } from './write.ts';

/** Reads a task with all its steps. */
export const copyOf = ({ tasks, claims }: Tables, taskId: string, fence: number): TaskCopy | undefined => {
  const task = tasks.get(taskId);
  if (task === undefined) return undefined;
  const { indexEntry, snapshot, records, emissions, deadlines, intents } = task;
  const steps = records.map((record) => ({
    record,
    emissions: emissions.flatMap(({ seq, emission }) => (seq === record.seq ? [emission] : [])),
  }));
  const its = claims.get(taskId) ?? [];
  return { ...unheld, indexEntry, steps, snapshot, deadlines, intents, claims: its, fence };
};

/** Writes a task whole. */
export const writeCopy = (tables: Tables, copy: TaskCopy): 'ok' | 'conflict' => {
  const { indexEntry, snapshot, steps, deadlines, intents } = copy;
  if (tables.tasks.has(indexEntry.taskId)) return 'conflict';
  const task = { indexEntry, snapshot, deadlines, intents };
  insertTask(
    tables,
    task,
    steps.map(({ record }) => record),
    steps.flatMap(emittedBy),
  );
  insertClaims(tables, indexEntry.taskId, copy.claims);
  return 'ok';
};

const allNames = ({ keys, messages, spent }: Tables, kind: NameKind): readonly StoredName[] => {
  switch (kind) {
    case 'key':
      return [...keys].map(([name, { taskId, seq }]) => ({ name, of: taskId, seq }));
    case 'message':
      return [...messages].flatMap(([name, places]) =>
        places.map(({ taskId, seq }) => ({ name, of: taskId, seq })),
      );
    case 'approval':
      return [...spent].map(([name, { action, seq }]) => ({ name, of: action, seq }));
  }
};

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/** Returns a page of names. */
export const namesAfter = (
  tables: Tables,
  kind: NameKind,
  after: string | null,
  limit: number,
): readonly StoredName[] => {
  const rest = allNames(tables, kind).filter(({ name }) => after === null || name > after);
  const page = new Set([...new Set(rest.map(({ name }) => name))].toSorted(compare).slice(0, limit));
  return rest.filter(({ name }) => page.has(name)).toSorted((one, other) => compare(one.name, other.name));
};

const belongsToOther = ({ keys, spent }: Tables, kind: NameKind, { name, of, seq }: StoredName): boolean => {
  if (kind === 'approval') return (spent.get(name)?.action ?? of) !== of;
  const there = kind === 'key' ? keys.get(name) : undefined;
  return there !== undefined && (there.taskId !== of || there.seq !== seq);
};

const digestIn = ({ tasks }: Tables, { name, of, seq }: StoredName): string =>
  tasks.get(of)?.emissions.find((one) => one.seq === seq && one.message === name)?.digest ?? '';

const writeName = (tables: Tables, kind: NameKind, stored: StoredName): void => {
  const { name, of, seq } = stored;
  const place = { taskId: of, seq };
  if (kind === 'key') tables.keys.set(name, place);
  if (kind === 'approval')
    tables.spent.set(name, { action: of, seq: Math.max(seq, tables.spent.get(name)?.seq ?? 0) });
  if (kind !== 'message') return;
  const there = tables.messages.get(name) ?? [];
  if (!there.some((one) => one.taskId === of && one.seq === seq))
    tables.messages.set(name, [...there, { ...place, digest: digestIn(tables, stored) }]);
};

/** Writes names, or none of them. */
export const writeNames = (
  tables: Tables,
  kind: NameKind,
  names: readonly StoredName[],
): 'ok' | 'conflict' => {
  const isRefused = names.some(
    (one) =>
      belongsToOther(tables, kind, one) ||
      (kind !== 'approval' && !tables.tasks.has(one.of) && !tables.pruned.has(one.of)),
  );
  if (isRefused) return 'conflict';
  for (const one of names) writeName(tables, kind, one);
  return 'ok';
};
