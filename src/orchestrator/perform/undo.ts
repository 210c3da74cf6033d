import { ownSignal } from '../../boundary/own-signal.ts';
import { ownCopy } from '../../canonical/deep-freeze.ts';
import { causeOf, isCharterError } from '../../errors.ts';
import type { CallDocument } from '../../ports/ledger.ts';
import type { Tool } from '../../ports/tool.ts';
import { lastBegun } from '../../ledger/projection/writes.ts';
import { isUndoneByLedger, rollbackKey } from '../view.ts';
import { overFor } from '../over.ts';
import { emitCallbackFailed } from '../callback-failed.ts';
import type { Task } from '../task.ts';
import { workOn } from '../tracing.ts';
import { resolutionFor } from './doubt.ts';
import { systemOf, isClosing, type Performer, type PerformerEnvironment } from './performer.ts';

/** A write that is to be inverted, and the request that it belongs to. */
export interface Undoing {
  readonly task: Task;
  readonly environment: PerformerEnvironment;
  readonly tool: Tool | undefined;
  readonly call: CallDocument | undefined;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** The child that did a write of this task. */
const childOf = (
  {
    view: {
      projection: { begun },
    },
  }: Task,
  digest: string,
): string | undefined => lastBegun(begun, (one) => one.digest === digest);

/** Which task a rollback undoes, in words; `undefined` for the rollback of any other tool. */
export const undoingWords = (task: Task, tool: Tool | undefined, digest: string): string | undefined =>
  isUndoneByLedger(tool)
    ? `Task ${childOf(task, digest) ?? 'unknown'} of class ${tool?.child?.taskClass} is undone.`
    : undefined;

/** What no second try mends. */
const isGone = (error: unknown): boolean =>
  isCharterError(error, 'not_found') ||
  isCharterError(error, 'task_corrupted') ||
  isCharterError(error, 'chart_unknown');

/** Undoes a child through its own ledger; says which of its writes stand all the same. Throws where the store fails. */
const undoChild = async ({ task, tool, call, environment, signal }: Undoing): Promise<string | null> => {
  const taskId = call && childOf(task, call.digest);
  if (tool === undefined || call === undefined || taskId === undefined)
    return 'the ledger does not say which task did it';
  const { attempt } = task.view.context;
  const span = task.tracing.span(workOn('rollback', call, tool.tier, attempt), signal);
  try {
    const why = await span.run(() => environment.children.undo(taskId, overFor(task)));
    span.end(why === null ? 'succeeded' : 'failed');
    return why;
  } catch (error) {
    span.end('failed');
    if (isGone(error)) return causeOf(error);
    throw error;
  }
};

/** Runs the rollback that was declared with a call, once; throws what it throws. */
const runOnce = async ({ task, tool, call, requestId, signal }: Undoing): Promise<void> => {
  const action = call?.rollback;
  const rollback = tool?.rollback;
  if (!action || !rollback) throw new TypeError('its rollback is not declared');
  const { attempt } = task.view.context;
  const span = task.tracing.span(workOn('rollback', call, tool.tier, attempt), signal);
  try {
    await span.run(() =>
      rollback.run(ownCopy(action), {
        key: rollbackKey(call.digest),
        requestId,
        signal: ownSignal(signal),
        ...span.at,
      }),
    );
    span.end('succeeded');
  } catch (error) {
    span.end('failed');
    throw error;
  }
};

/** Resolves a rollback in doubt as it declares; says why it is left in doubt, `null` where it is done. */
export const settleRollback = async (undoing: Undoing, why: string): Promise<string | null> => {
  const { task, environment, tool, call, requestId, signal } = undoing;
  if (isUndoneByLedger(tool)) return undoChild(undoing); // its ledger says what is done already
  const { doubt = 'unsafe', lookup = null } = tool?.rollback ?? {};
  if (tool === undefined || call === undefined) return why;
  const effect = {
    effect: 'rollback',
    key: rollbackKey(call.digest),
    tool: tool.name,
    doubt,
    lookup,
    context: { requestId, signal },
    onLookupFailed: (error: unknown) =>
      emitCallbackFailed(
        environment,
        task,
        `rollback lookup of tool ${JSON.stringify(tool.name)}`,
        null,
        error,
      ),
  } as const;
  const { is } = await resolutionFor(task, effect, true);
  if (is === 'adopted') return null;
  return is === 'repeated' && !signal.aborted ? runRollback(undoing) : why;
};

/** Runs a rollback; says what went wrong, `null` where nothing did. */
export const runRollback = async (undoing: Undoing): Promise<string | null> => {
  if (isUndoneByLedger(undoing.tool)) return undoChild(undoing);
  try {
    await runOnce(undoing);
    return null;
  } catch (error) {
    if (undoing.signal.aborted) return causeOf(error); // nobody waits for it any more
    return settleRollback(undoing, causeOf(error));
  }
};

/** What is said of a rollback that began before a crash, and of which nothing else is known. */
export const unknownRollback = 'it began, and whether it ended is not known';

/** Rolls one write back: the intent, the rollback as it was declared with the call, the outcome (UAICP 5.3). */
export const undo: Performer<'undo'> = (task, { digest }, environment, signal) =>
  environment.slots(async () => {
    const { request, effects } = task.view.context;
    const call = Object.values(task.view.projection.calls).find((one) => one.digest === digest);
    const tool = environment.tools.get(call?.tool ?? '');
    const actor = systemOf(call?.tool ?? 'agentcharter');
    const isCommitted = effects.some((one) => one.digest === digest && one.status === 'committed');
    const undoing = { task, tool, call, environment, requestId: request, signal };
    const words = undoingWords(task, tool, digest);
    const statement = { actor, ...(words !== undefined && { brought: { explanation: words } }) };
    if (
      isCommitted &&
      !(await task.submitWithRetry({ type: 'rollback.started', request, digest }, statement))
    )
      return;
    const explanation = await (isCommitted ? runRollback(undoing) : settleRollback(undoing, unknownRollback));
    if (explanation !== null && isClosing(signal)) return; // its outcome is unknown: it is owed again
    await (explanation === null
      ? task.submitWithRetry({ type: 'rollback.succeeded', request, digest }, { actor })
      : task.submitWithRetry(
          { type: 'rollback.failed', request, digest },
          { actor, brought: { explanation } },
        ));
  }, signal);
