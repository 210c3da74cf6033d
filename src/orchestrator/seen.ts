import type { Tool } from '../ports/tool.ts';
import type { Task } from './task.ts';

/** What this process saw of a call. */
interface Seen {
  /** The tool that read its arguments. */
  readonly reader?: Tool;
  /** The version of the policy that cleared it. */
  readonly clearedBy?: string | undefined;
}

/** Per task and call. A restart forgets it, so that everything is looked at again. */
const seen = new WeakMap<Task, Map<string, Seen>>();

const seenOf = (task: Task): Map<string, Seen> => {
  const known = seen.get(task) ?? new Map<string, Seen>();
  seen.set(task, known);
  return known;
};

/** Remembers which tool read the arguments of a call. */
export const noteReader = (task: Task, call: string, reader: Tool): void =>
  void seenOf(task).set(call, { ...seenOf(task).get(call), reader });

/** Remembers under which version of the policy a call was cleared. */
export const noteCleared = (task: Task, call: string, clearedBy: string | undefined): void =>
  void seenOf(task).set(call, { ...seenOf(task).get(call), clearedBy });

/** This process read the call with this very tool: its contract is the same by identity. */
export const isReader = (task: Task, call: string, tool: Tool): boolean =>
  seen.get(task)?.get(call)?.reader === tool;

/**
 * This process cleared the call under this version of the policy, and the run has not waited since. A policy without a
 * version may be another one each time.
 */
export const isStillCleared = (task: Task, call: string, version: string | undefined): boolean =>
  version !== undefined &&
  seen.get(task)?.get(call)?.clearedBy === version &&
  task.view.context.calls[call]?.cleared === true;
