import { isDeepStrictEqual } from 'node:util';
import { jsonValue } from '../canonical/json-value.ts';
import type { Environment } from './environment.ts';
import { orchestratorActor } from './record.ts';
import type { Task } from './task.ts';

/** The most UTF-16 units of saved states that a ledger keeps: as many as eight states of the largest size have. */
const mostKept = 8 * 1_048_576;

/** Erases the oldest saved states that are too much for a ledger; the last one stays. */
const eraseOldest = async (task: Task): Promise<void> => {
  for (;;) {
    const [oldest, ...rest] = task.view.projection.agentStates;
    const length = rest.reduce((sum, one) => sum + one.length, oldest?.length ?? 0);
    if (oldest === undefined || rest.length === 0 || length <= mostKept) return;
    await task.erase(oldest.digest, orchestratorActor);
  }
};

/**
 * Saves the state of a task's agent, after redaction. Does nothing if it is saved already, or the task is settled. Erases
 * older states beyond 8 MiB in all: only the last one is ever read.
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
  await eraseOldest(task);
};
