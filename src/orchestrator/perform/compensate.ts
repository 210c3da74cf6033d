import { causeOf } from '../../errors.ts';
import { inTime } from '../in-time.ts';
import type { Run } from './outcome.ts';
import { systemOf } from './performer.ts';
import { runRollback } from './undo.ts';

/** Whether the run knows of this effect: it stands, or its rollback is the run's own. */
const isKnown = ({ task, call }: Run): boolean =>
  task.snapshot.context.effects.some(({ digest, status }) => digest === call.digest && status !== 'closed');

const rolledBack = async ({ task, environment, tool, call, of }: Run): Promise<string | null> => {
  const abort = new AbortController();
  const rollback = runRollback(task, tool, call, of.request, abort.signal);
  try {
    return await inTime(environment.clock, task.taskClass.deadlines.rollback, rollback);
  } catch (error) {
    abort.abort();
    return causeOf(error);
  }
};

/** Rolls back, once, a write that landed after its run had given it up: intent and outcome are recorded (UAICP 5.3). */
export const compensate = async (run: Run): Promise<void> => {
  const { task, tool, call, of } = run;
  if (tool.tier === 'read_only' || isKnown(run)) return;
  const actor = systemOf(tool.name);
  const about = { request: of.request, digest: call.digest };
  await task.witness({ type: 'rollback.started', ...about }, { actor });
  const explanation = await rolledBack(run);
  if (explanation === null) return task.witness({ type: 'rollback.succeeded', ...about }, { actor });
  return task.witness({ type: 'rollback.failed', ...about }, { actor, brought: { explanation } });
};
