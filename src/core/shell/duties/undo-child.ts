import { causeOf, isCharterError } from '../../../base/errors.ts';
import type { CallDocument } from '../../../base/ports/ledger.ts';
import type { Tool } from '../../../base/ports/tool.ts';
import { lastBegun } from '../../kernel/projection/writes.ts';
import { isUndoneByLedger } from '../../kernel/view.ts';
import { cancelReason } from '../children.ts';
import { workOn } from '../tracing.ts';
import type { Work } from './performer.ts';

/** A write that is to be undone, and its request. */
export interface Undoing extends Work {
  readonly tool: Tool | undefined;
  readonly call: CallDocument | undefined;
  readonly digest: string;
  readonly requestId: string;
  /** Whether the rollback is outside the run, which is over or has aborted the write. */
  readonly isLate: boolean;
}

/** Returns the child that made a write of this task. */
const childOfWrite = ({ task, digest }: Undoing): string | undefined =>
  lastBegun(task.view.projection.begun, (one) => one.digest === digest);

/** Returns an explanation of which task a rollback undoes; `undefined` for the rollback of any other tool. */
export const undoExplanation = (undoing: Undoing): string | undefined =>
  isUndoneByLedger(undoing.tool)
    ? `Task ${childOfWrite(undoing) ?? 'unknown'} of class ${undoing.tool?.child?.taskClass} is undone.`
    : undefined;

/** Returns whether a retry is useless after this error. */
const isUnrecoverable = (error: unknown): boolean =>
  isCharterError(error, 'not_found') ||
  isCharterError(error, 'task_corrupted') ||
  isCharterError(error, 'chart_unknown');

/**
 * Undoes a child through its own ledger; returns which of its writes remain, or `null`. Throws if the store fails.
 */
export const undoChild = async (undoing: Undoing): Promise<string | null> => {
  const { task, tool, call, environment, signal } = undoing;
  const taskId = childOfWrite(undoing);
  if (tool === undefined || call === undefined || taskId === undefined)
    return 'the ledger does not name the task that did it';
  const { attempt } = task.view.context;
  const span = task.tracing.span(workOn('rollback', call, tool.tier, attempt), signal);
  try {
    const why = await span.run(() => environment.children.undo(taskId, cancelReason(task)));
    span.end(why === null ? 'succeeded' : 'failed');
    return why;
  } catch (error) {
    span.end('failed');
    if (isUnrecoverable(error)) return causeOf(error);
    throw error;
  }
};
