import { causeOf } from '../../errors.ts';
import type { Environment } from '../environment.ts';
import { inTime } from '../in-time.ts';
import type { Task } from '../task.ts';
import type { Run } from './outcome.ts';
import { systemOf } from './performer.ts';
import { runRollback, settleRollback, unknownRollback, type Undoing } from './undo.ts';

/** Whether the run knows of this effect: it stands, or its rollback is the run's own. */
const isKnown = ({ task, call }: Run): boolean =>
  task.snapshot.context.effects.some(({ digest, status }) => digest === call.digest && status !== 'closed');

/** Rolls back within the time that rollbacks have, and records what came of it. */
const undone = async (
  { task, tool, call, requestId }: Omit<Undoing, 'signal'>,
  { clock }: Pick<Environment, 'clock'>,
  rollback: (undoing: Undoing) => Promise<string | null>,
): Promise<void> => {
  const abort = new AbortController();
  let explanation: string | null;
  try {
    const undoing = { task, tool, call, requestId, signal: abort.signal };
    explanation = await inTime(clock, task.taskClass.deadlines.rollback, rollback(undoing));
  } catch (error) {
    abort.abort();
    explanation = causeOf(error);
  }
  const actor = systemOf(tool?.name ?? 'agentcharter');
  const about = { request: requestId, digest: call?.digest ?? '' };
  await (explanation === null
    ? task.witness({ type: 'rollback.succeeded', ...about }, { actor })
    : task.witness({ type: 'rollback.failed', ...about }, { actor, brought: { explanation } }));
};

/** Rolls back, once, a write that landed after its run had given it up: intent and outcome are recorded (UAICP 5.3). */
export const compensate = async (run: Run): Promise<void> => {
  const { task, environment, tool, call, of } = run;
  if (tool.tier === 'read_only' || isKnown(run)) return;
  const about = { request: of.request, digest: call.digest };
  await task.witness({ type: 'rollback.started', ...about }, { actor: systemOf(tool.name) });
  await undone({ task, tool, call, requestId: of.request }, environment, runRollback);
};

/** Takes up what a crash left of that. */
export const compensateAgain = async (task: Task, environment: Environment): Promise<void> => {
  const { request } = task.snapshot.context;
  for (const digest of task.dossier.compensating) {
    const call = Object.values(task.dossier.calls).find((one) => one.digest === digest);
    const tool = environment.tools.get(call?.tool ?? '');
    await undone({ task, tool, call, requestId: request }, environment, (undoing) =>
      settleRollback(undoing, unknownRollback),
    );
  }
};
