import { isCharterError } from '../base/errors.ts';
import type { Run } from './run.ts';

/**
 * Saves the state of a run's agent. One that is too large is not saved, and a Node.js warning says so: the agent continues from
 * what was saved before, and its calls are not made again. `remedy` says how the host keeps it.
 */
export const saveState = async (
  run: Pick<Run, 'taskId' | 'saveState'>,
  state: unknown,
  remedy: string,
): Promise<void> => {
  try {
    await run.saveState(state);
  } catch (error) {
    if (!isCharterError(error, 'value_not_json') || !error.details.reason.includes(' too ')) throw error;
    const message = `task ${run.taskId}: ${error.message}. Nothing was saved, and the agent continues from what was saved before: ${remedy}`;
    process.emitWarning(message, { type: 'AgentCharterWarning', code: 'AGENTCHARTER_STATE_NOT_SAVED' });
  }
};
