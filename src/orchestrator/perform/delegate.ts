import { causeOf } from '../../errors.ts';
import type { ChildTask } from '../../ports/tool.ts';
import type { Environment } from '../environment.ts';
import type { Task } from '../task.ts';
import { fail, succeed, type Run } from './outcome.ts';
import { agentOf } from './performer.ts';

/** Makes the call that is a task: the parent waits for it before it begins (UAICP 4.3). */
export const delegate = async (run: Run, child: ChildTask): Promise<void> => {
  const { task, environment, call, of } = run;
  const { children, ids } = environment;
  const obstacle = children.claim(task);
  if (obstacle !== null) return void (await fail(run, obstacle, true, 'BUDGET_SPENT'));
  const taskId = ids.uuid();
  const isAwaited = await task.insist(
    { type: 'dependency.awaited', ...of, dependency: taskId },
    {
      actor: agentOf(task),
      brought: { explanation: `Task ${taskId} of class ${child.taskClass} does this.` },
    },
  );
  if (!isAwaited) return;
  try {
    await children.begin(taskId, task, of, child, call.arguments);
  } catch (error) {
    await fail(run, causeOf(error), true, 'CHILD_FAILED');
  }
};

/** Records what a child delivered as the outcome of the call that it is; one that nobody waits for any more is undone. */
export const deliver = async (
  environment: Environment,
  task: Task,
  of: Run['of'],
  delivered: unknown,
): Promise<void> => {
  const call = task.dossier.calls[of.call];
  const tool = environment.tools.get(call?.tool ?? '');
  if (call === undefined || tool === undefined) return;
  await succeed({ task, environment, tool, call, of, signal: new AbortController().signal }, delivered);
};
