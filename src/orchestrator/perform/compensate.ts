import { causeOf } from '../../errors.ts';
import type { Brought } from '../../ports/ledger.ts';
import { inTime } from '../in-time.ts';
import { isUndoneByLedger } from '../view.ts';
import { isKnownEffect, type Compensation } from '../../ledger/projection/writes.ts';
import type { Task } from '../task.ts';
import type { Run } from './run.ts';
import { systemOf, type PerformerEnvironment } from './performer.ts';
import { runRollback, settleRollback, undoingWords, unknownRollback, type Undoing } from './undo.ts';

type Rollback = (undoing: Undoing) => Promise<string | null>;

/** Runs a rollback within the time that rollbacks have; one of a child takes as long as those of its writes. */
const within = async (undoing: Omit<Undoing, 'signal'>, rollback: Rollback): Promise<string | null> => {
  const { task, tool, environment } = undoing;
  const abort = new AbortController();
  const work = (): Promise<string | null> => rollback({ ...undoing, signal: abort.signal });
  if (isUndoneByLedger(tool)) return work();
  try {
    return await inTime(environment.clock, task.taskClass.deadlines.rollback, work());
  } catch (error) {
    abort.abort();
    return causeOf(error);
  }
};

/** Rolls back, and records what came of it. */
const undone = async (
  task: Task,
  { request, digest, call }: Compensation,
  environment: PerformerEnvironment,
  rollback: Rollback,
): Promise<void> => {
  const tool = environment.tools.get(call?.tool ?? '');
  const explanation = await within({ task, tool, call, environment, requestId: request }, rollback);
  const actor = systemOf(call?.tool ?? 'agentcharter');
  await (explanation === null
    ? task.recordOrphan({ type: 'rollback.succeeded', request, digest }, { actor })
    : task.recordOrphan({ type: 'rollback.failed', request, digest }, { actor, brought: { explanation } }));
};

/** Rolls back a write of a run that is over or has given the write up: intent and outcome are orphan records (UAICP 5.3). */
export const rollBackLate = async (
  task: Task,
  owed: Compensation,
  environment: PerformerEnvironment,
  because?: string,
): Promise<void> => {
  const { request, digest, call, hasBegun } = owed;
  if (hasBegun) return undone(task, owed, environment, (undoing) => settleRollback(undoing, unknownRollback));
  const words = because ?? undoingWords(task, environment.tools.get(call?.tool ?? ''), digest);
  const brought: Brought = {
    ...(call !== undefined && { calls: [call] }), // its request may be over
    ...(words !== undefined && { explanation: words }),
  };
  await task.recordOrphan(
    { type: 'rollback.started', request, digest },
    { actor: systemOf(call?.tool ?? 'agentcharter'), brought },
  );
  await undone(task, owed, environment, runRollback);
};

/** Rolls back, once, a write that landed after its run had given it up. */
export const compensate = async ({ task, environment, tool, call, of }: Run): Promise<void> => {
  const { digest } = call;
  if (tool.tier === 'read_only' || isKnownEffect(task.view.context, task.view.projection, digest)) return;
  await rollBackLate(task, { request: of.request, digest, call, hasBegun: false }, environment);
};

/** Takes up what a crash left of that. */
export const compensateAgain = async (task: Task, environment: PerformerEnvironment): Promise<void> => {
  for (const owed of task.view.projection.compensating) await rollBackLate(task, owed, environment);
};
