import { isDeepStrictEqual } from 'node:util';
import { jsonValue } from '../canonical/json-value.ts';
import type { Environment } from './environment.ts';
import type { Task } from './task.ts';

/**
 * Saves the state of a task's agent, after redaction. Does nothing if it is saved already, or the task is settled.
 *
 * Throws `value_not_json` if it is not JSON or larger than 1 MiB.
 */
export const saveAgentState = async (
  task: Task,
  { redact }: Pick<Environment, 'redact'>,
  state: unknown,
): Promise<void> => {
  const agentState = redact(jsonValue(state, 'the state of the agent'), 'agentState');
  const { isSettled, agent, projection } = task.view;
  if (isSettled || isDeepStrictEqual(agentState, projection.agentState)) return;
  await task.record('agent', { actor: agent, brought: { agentState } });
};
