import { causeOf } from '../../errors.ts';
import { systemOf, isClosing, type Performer } from './performer.ts';

/** Rolls one write back: the intent, the rollback as it was declared with the call, the outcome (UAICP 5.3). */
export const undo: Performer<'undo'> = (task, { digest }, { tools, slots }, signal) =>
  slots(async () => {
    const { request, effects } = task.snapshot.context;
    const call = Object.values(task.dossier.calls).find((one) => one.digest === digest);
    const rollback = call === undefined ? undefined : tools.get(call.tool)?.rollback;
    const actor = systemOf(call?.tool ?? 'agentcharter');
    const fail = (explanation: string) =>
      task.insist({ type: 'rollback.failed', request, digest }, { actor, brought: { explanation } });

    const isCommitted = effects.some((one) => one.digest === digest && one.status === 'committed');
    if (isCommitted && !(await task.insist({ type: 'rollback.started', request, digest }, { actor }))) return;
    const action = call?.rollback;
    if (rollback === undefined || rollback === null || action === undefined || action === null) {
      await fail('its rollback is not declared any more');
      return;
    }
    try {
      await rollback.run(action, { key: `rollback:${digest}`, requestId: request, signal });
    } catch (error) {
      if (!isClosing(signal)) await fail(causeOf(error));
      return;
    }
    await task.insist({ type: 'rollback.succeeded', request, digest }, { actor });
  }, signal);
