import { causeOf } from '../../errors.ts';
import type { CallDocument } from '../../ports/ledger.ts';
import type { Tool } from '../../ports/tool.ts';
import { workOn } from '../tracing/work.ts';
import type { Task } from '../task.ts';
import { systemOf, isClosing, type Performer } from './performer.ts';

/** Runs the rollback that was declared with a call; says what went wrong, `null` where nothing did. */
export const runRollback = async (
  task: Task,
  tool: Tool | undefined,
  call: CallDocument | undefined,
  requestId: string,
  signal: AbortSignal,
): Promise<string | null> => {
  const action = call?.rollback;
  const rollback = tool?.rollback;
  if (!action || !rollback) return 'its rollback is not declared';
  const { attempt } = task.snapshot.context;
  const span = task.tracing.span(workOn('rollback', call, tool.tier, attempt), signal);
  try {
    await span.run(() =>
      rollback.run(action, { key: `rollback:${call.digest}`, requestId, signal, ...span.at }),
    );
    span.end('succeeded');
    return null;
  } catch (error) {
    span.end('failed');
    return causeOf(error);
  }
};

/** Rolls one write back: the intent, the rollback as it was declared with the call, the outcome (UAICP 5.3). */
export const undo: Performer<'undo'> = (task, { digest }, { tools, slots }, signal) =>
  slots(async () => {
    const { request, effects } = task.snapshot.context;
    const call = Object.values(task.dossier.calls).find((one) => one.digest === digest);
    const tool = tools.get(call?.tool ?? '');
    const actor = systemOf(call?.tool ?? 'agentcharter');
    const isCommitted = effects.some((one) => one.digest === digest && one.status === 'committed');
    if (isCommitted && !(await task.insist({ type: 'rollback.started', request, digest }, { actor }))) return;
    const explanation = await runRollback(task, tool, call, request, signal);
    if (explanation !== null && isClosing(signal)) return; // its outcome is unknown: it is owed again
    await (explanation === null
      ? task.insist({ type: 'rollback.succeeded', request, digest }, { actor })
      : task.insist({ type: 'rollback.failed', request, digest }, { actor, brought: { explanation } }));
  }, signal);
