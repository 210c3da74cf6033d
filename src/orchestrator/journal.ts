import { causeOf, CharterError } from '../errors.ts';
import { sealRecord } from '../ledger/seal.ts';
import type { Emission } from '../ports/emission.ts';
import type { LedgerEntry, LedgerRecord } from '../ports/ledger.ts';
import type { Step, Store } from '../ports/store.ts';
import type { Draft } from './record.ts';

/** Refusals in a row that are written down; of further ones the next record says how many there were. */
const refusalLimit = 100;

/** What a record leads to: `null` for a snapshot that did not change. */
export interface Consequence {
  readonly snapshot: string | null;
  readonly emissions: readonly Emission[];
  readonly spends: Step['spends'];
}

/** A task's ledger as it grows: each record is numbered, sealed onto the one before, and stored with its step. */
export class Journal {
  readonly #taskId: string;
  readonly #store: Store;
  #seq = 0;
  #head: string | null = null;
  #refusals = 0;
  #omitted = 0;

  constructor(taskId: string, store: Store) {
    this.#taskId = taskId;
    this.#store = store;
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

  /** Seals and stores a record; throws `store_conflict`, `store_failed` or `approval_spent`, and nothing has happened. */
  append(entry: LedgerEntry, { snapshot, emissions, spends }: Consequence): Promise<LedgerRecord> {
    return this.#write(entry, { snapshot, emissions, spends }, (step) => this.#store.commit(step));
  }

  /** Takes every document of a digest out of what is stored, and appends the record that says so. */
  erase(entry: LedgerEntry, digest: string): Promise<LedgerRecord> {
    const nothing = { snapshot: null, emissions: [], spends: [] };
    return this.#write(entry, nothing, (step) => this.#store.erase(step, digest));
  }

  async #write(
    entry: LedgerEntry,
    { snapshot, emissions, spends }: Consequence,
    write: (step: Step) => Promise<'ok' | 'conflict' | 'spent'>,
  ): Promise<LedgerRecord> {
    const record = sealRecord(entry, { previous: this.#head, snapshot, emissions });
    await this.#settle({ taskId: this.#taskId, record, snapshot, emissions, spends }, write);
    this.#seq += 1;
    this.#head = record.hash;
    this.#omitted = 0;
    this.#refusals = record.kind === 'refusal' ? this.#refusals + 1 : 0;
    return record;
  }

  async #settle(step: Step, write: (step: Step) => Promise<'ok' | 'conflict' | 'spent'>): Promise<void> {
    const [taskId, seq] = [this.#taskId, step.record.seq];
    let answer: 'ok' | 'conflict' | 'spent';
    let actual = seq;
    try {
      answer = await write(step);
      if (answer === 'conflict') actual = (await this.#store.records(taskId)).length;
    } catch (cause) {
      const message = `record ${seq} of task ${taskId} was not taken: ${causeOf(cause)}`;
      throw new CharterError('store_failed', message, { taskId, seq }, { cause });
    }
    if (answer === 'ok') return;
    if (answer === 'spent') {
      const details = { taskId, jtis: step.spends.map(({ jti }) => jti) };
      throw new CharterError('approval_spent', `an approval of task ${taskId} was used before`, details);
    }
    throw new CharterError('store_conflict', `task ${taskId} moved on: record ${seq} is taken`, {
      taskId,
      expected: seq,
      actual,
    });
  }
}
