import { isDeepStrictEqual } from 'node:util';
import { stateBounds } from '../../base/canonical/freeze.ts';
import { jsonValue, notJson } from '../../base/canonical/json-value.ts';
import { orchestratorActor } from '../kernel/statement.ts';
import type { TaskView } from '../kernel/view.ts';
import { eraseBlobs, keepBlobs, recordable } from './blobs.ts';
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
const eraseOldest = async (task: Task, { store, blobs }: Environment): Promise<void> => {
  const tooMuch = tooMuchIn(task.view);
  const stored = tooMuch.length === 0 ? undefined : await store.load(task.taskId);
  if (stored === undefined) return;
  const others = stored.records.flatMap(({ documents: { agentState: _state, ...rest } }) =>
    Object.values(rest),
  );
  const erased = tooMuch.filter((digest) => !others.includes(digest));
  await eraseBlobs(blobs, stored, erased);
  for (const digest of erased) await task.erase(digest, orchestratorActor);
};

/** The erasures under way: a state is erased once, however many are saved at a time. */
const underWay = new WeakMap<Task, Promise<void>>();

/** Erases the oldest saved states after those that are being erased. */
const eraseInTurn = (task: Task, ports: Environment): Promise<void> => {
  const erased = (underWay.get(task) ?? Promise.resolve()).then(() => eraseOldest(task, ports));
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
 * Throws `value_not_json` if it is not JSON, or larger than 8 MiB where no store keeps large values beside it.
 */
export const saveAgentState = async (task: Task, ports: Environment, state: unknown): Promise<void> => {
  const { isSettled, agent, projection } = task.view;
  if (isSettled) return;
  const name = 'the state of the agent';
  const { value: agentState, lost, blobs } = recordable(state, name, 'agentState', ports);
  const [first] = lost;
  if (first !== undefined) {
    if (ports.blobs === null) jsonValue(state, name, stateBounds); // throws, and says what to return instead
    const accepted =
      'plain objects, arrays, texts, finite numbers and binary data, within the bounds of `blobs`';
    throw notJson(name, first.at, `it is ${first.what}`, accepted);
  }
  if (isDeepStrictEqual(agentState, projection.agentState)) return;
  await keepBlobs(task.taskId, blobs, ports);
  await task.record('agent', { actor: agent, brought: { agentState } });
  await eraseInTurn(task, ports);
};
