import type { Actor, ParentCall, RequestDocument } from '../../base/ports/ledger.ts';
import type { Label } from '../../base/ports/origin.ts';
import type { Store } from '../../base/ports/store.ts';
import { pathOf } from '../kernel/view.ts';
import type { StrandedEnd } from './stranded.ts';
import type { LiveTask } from './live-task.ts';
import type { Task } from './task.ts';

/** A call of a parent, as its facts name it. */
export type Of = Omit<ParentCall, 'path'>;

/** Returns what the request of a nested task has of its parent. */
export const requestIn = ({ taskId, view: { projection } }: LiveTask, of: Of) => {
  const { threadId, identity } = projection.request;
  const last = projection.messages.at(-1)?.messageId;
  return {
    threadId,
    identity,
    parentTraceId: projection.traceId,
    ...(last !== undefined && { parentMessageId: last }),
    parent: { path: pathOf(taskId, projection), ...of },
  };
};

/** Runs work on a task. */
export type UseTask = <Result>(id: string, work: (task: Task) => Result | Promise<Result>) => Promise<Result>;

/** The operations on other tasks that `Children` needs. */
export interface Family {
  /** Begins a task under an identifier that its parent already knows. */
  readonly begin: (taskId: string, request: RequestDocument, parent: LiveTask) => Promise<void>;
  readonly use: UseTask;
  /** Returns whether this process performs a task, in memory or not. */
  readonly performs: (taskId: string) => boolean;
  /** Records a child's delivery as the outcome of its call. */
  readonly deliver: (parent: LiveTask, of: Of, delivered: unknown, shown: Label) => Promise<unknown>;
  /** Takes a settled task, so that this process performs it. */
  readonly take: (taskId: string) => Promise<void>;
  /** Rolls back a child's writes; returns what remains, or `null`. */
  readonly undo: (child: LiveTask, because: string) => Promise<string | null>;
  /**
   * Returns how a settled task of another version of the chart ended; `null` if it is no child or has not settled.
   */
  readonly strandedEnd: (taskId: string) => Promise<StrandedEnd | null>;
  /** Ends a task that is under another version of the chart. */
  readonly endStranded: (taskId: string, because: { actor: Actor; explanation: string }) => Promise<void>;
  /** Cancels the children of a settled task. */
  readonly endNested: (taskId: string) => Promise<void>;
  readonly store: Store;
}
