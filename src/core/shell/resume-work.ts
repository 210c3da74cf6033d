import { TaskClassContract } from '../../../machines/index.ts';
import { inRecordedNames } from '../../base/define/formerly.ts';
import { reasonMeaning } from '../../../schema/index.ts';
import { orchestratorActor } from '../kernel/statement.ts';
import type { TaskView } from '../kernel/view.ts';
import { keptAuthorities } from './authorities.ts';
import { beginMissingChild, neverBegan } from './duties/delegate.ts';
import { resumeLateRollbacks } from './duties/late-writes.ts';
import type { Ports } from './duties/performer.ts';
import type { Environment } from './environment.ts';
import { stated, type LiveTask, type Stating } from './live-task.ts';
import type { Task } from './task.ts';
import type { Worker } from './worker.ts';

/** Applies the current task class to a task that began under another version of it; the stricter rules hold. */
async function* tighten({ taskId, taskClass, view }: LiveTask, { taskClassOf, tools }: Environment): Stating {
  const current = inRecordedNames(taskClassOf(taskClass.id, taskId), taskClass.contract, tools);
  const contract = keptAuthorities(current, view.context.taskClass);
  const fact = { type: 'taskClass.changed', taskClass: TaskClassContract.parse(contract) } as const;
  const explanation = reasonMeaning.TASK_CLASS_CHANGED;
  if (view.snapshot.can(fact)) yield stated(fact, { actor: orchestratorActor, brought: { explanation } });
}

/** Applies due deadlines of a loaded task first; then performs duties, and resumes the work of a crash. */
export const resumeWork = async (task: Task, worker: Worker, environment: Ports): Promise<void> => {
  await task.wake();
  environment.changes.note(task);
  await task.carryOut(tighten(task, environment));
  worker.step(task.view.due);
  await environment.children.resume(task, {
    begin: (taskId, call) => task.carryOut(beginMissingChild(task, environment, taskId, call)),
    recordNeverBegan: (begun) => task.carryOut(neverBegan(begun)),
  });
  await resumeLateRollbacks(task, environment);
};

/** Returns whether a step leaves nothing to do beside its duties. */
export const isTidy = ({ unreported, projection }: TaskView): boolean =>
  unreported.length === 0 && projection.lateWrites.length === 0;

/** Does what a step leaves to do beside its duties: cancels nested tasks that are not needed, rolls back late writes. */
export const tidyUp = async (
  task: LiveTask,
  { unreported, projection }: TaskView,
  environment: Ports,
): Promise<void> => {
  if (unreported.length > 0) await environment.children.cancelUnneeded(task);
  if (projection.lateWrites.length > 0) await resumeLateRollbacks(task, environment);
};
