import { causeOf } from '../../errors.ts';
import type { Compensation } from '../dossier.ts';
import type { Environment } from '../environment.ts';
import { inTime } from '../in-time.ts';
import type { Task } from '../task.ts';
import type { Run } from './outcome.ts';
import { systemOf } from './performer.ts';
import { runRollback, settleRollback, unknownRollback, type Undoing } from './undo.ts';

/** Whether the task knows of this effect: it stands, its rollback is the run's own, or a request before concluded it. */
const isKnown = ({ task: { snapshot, dossier }, call }: Run): boolean =>
  dossier.concluded.includes(call.digest) ||
  snapshot.context.effects.some(({ digest, status }) => digest === call.digest && status !== 'closed');

/** Rolls back within the time that rollbacks have, and records what came of it. */
const undone = async (
  task: Task,
  { request, digest, call }: Compensation,
  { clock, tools }: Environment,
  rollback: (undoing: Undoing) => Promise<string | null>,
): Promise<void> => {
  const abort = new AbortController();
  const tool = tools.get(call?.tool ?? '');
  let explanation: string | null;
  try {
    const undoing = { task, tool, call, requestId: request, signal: abort.signal };
    explanation = await inTime(clock, task.taskClass.deadlines.rollback, rollback(undoing));
  } catch (error) {
    abort.abort();
    explanation = causeOf(error);
  }
  const actor = systemOf(call?.tool ?? 'agentcharter');
  await (explanation === null
    ? task.witness({ type: 'rollback.succeeded', request, digest }, { actor })
    : task.witness({ type: 'rollback.failed', request, digest }, { actor, brought: { explanation } }));
};

/** Rolls back, once, a write that landed after its run had given it up: intent and outcome are recorded (UAICP 5.3). */
export const compensate = async (run: Run): Promise<void> => {
  const { task, environment, tool, call, of } = run;
  if (tool.tier === 'read_only' || isKnown(run)) return;
  const { request } = of;
  const { digest } = call;
  const statement = { actor: systemOf(tool.name), brought: { calls: [call] } }; // its request may be over
  await task.witness({ type: 'rollback.started', request, digest }, statement);
  await undone(task, { request, digest, call }, environment, runRollback);
};

/** Takes up what a crash left of that. */
export const compensateAgain = async (task: Task, environment: Environment): Promise<void> => {
  for (const compensation of task.dossier.compensating)
    await undone(task, compensation, environment, (undoing) => settleRollback(undoing, unknownRollback));
};
