import { deepFreeze } from '../canonical/deep-freeze.ts';
import { causeOf, CharterError, isCharterError } from '../errors.ts';
import { hashOfProjection, sealRecord, type StoredProjection } from '../ledger/seal.ts';
import type { LedgerEntry, LedgerRecord } from '../ports/ledger.ts';
import type { Committed, Needs, Step, Store } from '../ports/store.ts';
import type { Environment } from './environment.ts';
import type { Holds } from './holds.ts';

/** The ports of a journal. */
export type JournalPorts = Pick<Environment, 'store' | 'onStoreLost'> & {
  readonly holds: Pick<Holds, 'fenceOf' | 'lose' | 'progressed'>;
};

/** The number of consecutive refusals that are recorded; the next record counts the others. */
const refusalLimit = 100;

/** A step whose approval another action has used. Its call is refused with APPROVAL_SPENT. */
export class ApprovalSpent extends Error {
  override readonly name = 'ApprovalSpent';
}

/** Returns whether a retry of a step is useless after this error. */
export const isFinal = (error: unknown): boolean =>
  isCharterError(error, 'document_invalid') ||
  isCharterError(error, 'input_unreadable') ||
  error instanceof ApprovalSpent ||
  isCharterError(error, 'task_fenced') ||
  isCharterError(error, 'task_corrupted');

/** The data stored with a record; `snapshot` is `null` if it did not change. */
export interface Consequence extends Pick<Step, 'snapshot' | 'emissions' | 'consumedApprovals' | 'key'> {
  readonly beside: StoredProjection;
  /** Whether its agent must take a turn, and nothing else can be done. */
  readonly isTurn: boolean;
}

const fenced = (taskId: string, fence: number): CharterError<'task_fenced'> => {
  const message = `task ${taskId} is held by another process, or by none: nothing was written under fence ${fence}; do nothing more for it here`;
  return new CharterError('task_fenced', message, { taskId, fence });
};

/** The growing ledger of a task: it numbers, seals and stores each record with its step. */
export class Journal {
  /** The number of records. */
  size = 0;
  /** The number of emitted documents. */
  emitted = 0;
  /** The time of the last record (milliseconds since 1970). */
  latest = -Infinity;
  /** The number of refusals since the last record that were not recorded. */
  omitted = 0;
  /** Entries whose commit threw although the store wrote them, as a reload showed. */
  written: readonly LedgerEntry[] = [];
  readonly #taskId: string;
  readonly #needs: Omit<Needs, 'isTurn'> | null;
  readonly #store: Store;
  /** The fence of the hold under which the task was loaded: a later one is not that of this journal. */
  readonly #fence: number | null;
  readonly #holds: JournalPorts['holds'];
  readonly #onLost: JournalPorts['onStoreLost'];
  #head: string | null = null;
  #refusals = 0;
  /** Entries whose commit failed, by hash; the store may have written them all the same. */
  readonly #unsure = new Map<string, LedgerEntry>();

  /** Needs are `null` if they are unknown. */
  constructor(
    taskId: string,
    needs: Omit<Needs, 'isTurn'> | null,
    { store, holds, onStoreLost }: JournalPorts,
  ) {
    this.#taskId = taskId;
    this.#needs = needs;
    this.#store = store;
    this.#fence = holds.fenceOf(taskId);
    this.#holds = holds;
    this.#onLost = onStoreLost;
  }

  /** Continues after these records and this many documents. */
  resumeFrom(records: readonly LedgerRecord[], emitted: number): void {
    this.size = records.length;
    this.emitted = emitted;
    this.#head = records.at(-1)?.hash ?? null;
    this.latest = records.reduce(
      (latest, { timestamp }) => Math.max(latest, Date.parse(timestamp)),
      -Infinity,
    );
    this.#refusals = records.length - 1 - records.findLastIndex(({ kind }) => kind !== 'refusal');
    this.omitted = 0;
    this.written = records.flatMap(({ hash }) => this.#unsure.get(hash) ?? []);
    this.#unsure.clear();
  }

  /** Returns whether one more refusal is too many to record, and counts it then. */
  omitRefusal(): boolean {
    const isTooMany = this.#refusals >= refusalLimit;
    if (isTooMany) this.omitted += 1;
    return isTooMany;
  }

  /**
   * Seals and stores a record. With a digest to erase, removes every document of that digest from the store.
   *
   * Throws `store_conflict`, `store_failed`, `store_owned`, `task_fenced` or `ApprovalSpent`; nothing has happened then.
   */
  async append(
    entry: LedgerEntry,
    { beside, isTurn, ...consequence }: Consequence,
    erased: string | null = null,
  ): Promise<LedgerRecord> {
    const hash = hashOfProjection(beside);
    const record = sealRecord(entry, { previous: this.#head, ...consequence, beside: hash });
    const { deadlines, intents } = deepFreeze(beside);
    const indexEntry = deepFreeze({ ...beside.indexEntry, head: record.hash });
    const step = Object.freeze({
      taskId: this.#taskId,
      fence: this.#fence,
      needs: this.#needs && { ...this.#needs, isTurn },
      record,
      snapshot: consequence.snapshot,
      emissions: deepFreeze(consequence.emissions),
      consumedApprovals: deepFreeze(consequence.consumedApprovals),
      key: consequence.key,
      indexEntry,
      deadlines,
      intents,
    });
    this.#unsure.set(record.hash, entry);
    const seq = this.size;
    let answer: Committed;
    try {
      answer = await (erased === null ? this.#store.commit(step) : this.#store.erase(step, erased));
    } catch (error) {
      throw this.#failure(seq, error);
    }
    if (answer !== 'ok') throw await this.#refusal(step, answer);
    this.#holds.progressed(this.#taskId, this.#fence);
    this.#unsure.clear();
    this.written = [];
    this.size += 1;
    this.emitted += consequence.emissions.length;
    this.#head = record.hash;
    this.latest = Date.parse(record.timestamp);
    this.omitted = 0;
    this.#refusals = record.kind === 'refusal' ? this.#refusals + 1 : 0;
    return record;
  }

  /** Returns the error for a store that threw, and reports a lost ownership. */
  #failure(seq: number, cause: unknown): CharterError {
    const taskId = this.#taskId;
    if (isCharterError(cause, 'store_owned')) {
      this.#onLost(cause);
      return cause;
    }
    const message = `record ${seq} of task ${taskId} was not stored, unless the answer of the store was lost: ${causeOf(cause)}; repair the store, then repeat (what has a \`key\` happens once)`;
    return new CharterError('store_failed', message, { taskId, seq }, { cause });
  }

  /** Returns the error for a commit's answer; an unknown answer is a conflict. */
  async #refusal(
    { taskId, fence, key, consumedApprovals, record: { seq } }: Step,
    answer: Committed,
  ): Promise<CharterError | ApprovalSpent> {
    if (answer === 'fenced') {
      this.#holds.lose(taskId, fence);
      return fenced(taskId, fence ?? 0);
    }
    if (answer === 'spent' && consumedApprovals.length > 0)
      return new ApprovalSpent(`an approval of task ${taskId} was used before`);
    if (answer === 'duplicate') {
      const details = { key: key ?? '', taskId };
      return new CharterError(
        'key_reused',
        `key ${JSON.stringify(key ?? '')} was sent before: use a new key`,
        details,
      );
    }
    const details = { taskId, expected: seq, actual: await this.#sizeInStore(seq) };
    const message = `task ${taskId} moved on: its store has another record ${seq}; read the task again, then repeat`;
    return new CharterError('store_conflict', message, details);
  }

  async #sizeInStore(seq: number): Promise<number> {
    try {
      const [entry] = await this.#store.taskIndex({ taskId: this.#taskId });
      return entry?.size ?? 0;
    } catch (error) {
      throw this.#failure(seq, error);
    }
  }
}
