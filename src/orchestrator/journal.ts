import { deepFreeze } from '../canonical/deep-freeze.ts';
import { causeOf, CharterError, isCharterError } from '../errors.ts';
import { hashOfProjection, sealRecord, type StoredProjection } from '../ledger/seal.ts';
import type { LedgerEntry, LedgerRecord } from '../ports/ledger.ts';
import type { Committed, Step, Store } from '../ports/store.ts';
import type { Environment } from './environment.ts';

/** The ports of a journal. */
export type JournalPorts = Pick<Environment, 'store' | 'onStoreLost'>;

/** Refusals in a row that are written down; of further ones the next record says how many there were. */
const refusalLimit = 100;

/** What a record leads to: `null` for a snapshot that did not change. */
export interface Consequence extends Pick<Step, 'snapshot' | 'emissions' | 'consumedApprovals' | 'key'> {
  readonly beside: StoredProjection;
}

/** A task's ledger as it grows: each record is numbered, sealed onto the one before, and stored with its step. */
export class Journal {
  /** How many records there are. */
  size = 0;
  /** How many documents were emitted. */
  emitted = 0;
  /** The hour of the last record (milliseconds since 1970). */
  latest = -Infinity;
  /** Refusals since the last record that were too many to be written down. */
  omitted = 0;
  /** Records that the store threw at and wrote all the same, as the records show that were gone on with. */
  written: readonly LedgerEntry[] = [];
  readonly #taskId: string;
  readonly #store: Store;
  readonly #onLost: JournalPorts['onStoreLost'];
  #head: string | null = null;
  #refusals = 0;
  /** What the store was given and did not take, by its hash: where it threw, it has perhaps written it all the same. */
  readonly #unsure = new Map<string, LedgerEntry>();

  constructor(taskId: string, { store, onStoreLost }: JournalPorts) {
    this.#taskId = taskId;
    this.#store = store;
    this.#onLost = onStoreLost;
  }

  /** Goes on where these records end, after so many documents. */
  goOn(records: readonly LedgerRecord[], emitted: number): void {
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

  /** Whether one more refusal is too many to be written down; counts it then. */
  omits(): boolean {
    const isTooMany = this.#refusals >= refusalLimit;
    if (isTooMany) this.omitted += 1;
    return isTooMany;
  }

  /**
   * Seals and stores a record; with a digest to erase, takes every document of that digest out of what is stored.
   *
   * Throws `store_conflict`, `store_failed`, `store_owned` or `approval_spent`, and nothing has happened.
   */
  async append(
    entry: LedgerEntry,
    { beside, ...consequence }: Consequence,
    erased: string | null = null,
  ): Promise<LedgerRecord> {
    const hash = hashOfProjection(beside);
    const record = sealRecord(entry, { previous: this.#head, ...consequence, beside: hash });
    const indexEntry = { ...beside.indexEntry, head: record.hash };
    const step = deepFreeze({ taskId: this.#taskId, record, ...consequence, ...beside, indexEntry });
    this.#unsure.set(record.hash, entry);
    const seq = this.size;
    let answer: Committed;
    try {
      answer = await (erased === null ? this.#store.commit(step) : this.#store.erase(step, erased));
    } catch (error) {
      throw this.#failure(seq, error);
    }
    if (answer !== 'ok') throw await this.#refusal(step, answer);
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

  /** Returns what a store that threw is an error of, and says if another owner took it over. */
  #failure(seq: number, cause: unknown): CharterError {
    const taskId = this.#taskId;
    if (isCharterError(cause, 'store_owned')) {
      this.#onLost(cause);
      return cause;
    }
    const message = `record ${seq} of task ${taskId} was not taken: ${causeOf(cause)}`;
    return new CharterError('store_failed', message, { taskId, seq }, { cause });
  }

  /** Returns the error of an answer: whatever is not known is a conflict. */
  async #refusal(
    { taskId, key, consumedApprovals, record: { seq } }: Step,
    answer: Committed,
  ): Promise<CharterError> {
    if (answer === 'spent') {
      const details = { taskId, jtis: consumedApprovals.map(({ jti }) => jti) };
      return new CharterError('approval_spent', `an approval of task ${taskId} was used before`, details);
    }
    if (answer === 'duplicate') {
      const details = { key: key ?? '', taskId };
      return new CharterError('key_reused', `key ${JSON.stringify(key ?? '')} was sent before`, details);
    }
    const details = { taskId, expected: seq, actual: await this.#sizeInStore(seq) };
    return new CharterError('store_conflict', `task ${taskId} moved on: record ${seq} is taken`, details);
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
