import { systemOf, causeOf, type Performer } from './performer.ts';

/** Rolls one write back: the intent, the rollback as it was declared with the call, the outcome (UAICP 5.3). */
export const undo: Performer<'undo'> = async (task, { digest }, { tools, slots }, signal) => {
  const { context } = task.snapshot;
  const { request } = context;
  const call = Object.values(task.dossier.calls).find((one) => one.digest === digest);
  const rollback = call === undefined ? undefined : tools.get(call.tool)?.rollback;
  const actor = systemOf(call?.tool ?? 'agentcharter');
  const fail = (explanation: string) =>
    task.state({ type: 'rollback.failed', request, digest }, { actor, brought: { explanation } });

  const isCommitted = context.effects.some(
    (effect) => effect.digest === digest && effect.status === 'committed',
  );
  if (isCommitted && !(await task.state({ type: 'rollback.started', request, digest }, { actor }))) return;
  const action = call?.rollback;
  if (rollback === undefined || rollback === null || action === undefined || action === null) {
    await fail('its rollback is not declared any more');
    return;
  }
  try {
    await slots(() => rollback.run(action, { key: `rollback:${digest}`, requestId: request, signal }));
    await task.state({ type: 'rollback.succeeded', request, digest }, { actor });
  } catch (error) {
    await fail(causeOf(error));
  }
};
