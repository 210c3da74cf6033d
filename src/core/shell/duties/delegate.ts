import { withDates } from '../../../base/define/dates.ts';
import { causeOf, isCharterError } from '../../../base/errors.ts';
import type { Label } from '../../../base/ports/origin.ts';
import type { ChildTask } from '../../../base/ports/tool.ts';
import type { Begun } from '../../kernel/projection/writes.ts';
import { stated, type LiveTask, type Stating } from '../live-task.ts';
import { WorkAbort } from '../work-signal.ts';
import { fail, succeed } from './outcome.ts';
import { systemOf, type Ports, type CallRun } from './performer.ts';

/** Milliseconds before the store is asked again whether it has a child. */
const askAgain = 1_000;

const pause = ({ environment: { clock } }: CallRun): Promise<void> =>
  new Promise((resolve) => void clock.wakeAfter(askAgain, resolve));

/** Returns whether the store has a child, though it failed when the child began: its answer may have been lost. */
const isStored = async (run: CallRun, taskId: string): Promise<boolean> => {
  for (;;)
    try {
      return (await run.environment.store.taskIndex({ taskId })).length > 0;
    } catch (error) {
      if (isCharterError(error, 'closed')) return true; // the next process finds out
      await pause(run);
    }
};

/** Returns whether a child is there already, by the error of a step that would begin it. */
const isBegun = (error: unknown, taskId: string): boolean =>
  (isCharterError(error, 'task_fenced') || isCharterError(error, 'store_conflict')) &&
  error.details.taskId === taskId;

/**
 * Begins the child of a waiting call. While the store fails, it is begun again: a step whose answer was lost may be written later, and of two
 * first steps the store takes one.
 */
async function* beginChild(run: CallRun, child: ChildTask, taskId: string): Stating {
  const { task, environment, call, of } = run;
  for (;;)
    try {
      const given = withDates(call.arguments, call.dates ?? []);
      return await environment.children.begin(taskId, task, of, child, given);
    } catch (error) {
      if (isBegun(error, taskId)) return; // it is taken up as after a crash
      if (!isCharterError(error, 'store_failed'))
        return void (yield* fail(run, causeOf(error), true, 'CHILD_FAILED'));
      if (await isStored(run, taskId)) return;
      await pause(run);
    }
}

/** Makes the parent wait for a child, and begins it. */
async function* beginNew(run: CallRun, child: ChildTask): Stating {
  const { task, environment, of } = run;
  const taskId = environment.ids.uuid();
  const isAwaited = yield stated(
    { type: 'dependency.awaited', ...of, dependency: taskId },
    {
      actor: task.view.agent,
      brought: { explanation: `Task ${taskId} of class ${child.taskClass} does this.` },
    },
  );
  if (isAwaited) yield* beginChild(run, child, taskId);
}

/** Performs a call that is a task: the parent waits before the child begins (UAICP 4.3). */
export async function* delegate(run: CallRun, child: ChildTask): Stating {
  const { task, environment } = run;
  const { children } = environment;
  const obstacle = await children.claim(task);
  if (obstacle !== null) return void (yield* fail(run, obstacle, true, 'BUDGET_SPENT'));
  try {
    yield* beginNew(run, child);
  } finally {
    children.release(task);
  }
}

/** Returns the run of a call from the task's documents; `undefined` if its tool is gone. */
const callRunOf = (environment: Ports, task: LiveTask, of: CallRun['of']): CallRun | undefined => {
  const call = task.view.projection.calls[of.call];
  const tool = environment.tools.get(call?.tool ?? '');
  return call === undefined || tool === undefined
    ? undefined
    : { task, environment, tool, call, of, signal: new WorkAbort() };
};

/** Begins a child whose beginning a crash prevented. */
export async function* beginMissingChild(
  task: LiveTask,
  environment: Ports,
  taskId: string,
  call: string,
): Stating {
  const { request, attempt } = task.view.context;
  const run = callRunOf(environment, task, { request, attempt, call });
  if (run?.tool.child !== undefined) yield* beginChild(run, run.tool.child, taskId);
}

/** States that a child never began, so that its call had no effect. */
export async function* neverBegan({ request, attempt, call, tool }: Begun): Stating {
  const brought = { explanation: 'It never began, because it was no longer needed.' };
  yield stated(
    { type: 'call.failed', request, attempt, call, code: 'CHILD_FAILED' },
    { actor: systemOf(tool), brought },
  );
}

/** States a child's delivery as the outcome of its call; if it is no longer needed, the child is undone. */
export async function* deliver(
  environment: Ports,
  task: LiveTask,
  of: CallRun['of'],
  delivered: unknown,
  shown: Label,
): Stating {
  const run = callRunOf(environment, task, of);
  if (run !== undefined) return void (yield* succeed(run, delivered, shown));
  const brought = { explanation: 'Its call is no longer known.' };
  yield stated({ type: 'call.doubted', ...of, code: 'CHILD_FAILED' }, { actor: task.view.agent, brought });
}
