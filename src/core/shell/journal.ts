import { causeOf, CharterError, isCharterError } from '../../base/errors.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import type { Regulated } from '../../base/ports/regulation.ts';
import type { Committed, Needs, Step, Store } from '../../base/ports/store.ts';
import type { SealedStep } from '../kernel/seal.ts';
import type { Environment } from './environment.ts';
import { Held } from './quotas.ts';

/** A step whose approval another action has used. Its call is refused with APPROVAL_SPENT. */
export class ApprovalSpent extends Error {
  override readonly name = 'ApprovalSpent';
}

/** Returns whether a retry of a step is useless after this error. */
export const isFinal = (error: unknown): boolean =>
  isCharterError(error, 'document_invalid') ||
  isCharterError(error, 'input_unreadable') ||
  error instanceof ApprovalSpent ||
  error instanceof Held ||
  isCharterError(error, 'task_fenced') ||
  isCharterError(error, 'task_corrupted');

const fenced = (taskId: string, fence: number): CharterError<'task_fenced'> => {
  const message = `task ${taskId} is held by another process, or by none: nothing was written under fence ${fence}; do nothing more for it here`;
  return new CharterError('task_fenced', message, { taskId, fence });
};

/** Stores the steps of a task, and knows which it stored although the store threw. */
export class Journal {
  /** Records whose commit threw although the store wrote them, as a reload showed. */
  written: readonly LedgerRecord[] = [];
  readonly #taskId: string;
  readonly #needs: Omit<Needs, 'isTurn'> | null;
  readonly #store: Store;
  /** The fence of the hold under which the task was loaded: a later one is not that of this journal. */
  readonly #fence: number | null;
  readonly #holds: Pick<Environment['holds'], 'lose' | 'progressed'>;
  readonly #onLost: Environment['onStoreLost'];
  readonly #meter: Environment['meter'];
  readonly #clock: Pick<Environment['clock'], 'monotonic'>;
  /** Records whose commit failed, by hash; the store may have written them all the same. */
  readonly #unsure = new Map<string, LedgerRecord>();

  /** Needs are `null` if they are unknown. */
  constructor(
    taskId: string,
    needs: Omit<Needs, 'isTurn'> | null,
    {
      store,
      holds,
      onStoreLost,
      meter,
      clock,
    }: Pick<Environment, 'store' | 'onStoreLost' | 'meter'> & {
      readonly holds: Pick<Environment['holds'], 'fenceOf' | 'lose' | 'progressed'>;
      readonly clock: Pick<Environment['clock'], 'monotonic'>;
    },
  ) {
    this.#taskId = taskId;
    this.#needs = needs;
    this.#store = store;
    this.#fence = holds.fenceOf(taskId);
    this.#holds = holds;
    this.#onLost = onStoreLost;
    this.#meter = meter;
    this.#clock = clock;
  }

  /** Continues after the records of a reload. */
  resumeFrom(records: readonly LedgerRecord[]): void {
    this.written = records.flatMap(({ hash }) => this.#unsure.get(hash) ?? []);
    this.#unsure.clear();
  }

  /**
   * Stores a step. That of an erasure removes every document of its digest from the store.
   *
   * Throws `store_conflict`, `store_failed`, `store_owned`, `task_fenced`, `ApprovalSpent` or `Held`; nothing has happened then.
   */
  async write({ isTurn, ...sealed }: SealedStep, regulated: Regulated | null = null): Promise<void> {
    const needs = this.#needs && { ...this.#needs, isTurn };
    const step: Step = Object.freeze({ fence: this.#fence, needs, regulated, ...sealed });
    const { record } = step;
    this.#unsure.set(record.hash, record);
    const begun = this.#clock.monotonic();
    let answer: Committed;
    try {
      const { erased } = record;
      answer = await (erased === null ? this.#store.commit(step) : this.#store.erase(step, erased));
    } catch (error) {
      throw this.#failure(record.seq, error);
    }
    if (answer !== 'ok') throw await this.#refusal(step, answer);
    this.#meter.commits += 1;
    this.#meter.commitTime += this.#clock.monotonic() - begun;
    this.#holds.progressed(this.#taskId, this.#fence);
    this.#unsure.clear();
    this.written = [];
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
    { taskId, fence, key, consumedApprovals, regulated, record: { seq } }: Step,
    answer: Committed,
  ): Promise<CharterError | ApprovalSpent | Held> {
    if (answer === 'fenced') {
      this.#meter.fenced += 1;
      this.#holds.lose(taskId, fence);
      return fenced(taskId, fence ?? 0);
    }
    if (answer === 'held' && regulated !== null)
      return new Held(regulated, await this.#obstacle(seq, regulated));
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

  async #obstacle(seq: number, regulated: Regulated): Promise<Held['obstacle']> {
    try {
      return await this.#store.obstacle(regulated);
    } catch (error) {
      throw this.#failure(seq, error);
    }
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
