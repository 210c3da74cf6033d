import { TaskClassContract } from '../../machines/index.ts';
import { reasonMeaning } from '../../schema/index.ts';
import type { Environment } from './environment.ts';
import { orchestratorActor } from './record.ts';
import type { Task } from './task.ts';

/** Brings the task class in force to a task that began under another version of it: the stricter of both holds. */
export const tighten = async (task: Task, { taskClassOf }: Environment): Promise<void> => {
  const { contract } = taskClassOf(task.taskClass.id);
  const fact = { type: 'taskClass.changed', taskClass: TaskClassContract.parse(contract) } as const;
  if (!task.view.snapshot.can(fact)) return;
  const explanation = reasonMeaning.TASK_CLASS_CHANGED;
  await task.submitWithRetry(fact, { actor: orchestratorActor, brought: { explanation } });
};
