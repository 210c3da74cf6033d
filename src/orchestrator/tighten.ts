import { TaskClassContract } from '../../machines/index.ts';
import { reasonMeaning } from '../../schema/index.ts';
import type { Environment } from './environment.ts';
import { orchestratorActor } from './record.ts';
import type { Task } from './task.ts';

/** The tools that a task may call: of its definition, those that the stricter of its task classes allows. */
export const allowedTools = ({ taskClass, snapshot }: Task): readonly string[] => {
  const { tools } = snapshot.context.taskClass;
  return taskClass.tools.filter((name) => tools?.includes(name) ?? true);
};

/** Brings the task class in force to a task that began under another version of it: the stricter of both holds. */
export const tighten = async (task: Task, { taskClassOf }: Environment): Promise<void> => {
  const { contract } = taskClassOf(task.taskClass.id);
  const fact = { type: 'taskClass.changed', taskClass: TaskClassContract.parse(contract) } as const;
  if (!task.snapshot.can(fact)) return;
  const explanation = reasonMeaning.TASK_CLASS_CHANGED;
  await task.submitWithRetry(fact, { actor: orchestratorActor, brought: { explanation } });
};
