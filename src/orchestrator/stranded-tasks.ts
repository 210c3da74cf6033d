import type { Fact } from '../../machines/index.ts';
import type { Actor } from '../ports/ledger.ts';
import type { StoredTask } from '../ports/store.ts';
import { endStranded, eraseStranded, type EndPorts } from './end-stranded.ts';
import type { Environment } from './environment.ts';
import { eraseDocument } from './erase.ts';
import { settledOf } from './settled.ts';
import { isStranded, strandedEnd, strandedSettled, type StrandedEnd } from './stranded.ts';
import type { Settled } from './summary.ts';
import type { Task } from './task.ts';

/** What is done with tasks that this version of the chart does not continue. */
export interface StrandedTasks {
  /** Uses a task, or what is stored of it if it is under another version of the chart. */
  readonly either: <Result>(
    taskId: string,
    work: (task: Task) => Result | Promise<Result>,
    instead: (stored: StoredTask, error: unknown) => Result | Promise<Result>,
  ) => Promise<Result>;
  /** Returns how a settled task ended. Throws `not_found` if its last message was erased. */
  readonly settled: (taskId: string) => Promise<Settled>;
  /** Erases a document. Throws `task_unsettled`, `not_found`, and `chart_unknown` for a guest. */
  readonly erase: (taskId: string, what: { readonly digest: string; readonly actor: Actor }) => Promise<void>;
  /** Ends a task as cancelled, and cancels the tasks that are nested in it. */
  readonly end: (
    taskId: string,
    why: { readonly actor: Actor; readonly key?: string | undefined; readonly explanation?: string },
  ) => Promise<void>;
  /** Returns how a settled task ended that is a call of another; `null` for any other task. */
  readonly endOf: (taskId: string) => Promise<StrandedEnd | null>;
}

const cancelled: Fact = { type: 'task.cancelled' };

/** Returns what is done with tasks that this version of the chart does not continue. */
export const createStrandedTasks = (
  environment: EndPorts & Pick<Environment, 'isOwner'>,
  {
    load,
    use,
  }: {
    readonly load: (taskId: string) => Promise<StoredTask>;
    readonly use: <Result>(taskId: string, work: (task: Task) => Result | Promise<Result>) => Promise<Result>;
  },
): StrandedTasks => {
  const either: StrandedTasks['either'] = async (taskId, work, instead) => {
    try {
      return await use(taskId, work);
    } catch (error) {
      if (!isStranded(error, taskId)) throw error;
      return instead(await load(taskId), error);
    }
  };
  const end: StrandedTasks['end'] = async (taskId, why) => {
    await endStranded(await load(taskId), why, environment);
    const actor = { kind: 'system', id: taskId } as const;
    const explanation = 'The task that asked for this was ended.';
    for (const nested of await environment.store.standings({ parent: taskId, isSettled: false }))
      await either<unknown>(
        nested.taskId,
        (task) => task.submitWithRetry(cancelled, { actor, brought: { explanation } }),
        () => end(nested.taskId, { actor, explanation }),
      );
  };
  const settled: StrandedTasks['settled'] = (taskId) =>
    either(
      taskId,
      async (task) => {
        if (!task.view.isSettled) await task.refresh(); // another process ended it
        return settledOf(task.view);
      },
      strandedSettled,
    );
  const erase: StrandedTasks['erase'] = (taskId, { digest, actor }) =>
    either(
      taskId,
      (task) => eraseDocument(task, environment.store, digest, actor),
      (as, error) => {
        if (!environment.isOwner) throw error;
        return eraseStranded(as, { digest, actor }, environment);
      },
    );
  return { either, settled, erase, end, endOf: async (taskId) => strandedEnd(await load(taskId)) };
};
