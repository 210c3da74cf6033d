import type { Committed, Step } from '../../base/ports/store.ts';
import type { Connection } from './connection.ts';
import type { Ownership } from './owner.ts';
import type { Session } from './session.ts';
import type { Watch } from './watch.ts';
import { fenced, textsOf, writeAll, writeAlone, writeStep, type Outcome, type Prepared } from './write.ts';

interface Waiting extends Prepared {
  readonly isLong?: boolean;
  readonly resolve: (answer: Committed) => void;
  readonly reject: (error: unknown) => void;
}

/** The writer of a store: writes of many tasks that arrive together share one transaction, which is synced once. */
export interface Group {
  /** Writes a step in one of the next transactions. Settles when that is synced, or has failed. */
  readonly commit: (step: Step) => Promise<Committed>;
  /** Makes another write in one of the next transactions; one that `isLong` is committed in another thread. */
  readonly write: (write: Prepared['write'], isLong?: boolean) => Promise<Committed>;
  /** Makes the writes that wait, then does other work while no transaction is open. */
  readonly alone: <Result>(work: () => Result) => Promise<Result>;
}

type Written = readonly (readonly [Waiting, Outcome])[];

const idsIn = (written: Written): readonly number[] =>
  written.flatMap(([, outcome]) => ('answer' in outcome ? outcome.records : []));

/**
 * Creates a group. The ownership says whether this store may write; `onCommitted` is called before a commit is answered.
 *
 * A transaction begins after the current turn of the event loop, so that every task that is ready to write joins it. It
 * is committed in another thread, and its tasks go on in one turn each, so that no turn is long. Writes that arrive
 * meanwhile wait for the next transaction. A write that is alone is committed at once: a thread would cost more.
 */
export const createGroup = (
  session: Session,
  { check, isCurrent }: Pick<Ownership, 'check' | 'isCurrent'>,
  watch: Pick<Watch, 'writing' | 'wrote' | 'forget'>,
  onCommitted: (step: Step) => void,
): Group => {
  let waiting: Waiting[] = [];
  let scheduled: NodeJS.Immediate | null = null;
  let committing: Promise<void> | null = null;
  /** What is still to be answered, oldest first. */
  let answers: (() => void)[] = [];

  const answer = ({ resolve, reject }: Waiting, outcome: Outcome): void => {
    if ('error' in outcome) return reject(session.trouble(outcome.error));
    resolve(outcome.answer);
  };

  const answerNext = (): void => {
    answers.shift()?.();
    if (answers.length > 0) setImmediate(answerNext);
  };

  const answerLater = (more: readonly (() => void)[]): void => {
    const isIdle = answers.length === 0;
    answers.push(...more);
    if (isIdle) answerNext();
  };

  const answerAll = (): void => {
    const all = answers;
    answers = [];
    for (const one of all) one();
  };

  const takeWaiting = (): readonly Waiting[] => {
    if (scheduled !== null) clearImmediate(scheduled);
    scheduled = null;
    const group = waiting;
    waiting = [];
    return group;
  };

  /** Makes writes in this turn of the event loop. */
  const writeNow = (group: readonly Waiting[]): void => {
    const [first] = group;
    if (first === undefined) return;
    try {
      const written = session.use('commit', (connection): Written =>
        group.length === 1
          ? [[first, writeAlone(connection, check, first)]]
          : connection.transaction('IMMEDIATE', () => writeAll(connection, check, group)),
      );
      for (const id of idsIn(written)) watch.wrote(id);
      for (const [one, outcome] of written) answer(one, outcome);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  const writeLater = async (group: readonly Waiting[]): Promise<void> => {
    let ids: readonly number[] = [];
    const register = (written: Written): void => {
      ids = idsIn(written);
      for (const id of ids) watch.writing(id);
    };
    try {
      const write = (connection: Connection): Written => writeAll(connection, check, group);
      const written = await session.useLater('commit', write, register);
      for (const id of ids) watch.wrote(id);
      answerLater(
        written.map(
          ([one, outcome]) =>
            () =>
              answer(one, outcome),
        ),
      );
    } catch (error) {
      for (const id of ids) watch.forget(id);
      answerLater(
        group.map(
          ({ reject }) =>
            () =>
              reject(error),
        ),
      );
    }
  };

  const schedule = (): void => {
    if (waiting.length > 0 && committing === null) scheduled ??= setImmediate(flush);
  };

  const flush = (): void => {
    const group = takeWaiting();
    if (group.length === 1 && answers.length === 0 && group[0]?.isLong !== true) return writeNow(group);
    committing = writeLater(group).finally(() => {
      committing = null;
      schedule();
    });
  };

  const committed = async (): Promise<void> => {
    if (committing === null) return;
    await committing;
    await committed(); // a later transaction begins in a later turn
  };

  const enqueue = (one: Waiting): void => {
    waiting.push(one);
    schedule();
  };

  return {
    commit: async (step) => {
      session.check('commit');
      const texts = textsOf(step);
      return new Promise((resolve, reject) => {
        const answered = (answer: Committed): void => {
          if (answer === 'ok') onCommitted(step);
          resolve(answer);
        };
        enqueue({
          write: (connection) =>
            step.fence === null || isCurrent(step.fence) ? writeStep(connection, step, texts) : fenced,
          resolve: answered,
          reject,
        });
      });
    },
    write: (write, isLong = false) =>
      new Promise((resolve, reject) => enqueue({ write, isLong, resolve, reject })),
    alone: async (work) => {
      await committed();
      writeNow(takeWaiting());
      answerAll();
      return work();
    },
  };
};
