import { causeOf } from '../../errors.ts';
import type { ChildTask } from '../../ports/tool.ts';
import { fail, succeed, type Run } from './outcome.ts';
import { agentOf } from './performer.ts';

/**
 * Makes the call that is a task: the parent waits for it before it begins, and is called again with what it delivered
 * (UAICP 4.3).
 */
export const delegate = async (run: Run, child: ChildTask): Promise<void> => {
  const { task, environment, call, of } = run;
  const { children, ids } = environment;
  const delivered = task.dossier.resumed[call.id]?.met ?? null;
  if (delivered !== null) return void (await succeed(run, delivered));
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
