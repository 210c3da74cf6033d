import { isDeepStrictEqual } from 'node:util';
import { isCharterError } from '../../base/errors.ts';
import { entriesOf } from '../../core/shell/pages.ts';
import type { PrunedTask } from '../../base/ports/retention.ts';
import type { NameKind, Needs, Store, StoredName, TaskCopy } from '../../base/ports/store.ts';

/** Why a task was not copied. */
export interface CopyFinding {
  readonly taskId: string;
  readonly code: 'broken' | 'held' | 'other' | 'changed' | 'name_taken';
  readonly message: string;
}

/** What a copy did: tasks that it wrote, and those that were there already. */
export interface CopyReport {
  readonly copied: number;
  readonly present: number;
  readonly findings: readonly CopyFinding[];
  /** Whether the tasks of the target may be performed. */
  readonly isReleased: boolean;
}

/** The number of names that are read and written at once. */
const namesAtOnce = 1_000;

const kinds: readonly NameKind[] = ['key', 'message', 'approval'];

/** Takes a store that has a lock. Throws `store_owned` while another process has it, or uses a store without one. */
const lock = async (store: Store): Promise<void> => {
  if (store.lease === Infinity) await store.take({ charts: [], taskClasses: [], tools: [], agents: [] }, 1);
  await store.transfer.checkUnused();
};

/** Returns what a task needs; a store in a file does not keep it. Whether an agent's turn is next shows in its next step. */
const needsOf = ({ needs, steps }: TaskCopy): Needs | null => {
  const contract = steps[0]?.record.brought.contract;
  if (needs !== null || contract === undefined) return needs;
  return { taskClass: contract.id, tools: contract.tools ?? [], isTurn: false };
};

/** Returns what two copies of one task have in common. */
const contentsOf = ({ indexEntry, steps, snapshot, deadlines, intents }: TaskCopy): object => ({
  indexEntry,
  steps,
  snapshot,
  deadlines,
  intents,
});

const isSame = (one: TaskCopy, other: TaskCopy): boolean =>
  isDeepStrictEqual(contentsOf(one), contentsOf(other));

/** Reads a task and verifies its ledger; a text says what is wrong with it. */
const readIntact = async (store: Store, taskId: string): Promise<TaskCopy | string> => {
  const { verifyLedger } = await import('../../core/ledger/verify.ts');
  try {
    const copy = await store.transfer.readTask(taskId);
    if (copy === undefined) return 'it was removed meanwhile';
    const records = copy.steps.map(({ record }) => record);
    const emissions = copy.steps.flatMap((step) => step.emissions.filter((one) => one !== null));
    const { findings } = await verifyLedger(records, { emissions });
    if (records.at(-1)?.hash !== copy.indexEntry.head) return 'its last record is not the one that it names';
    const [first] = findings;
    return first === undefined ? copy : `record ${first.seq}: ${first.code}: ${first.message}`;
  } catch (error) {
    if (isCharterError(error, 'task_corrupted')) return error.message;
    throw error;
  }
};

type Copied = 'copied' | 'present' | Omit<CopyFinding, 'taskId'>;

const held = {
  code: 'held',
  message: 'a process holds it: stop all that use the store, and repeat',
} as const;
const other = {
  code: 'other',
  message: 'the target has another task of this id, or an older copy: name an empty target',
} as const;

/** Copies a task unless it is there, and compares what arrived. */
const copyTask = async (from: Store, to: Store, taskId: string): Promise<Copied> => {
  const copy = await readIntact(from, taskId);
  if (typeof copy === 'string') return { code: 'broken', message: copy };
  if (copy.isHeld) return held;
  const there = await to.transfer.readTask(taskId);
  if (there !== undefined) return isSame(copy, there) ? 'present' : other;
  if ((await to.transfer.writeTask({ ...copy, needs: needsOf(copy) })) !== 'ok') return other;
  const arrived = await to.transfer.readTask(taskId);
  return arrived !== undefined && isSame(copy, arrived) ? 'copied' : other;
};

/** Copies pauses, and what is left of pruned tasks; returns the ids of those. */
const copyRest = async (from: Store, to: Store): Promise<ReadonlySet<string>> => {
  await to.transfer.writePauses(await from.pauses({ limit: Number.MAX_SAFE_INTEGER }));
  const pruned = new Set<string>();
  for (let after: string | null = null; ;) {
    const page: readonly PrunedTask[] = await from.transfer.readPruned(after, namesAtOnce);
    const last = page.at(-1);
    if (last === undefined) return pruned;
    after = last.taskId;
    await to.transfer.writePruned(page);
    for (const { taskId } of page) pruned.add(taskId);
  }
};

/** Copies all names of one kind; returns those that belong to others in the target. */
const copyNames = async (
  from: Store,
  to: Store,
  kind: NameKind,
  isCopied: (taskId: string) => boolean,
): Promise<readonly StoredName[]> => {
  const taken: StoredName[] = [];
  for (let after: string | null = null; ;) {
    const page: readonly StoredName[] = await from.transfer.readNames(kind, after, namesAtOnce);
    const last = page.at(-1);
    if (last === undefined) return taken;
    after = last.name;
    const names = kind === 'approval' ? page : page.filter(({ of }) => isCopied(of));
    if ((await to.transfer.writeNames(kind, names)) === 'ok') continue;
    for (const one of names) if ((await to.transfer.writeNames(kind, [one])) !== 'ok') taken.push(one);
  }
};

/**
 * Copies every task of a store to another one. It can be repeated: tasks that are there already are compared. No task of
 * the target is performed before all are there.
 *
 * A task whose ledger does not verify stays behind. Any other finding keeps the target from being released, and so does such
 * a task whose parent is open. Throws `store_owned` if one of the stores is in use.
 */
export const copyStore = async (
  from: Store,
  to: Store,
  onProgress: (done: number, of: number) => void,
): Promise<CopyReport> => {
  await lock(from);
  await lock(to);
  const findings: CopyFinding[] = [];
  const heads = new Map<string, string>();
  const open = new Set<string>();
  /** Broken tasks whose parent is open, and would begin them again. */
  const needed = new Set<string>();
  const counts = { copied: 0, present: 0 };

  const { tasks } = await from.counts();
  for await (const { taskId, head, parent, isSettled } of entriesOf(from, {})) {
    if (!isSettled) open.add(taskId);
    const result = await copyTask(from, to, taskId);
    if (typeof result === 'string') {
      counts[result] += 1;
      heads.set(taskId, head);
    } else {
      findings.push({ taskId, ...result });
      if (result.code === 'broken' && parent !== null && open.has(parent)) needed.add(taskId);
    }
    onProgress(counts.copied + counts.present + findings.length, tasks);
  }
  const pruned = await copyRest(from, to);
  const isCopied = (taskId: string): boolean => heads.has(taskId) || pruned.has(taskId);
  for (const kind of kinds)
    for (const { name, of } of await copyNames(from, to, kind, isCopied))
      findings.push({
        taskId: kind === 'approval' ? '' : of,
        code: 'name_taken',
        message: `the target has the ${kind} ${JSON.stringify(name)} for another ${kind === 'approval' ? 'action' : 'record'}`,
      });
  for await (const { taskId, head } of entriesOf(from, {})) {
    const isKnown = heads.get(taskId) === head || findings.some((one) => one.taskId === taskId);
    const message =
      'it changed while it was copied: stop all that use the store, and copy to an empty target';
    if (!isKnown) findings.push({ taskId, code: 'changed', message });
  }
  const isReleased = findings.every(({ taskId, code }) => code === 'broken' && !needed.has(taskId));
  if (isReleased) await to.transfer.release();
  return { ...counts, findings, isReleased };
};
