import { CharterError } from '../../errors.ts';

/** The turns of agents that a process can take. */
export interface Turns {
  /** The task classes whose agents it runs. */
  readonly taskClasses: readonly string[];
  /** Returns the tasks that code of this process is working on, whatever their classes are. */
  readonly live: () => readonly string[];
}

/** Returns the error for an agent whose task another process performs. */
export const taskHeld = (taskId: string): CharterError<'task_held'> => {
  const message = `task ${taskId} is performed by another process: go on with its run there, or resume it here when it has paused`;
  return new CharterError('task_held', message, { taskId });
};
