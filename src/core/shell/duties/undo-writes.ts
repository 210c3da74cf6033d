import { lateWriteOf, type ConcludedWrite } from '../../kernel/projection/writes.ts';
import type { TaskView } from '../../kernel/view.ts';
import type { LiveTask } from '../live-task.ts';
import type { Ports } from './performer.ts';
import { rollBackLate } from './undo.ts';

/** Returns the writes of a task in all its requests, newest first. */
const writesOf = ({ context, projection }: TaskView): readonly ConcludedWrite[] => {
  const calls = Object.values(projection.calls);
  const current = context.effects.map((effect) => ({
    ...effect,
    request: context.request,
    call: calls.find(({ digest }) => digest === effect.digest),
  }));
  return [...projection.concluded, ...current].toReversed();
};

const notEnded = 'its rollback did not end';

/** Rolls back a remaining write, once; returns why it remains, or `null`. */
const undoWrite = async (
  task: LiveTask,
  { request, digest, call, status, rollback }: ConcludedWrite,
  environment: Ports,
  because: string,
): Promise<string | null> => {
  if (status === 'undone' || status === 'closed') return null;
  const { rolledBack, lateWrites } = task.view.projection;
  const known = rolledBack[digest];
  if (known !== undefined) return known;
  if (status !== 'committed') return notEnded;
  if (!rollback) return 'it declares no rollback';
  const late = lateWrites.find((one) => one.digest === digest) ?? lateWriteOf(request, digest, call);
  await rollBackLate(task, late, environment, because);
  const ended = task.view.projection.rolledBack[digest];
  return ended === undefined ? notEnded : ended;
};

/**
 * Rolls back all remaining writes of a task, each once, with records in its own ledger. Returns which tools' writes
 * remain, and why; `null` for none.
 */
export const undoWrites = async (
  task: LiveTask,
  environment: Ports,
  because: string,
): Promise<string | null> => {
  if (!task.view.isSettled) return 'it has not ended: what it wrote is its own to undo until then';
  const notUndone: string[] = [];
  for (const write of writesOf(task.view)) {
    const why = await undoWrite(task, write, environment, because);
    if (why !== null) notUndone.push(`${write.tool} (${why})`);
  }
  for (const { tool, status } of Object.values(task.view.context.calls))
    if (status === 'doubted') notUndone.push(`${tool} (whether it happened is not known)`);
  return notUndone.length === 0 ? null : `not undone: ${notUndone.join(', ')}`;
};
