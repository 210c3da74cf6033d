import type { ConcludedWrite } from '../../ledger/projection/writes.ts';
import type { Task } from '../task.ts';
import type { TaskView } from '../view.ts';
import { rollBackLate } from './compensate.ts';
import type { PerformerEnvironment } from './performer.ts';

/** What a task wrote in all its requests, the newest first. */
const writesOf = ({ context, projection }: TaskView): readonly ConcludedWrite[] => {
  const calls = Object.values(projection.calls);
  const current = context.effects.map((effect) => ({
    ...effect,
    request: context.request,
    call: calls.find(({ digest }) => digest === effect.digest),
  }));
  return [...projection.concluded, ...current].toReversed();
};

/** Rolls back a write that stands, once; says why it still stands, `null` where it does not. */
const undoWrite = async (
  task: Task,
  { request, digest, call, status, rollback }: ConcludedWrite,
  environment: PerformerEnvironment,
  because: string,
): Promise<string | null> => {
  if (status === 'undone' || status === 'closed') return null;
  const { rolledBack, compensating } = task.view.projection;
  const known = rolledBack[digest];
  if (known !== undefined) return known;
  if (status !== 'committed') return 'its rollback did not end';
  if (!rollback) return 'it declares no rollback';
  const begun = compensating.find((one) => one.digest === digest);
  const owed = begun ?? { request, digest, call, hasBegun: false };
  await rollBackLate(task, owed, environment, because);
  return task.view.projection.rolledBack[digest] ?? null;
};

/**
 * Rolls back everything that stands of what a task wrote, each write once, with records in its own ledger. Says which
 * tools' writes stand all the same, and why; `null` where none does.
 */
export const undoWrites = async (
  task: Task,
  environment: PerformerEnvironment,
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
