import type { Fact } from '../../../machines/index.ts';
import { isCharterError } from '../../base/errors.ts';
import type { Actor } from '../../base/ports/ledger.ts';
import type { StoredTask } from '../../base/ports/store.ts';
import { settledOf } from '../kernel/settled.ts';
import type { Settled } from '../kernel/summary.ts';
import { endStranded, eraseStranded } from './end-stranded.ts';
import type { Environment } from './environment.ts';
import { eraseDocument } from './erase.ts';
import { progressOf, type Progress } from './progress.ts';
import { isStranded, strandedEnd, strandedProgress, strandedSettled, type StrandedEnd } from './stranded.ts';
import { stated } from './live-task.ts';
import type { UseTask } from './family.ts';
import type { Task } from './task.ts';

/** The actor and the reason of an end. */
interface Why {
  readonly actor: Actor;
  readonly key?: string | undefined;
  readonly explanation?: string;
}

/** The operations on tasks that this version of the chart cannot continue. */
export interface StrandedTasks {
  /** Runs `work` on a task, or `instead` on its stored form if it is under another version of the chart. */
  readonly either: <Result>(
    taskId: string,
    work: (task: Task) => Result | Promise<Result>,
    instead: (stored: StoredTask, error: unknown) => Result | Promise<Result>,
  ) => Promise<Result>;
  /** Returns how a settled task ended. Throws `not_found` if its last message was erased. */
  readonly settled: (taskId: string) => Promise<Settled>;
  /** Returns the progress of a task, with the dependencies of its children. */
  readonly progress: (taskId: string) => Promise<Progress>;
  /** Erases a document. Throws `task_unsettled`, `not_found`, and `chart_unknown` for a guest. */
  readonly erase: (taskId: string, what: { readonly digest: string; readonly actor: Actor }) => Promise<void>;
  /** Ends a task as cancelled, and cancels its children. */
  readonly end: (taskId: string, why: Why) => Promise<void>;
  /** Cancels the children of a settled task. */
  readonly endNested: (taskId: string) => Promise<void>;
  /** Returns the end of a settled task that is a call of another; `null` for any other task. */
  readonly endOf: (taskId: string) => Promise<StrandedEnd | null>;
}

const cancelled: Fact = { type: 'task.cancelled' };

/** Creates the operations on tasks that this version of the chart cannot continue. */
export const createStrandedTasks = (
  environment: Environment,
  { load, use }: { readonly load: (taskId: string) => Promise<StoredTask>; readonly use: UseTask },
): StrandedTasks => {
  const either: StrandedTasks['either'] = async (taskId, work, instead) => {
    try {
      return await use(taskId, work);
    } catch (error) {
      if (!isStranded(error, taskId)) throw error;
      return instead(await load(taskId), error);
    }
  };
  /** Ends a stored task. If another process recorded something first, tries again. */
  const endOne = async (taskId: string, why: Why): Promise<void> => {
    try {
      await endStranded(await load(taskId), why, environment);
    } catch (error) {
      if (!isCharterError(error, 'store_conflict')) throw error;
      await endOne(taskId, why);
    }
  };
  const endNested: StrandedTasks['endNested'] = async (taskId) => {
    const actor = { kind: 'system', id: taskId } as const;
    const explanation = 'The task that asked for this was ended.';
    for (const nested of await environment.store.taskIndex({ parent: taskId, isSettled: false }))
      await either<unknown>(
        nested.taskId,
        (task) => task.recordStated(stated(cancelled, { actor, brought: { explanation } })),
        () => end(nested.taskId, { actor, explanation }),
      );
  };
  const end: StrandedTasks['end'] = async (taskId, why) => {
    await endOne(taskId, why);
    await endNested(taskId);
  };
  const settled: StrandedTasks['settled'] = (taskId) =>
    either(
      taskId,
      async (task) => {
        if (!task.view.isSettled) await task.refresh(); // another process may have ended it
        return settledOf(task.view);
      },
      strandedSettled,
    );
  const erase: StrandedTasks['erase'] = (taskId, { digest, actor }) =>
    either(
      taskId,
      (task) => eraseDocument(task, environment, digest, actor),
      (as, error) => {
        if (!environment.isOwner) throw error;
        return eraseStranded(as, { digest, actor }, environment);
      },
    );
  const progress: StrandedTasks['progress'] = async (taskId) => {
    const own = await either(
      taskId,
      ({ view }) => progressOf(view, environment),
      (as) => strandedProgress(as, environment),
    );
    if (own.state !== 'waiting') return own;
    const nested = await environment.store.taskIndex({ parent: taskId, isSettled: false });
    const below = await Promise.all(nested.map((one) => progress(one.taskId)));
    return { ...own, awaits: [own, ...below].flatMap(({ awaits }) => awaits) };
  };
  return {
    either,
    settled,
    progress,
    erase,
    end,
    endNested,
    endOf: async (taskId) => strandedEnd(await load(taskId)),
  };
};
