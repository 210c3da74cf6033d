import { isDeepStrictEqual } from 'node:util';
import { stateBounds } from '../../canonical/freeze.ts';
import { jsonValue } from '../../canonical/json-value.ts';
import { kept } from '../../canonical/kept.ts';
import type { Store } from '../../ports/store.ts';
import { orchestratorActor } from '../kernel/statement.ts';
import type { TaskView } from '../kernel/view.ts';
import type { Environment } from './environment.ts';
import type { Task } from './task.ts';

/** The most UTF-16 units of saved states that a ledger keeps: as many as one state of the largest size has. */
const mostKept = stateBounds.text;

/** Returns the oldest saved states that are too much for a ledger; the last one stays. */
const tooMuchIn = ({ projection: { agentStates } }: TaskView): readonly string[] => {
  let length = agentStates.reduce((sum, one) => sum + one.length, 0);
  return agentStates.slice(0, -1).flatMap((state) => {
    if (length <= mostKept) return [];
    length -= state.length;
    return state.digest;
  });
};

/** Erases the oldest saved states that are too much for a ledger, but for one that is another document too. */
const eraseOldest = async (task: Task, store: Pick<Store, 'load'>): Promise<void> => {
  if (tooMuchIn(task.view).length === 0) return;
  const { records = [] } = (await store.load(task.taskId)) ?? {};
  const others = records.flatMap(({ documents: { agentState: _state, ...rest } }) => Object.values(rest));
  for (const digest of tooMuchIn(task.view))
    if (!others.includes(digest)) await task.erase(digest, orchestratorActor);
};

/** The erasures under way: a state is erased once, however many are saved at a time. */
const underWay = new WeakMap<Task, Promise<void>>();

/** Erases the oldest saved states after those that are being erased. */
const eraseInTurn = (task: Task, store: Pick<Store, 'load'>): Promise<void> => {
  const erased = (underWay.get(task) ?? Promise.resolve()).then(() => eraseOldest(task, store));
  underWay.set(
    task,
    erased.catch(() => undefined),
  );
  return erased;
};

/**
 * Saves the state of a task's agent, after redaction. Does nothing if it is saved already, or the task is settled. Erases
 * older states beyond 8 MiB in all: only the last one is ever read.
 *
 * Throws `value_not_json` if it is not JSON or larger than 8 MiB.
 */
export const saveAgentState = async (
  task: Task,
  { redact, store }: Pick<Environment, 'redact' | 'store'>,
  state: unknown,
): Promise<void> => {
  const name = 'the state of the agent';
  const { value, lost } = kept(state, name, stateBounds);
  const agentState = redact(lost.length === 0 ? value : jsonValue(state, name, stateBounds), 'agentState');
  const { isSettled, agent, projection } = task.view;
  if (isSettled || isDeepStrictEqual(agentState, projection.agentState)) return;
  await task.record('agent', { actor: agent, brought: { agentState } });
  await eraseInTurn(task, store);
};
