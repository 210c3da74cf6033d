import type { Fact } from '../../machines/index.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { causeOf, CharterError, isCharterError } from '../errors.ts';
import { hashOfProjection, type StoredProjection } from '../ledger/stored-projection.ts';
import { sealRecord } from '../ledger/seal.ts';
import type { LedgerEntry, LedgerRecord } from '../ports/ledger.ts';
import type { Committed, Step, Store } from '../ports/store.ts';
import type { Draft } from './record.ts';

/** Refusals in a row that are written down; of further ones the next record says how many there were. */
const refusalLimit = 100;

/** What a record leads to: `null` for a snapshot that did not change. */
export interface Consequence extends Pick<Step, 'snapshot' | 'emissions' | 'spends' | 'key'> {
  readonly beside: StoredProjection;
}

/** A task's ledger as it grows: each record is numbered, sealed onto the one before, and stored with its step. */
export class Journal {
  readonly #taskId: string;
  readonly #store: Store;
  #seq = 0;
  #head: string | null = null;
  #latest = -Infinity;
  #refusals = 0;
  #omitted = 0;
  /** What the store was given and did not take, by its hash: where it threw, it has perhaps written it all the same. */
  readonly #unsure = new Map<string, LedgerEntry>();
  /** What of that was written. */
  #written: readonly LedgerEntry[] = [];

  constructor(taskId: string, store: Store) {
    this.#taskId = taskId;
    this.#store = store;
  }

  /** How many records there are. */
  get size(): number {
    return this.#seq;
  }

  /** The hour of the last record (milliseconds since 1970). */
  get latest(): number {
    return this.#latest;
  }

  /** Goes on where these records end. */
  goOn(records: readonly LedgerRecord[]): void {
    this.#seq = records.length;
    this.#head = records.at(-1)?.hash ?? null;
    this.#latest = records.reduce(
      (latest, { timestamp }) => Math.max(latest, Date.parse(timestamp)),
      -Infinity,
    );
    this.#refusals = records.length - 1 - records.findLastIndex(({ kind }) => kind !== 'refusal');
    this.#omitted = 0;
    this.#written = records.flatMap(({ hash }) => this.#unsure.get(hash) ?? []);
    this.#unsure.clear();
  }

  /** As what a fact was recorded that the store threw at: it wrote it, as the records show that were gone on with. */
  written(fact: Fact): LedgerEntry['kind'] | null {
    return this.#written.find((entry) => entry.fact === fact)?.kind ?? null;
  }

  /** The place of a record that is about to be written. */
  place(draft: Draft, behind: number): LedgerEntry {
    return { seq: this.#seq, taskId: this.#taskId, ...draft, omitted: this.#omitted, behind };
  }

  /** Whether one more refusal is too many to be written down; counts it then. */
  omits(kind: LedgerEntry['kind']): boolean {
    const isTooMany = kind === 'refusal' && this.#refusals >= refusalLimit;
    if (isTooMany) this.#omitted += 1;
    return isTooMany;
  }

  /** Seals and stores a record; throws `store_conflict`, `store_failed`, `store_owned` or `approval_spent`, and nothing has happened. */
  append(entry: LedgerEntry, consequence: Consequence): Promise<LedgerRecord> {
    return this.#write(entry, consequence, (step) => this.#store.commit(step));
  }

  /** Takes every document of a digest out of what is stored, and appends the record that says so. */
  erase(entry: LedgerEntry, consequence: Consequence, digest: string): Promise<LedgerRecord> {
    return this.#write(entry, consequence, (step) => this.#store.erase(step, digest));
  }

  async #write(
    entry: LedgerEntry,
    { beside, ...consequence }: Consequence,
    write: (step: Step) => Promise<Committed>,
  ): Promise<LedgerRecord> {
    const hash = hashOfProjection(beside);
    const record = sealRecord(entry, { previous: this.#head, ...consequence, beside: hash });
    const standing = { ...beside.standing, head: record.hash };
    const step = deepFreeze({ taskId: this.#taskId, record, ...consequence, ...beside, standing });
    this.#unsure.set(record.hash, entry);
    await this.#settle(step, write);
    this.#unsure.clear();
    this.#written = [];
    this.#seq += 1;
    this.#head = record.hash;
    this.#latest = Date.parse(record.timestamp);
    this.#omitted = 0;
    this.#refusals = record.kind === 'refusal' ? this.#refusals + 1 : 0;
    return record;
  }

  async #settle(step: Step, write: (step: Step) => Promise<Committed>): Promise<void> {
    const [taskId, seq] = [this.#taskId, step.record.seq];
    let answer: Committed;
    let actual = seq;
    try {
      answer = await write(step);
      if (answer === 'conflict') actual = (await this.#store.standings({ taskId }))[0]?.size ?? 0;
    } catch (cause) {
      if (isCharterError(cause, 'store_owned')) throw cause;
      const message = `record ${seq} of task ${taskId} was not taken: ${causeOf(cause)}`;
      throw new CharterError('store_failed', message, { taskId, seq }, { cause });
    }
    if (answer === 'ok') return;
    if (answer === 'spent') {
      const details = { taskId, jtis: step.spends.map(({ jti }) => jti) };
      throw new CharterError('approval_spent', `an approval of task ${taskId} was used before`, details);
    }
    if (answer === 'duplicate') {
      const key = step.key ?? '';
      throw new CharterError('key_reused', `key ${JSON.stringify(key)} was sent before`, { key, taskId });
    }
    throw new CharterError('store_conflict', `task ${taskId} moved on: record ${seq} is taken`, {
      taskId,
      expected: seq,
      actual,
    });
  }
}
