import type { Committed, Step } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import type { Session } from './session.ts';
import { commitSteps, textsOf, type Outcome, type StepText } from './write.ts';

interface Waiting {
  readonly step: Step;
  readonly texts: StepText;
  readonly resolve: (answer: Committed) => void;
  readonly reject: (error: unknown) => void;
}

/** The writer of steps: those of many tasks that arrive together share one transaction, which is synced once. */
export interface Group {
  /** Writes a step in the next transaction. Settles when that transaction is synced, or has failed. */
  readonly commit: (step: Step) => Promise<Committed>;
  /** Writes the steps that wait. */
  readonly flush: () => void;
}

/**
 * Creates a group. `check` throws if this store may not write; `onWritten` is called for each written record.
 *
 * A transaction begins after the current turn of the event loop, so that every task that is ready to write joins it.
 */
export const createGroup = (
  session: Session,
  check: (connection: Connection) => void,
  onWritten: (record: number) => void,
): Group => {
  let waiting: Waiting[] = [];
  let scheduled: NodeJS.Immediate | null = null;

  const answer = ({ resolve, reject }: Waiting, outcome: Outcome): void => {
    if ('error' in outcome) return reject(session.trouble(outcome.error));
    if (outcome.record !== null) onWritten(outcome.record);
    resolve(outcome.answer);
  };

  const flush = (): void => {
    if (scheduled !== null) clearImmediate(scheduled);
    scheduled = null;
    const group = waiting;
    waiting = [];
    if (group.length === 0) return;
    try {
      const written = session.use('commit', (connection) => commitSteps(connection, check, group));
      for (const [one, outcome] of written) answer(one, outcome);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  return {
    commit: async (step) => {
      session.check('commit');
      const texts = textsOf(step);
      return new Promise((resolve, reject) => {
        waiting.push({ step, texts, resolve, reject });
        scheduled ??= setImmediate(flush);
      });
    },
    flush,
  };
};
