import * as z from 'zod';
import type { Fact, Violation } from '../../../machines/index.ts';
import { JsonObject, ReasonCode, type UpFormatMessage } from '../../../schema/index.ts';
import { lazily } from '../../base/boundary/lazily.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { deepFreeze, ownCopy } from '../../base/canonical/deep-freeze.ts';
import { frozenCopy } from '../../base/canonical/freeze.ts';
import { isCharterError } from '../../base/errors.ts';
import { joinedAll, unlabelled } from '../../gates/origins/label.ts';
import type { RecordPayload, ParentCall } from '../../base/ports/ledger.ts';
import type { Label } from '../../base/ports/origin.ts';
import type { ChildTask } from '../../base/ports/tool.ts';
import { lastBegun, type Begun } from '../kernel/projection/writes.ts';
import { pathOf } from '../kernel/view.ts';
import { requestIn, type Family, type Of } from './family.ts';
import { cancellation } from './outsider.ts';
import { shareWork } from './share-work.ts';
import { isStranded, type StrandedEnd } from './stranded.ts';
import { stated, type LiveTask } from './live-task.ts';
import type { Task } from './task.ts';

const parentStatus = ({ view: { context } }: LiveTask): string => {
  const [first] = context.reasons;
  if (first === undefined) return 'it went on without it';
  if (first.code === 'CANCELLED' && first.about === 'task') return 'it was cancelled';
  return `it fails with ${first.code}`;
};

/** Returns why a child is no longer needed, for its ledger; it names the parent. */
export const cancelReason = (parent: LiveTask): string => {
  const { taskClass } = parent.view.projection.request;
  return `Task ${parent.taskId} of class ${taskClass} no longer needs this: ${parentStatus(parent)}.`;
};

/** The maximum depth of nested tasks, and the maximum number of children of each. */
export interface ChildLimits {
  readonly depth: number;
  readonly children: number;
}

/** The handling of a child that a crash kept from beginning. */
export interface Missing {
  readonly begin: (taskId: string, call: string) => Promise<void>;
  /** Records that the child is no longer needed. */
  readonly recordNeverBegan: (of: Begun) => Promise<void>;
}

/** The end of a child, for its parent. */
interface ChildEnd {
  readonly taskId: string;
  readonly traceId: string;
  readonly agent: string;
  /** The delivered payload; `null` if the child failed. */
  readonly payload: Readonly<Record<string, unknown>> | null;
  readonly causes: readonly ReasonCode[];
  readonly explanation: string;
  /** The evidence that it lacked, as its last message names it. */
  readonly missing: readonly string[];
  /** The label of everything that it was shown: what it delivers is not trusted more. */
  readonly shown: Label;
}

const causesOf = (reasons: readonly Violation[]): readonly ReasonCode[] =>
  [...new Set(reasons.map(({ code }) => code))]
    .filter((code) => ReasonCode.safeParse(code).success) // another version of the chart may have other codes
    .slice(0, 8);

const texts = lazily(() => z.array(z.string()).catch([]));

const missingIn = (last: UpFormatMessage | undefined): readonly string[] =>
  texts().parse(last?.payload['missingEvidence']);

const endOf = ({ taskId, view: { context, projection } }: LiveTask): ChildEnd => ({
  taskId,
  traceId: projection.traceId,
  agent: projection.request.identity.agent_id,
  payload: context.outcome === 'delivered' ? (projection.draft?.payload ?? {}) : null,
  causes: causesOf(context.reasons),
  explanation: projection.messages.at(-1)?.explanation ?? '',
  missing: missingIn(projection.messages.at(-1)),
  shown: projection.provenance.shown,
});

const endOfStranded = (taskId: string, end: StrandedEnd): ChildEnd => ({
  taskId,
  traceId: end.traceId,
  agent: end.request.identity.agent_id,
  payload: end.isDelivered ? (end.last?.payload ?? {}) : null,
  causes: causesOf(end.summary.reasons),
  explanation: end.last?.explanation ?? '',
  missing: missingIn(end.last),
  shown: unlabelled, // of another chart
});

/** Converts a child's failure to a fact of its parent, with the child's reasons (UAICP 4.3). */
const childFailure = (
  { causes, explanation, missing }: ChildEnd,
  of: Of,
): { fact: Fact; brought: RecordPayload } => {
  const isUndone = !causes.includes('EFFECT_IN_DOUBT') && !causes.includes('ROLLBACK_REQUIRED');
  return {
    fact: {
      type: isUndone ? 'call.failed' : 'call.doubted',
      ...of,
      code: 'CHILD_FAILED',
      causes: [...causes],
    },
    brought: { explanation, ...(missing.length > 0 && { payload: { missingEvidence: missing } }) },
  };
};

/** Returns whether a call began a child; no call began one in which a person undoes a write. */
const isBegun = (taskId: string, { view: { projection } }: LiveTask): boolean =>
  Object.hasOwn(projection.begun, taskId);

const isAwaited = (taskId: string, { view: { context } }: LiveTask): boolean =>
  context.reasons.length === 0 && Object.hasOwn(context.dependencies, taskId);

/** Returns whether a child is the current one of its call, which it is until a retry. */
const isCurrent = (taskId: string, { view: { projection } }: LiveTask, { call }: Of): boolean =>
  lastBegun(projection.begun, (one) => one.call === call) === taskId;

/** Tasks that are calls of other tasks: how they begin, end, and are undone (UAICP 4.3). */
export class Children {
  readonly #limits: ChildLimits;
  readonly #family: Family;
  /** The number of children that each task is about to begin. */
  readonly #claimed = new Map<string, number>();
  /** Reports and undos in flight, one for each child. */
  readonly #reporting = new Map<string, Promise<void>>();
  readonly #undoing = new Map<string, Promise<string | null>>();

  constructor(limits: ChildLimits, family: Family) {
    this.#limits = limits;
    this.#family = family;
  }

  /** Claims one more child of a task; returns why that is not allowed, or `null`. */
  async claim({ taskId, view: { projection } }: LiveTask): Promise<string | null> {
    const { depth, children } = this.#limits;
    if (pathOf(taskId, projection).length > depth) return `tasks are nested at most ${depth} deep`;
    const stored = await this.#family.store.taskIndex({ parent: taskId });
    const claimed = this.#claimed.get(taskId) ?? 0;
    if (stored.length + claimed >= children) return `a task begins at most ${children} others`;
    this.#claimed.set(taskId, claimed + 1);
    return null;
  }

  /** Releases a claim: the child is in the store now, or never will be. */
  release({ taskId }: LiveTask): void {
    const others = (this.#claimed.get(taskId) ?? 0) - 1;
    if (others > 0) this.#claimed.set(taskId, others);
    else this.#claimed.delete(taskId);
  }

  /** Begins the task of a call; the call already waits for `taskId`. */
  async begin(taskId: string, parent: LiveTask, of: Of, child: ChildTask, input: unknown): Promise<void> {
    const { payload, explanation = '' } = child.request(ownCopy(input));
    const { projection } = parent.view;
    const { origins } = projection.calls[of.call] ?? {};
    const request = deepFreeze({
      ...requestIn(parent, of),
      taskClass: child.taskClass,
      payload: parseDocument('payload', JsonObject, frozenCopy(payload, 'payload')),
      explanation: parseDocument('explanation', z.string(), explanation),
      labels: {
        request: { '': origins === undefined ? unlabelled : joinedAll(origins.values) },
        // who chose the values had been shown this
        context: origins?.shown ?? unlabelled,
      },
    });
    await this.#family.begin(taskId, request, parent);
    if (!isAwaited(taskId, parent)) await this.#cancel(taskId, parent);
  }

  /** Cancels the children that are no longer needed. */
  async cancelUnneeded(parent: LiveTask): Promise<void> {
    const isUnneeded = (taskId: string): boolean => !isAwaited(taskId, parent);
    if (!parent.view.unreported.some(([taskId]) => isUnneeded(taskId))) return;
    const running = await this.#family.store.taskIndex({ parent: parent.taskId, isSettled: false });
    const unneeded = running.filter(({ taskId }) => isBegun(taskId, parent) && isUnneeded(taskId));
    await Promise.all(unneeded.map(({ taskId }) => this.#cancel(taskId, parent)));
  }

  /** After a crash: cancels children that are no longer needed, also those of a settled task of another chart. */
  async cancelUnneededStored(parentId: string): Promise<void> {
    try {
      await this.#family.use(parentId, (parent) => this.cancelUnneeded(parent));
    } catch (error) {
      if (!isStranded(error, parentId)) throw error;
      const reportEnd = await this.#family.store.taskIndex({ taskId: parentId, isSettled: true });
      if (reportEnd.length === 0) throw error;
      await this.#family.endNested(parentId);
    }
  }

  /**
   * After a crash: begins the children that never began, reports those that ended, and cancels those no longer
   * needed.
   */
  async resume(parent: Task, missing: Missing): Promise<void> {
    for (const [taskId, begun] of parent.view.unreported) {
      const [child] = await this.#family.store.taskIndex({ taskId });
      if (child?.isSettled === true) await this.reportEnd(taskId);
      else if (child === undefined)
        await (isAwaited(taskId, parent)
          ? missing.begin(taskId, begun.call)
          : missing.recordNeverBegan(begun));
    }
    await this.cancelUnneeded(parent);
  }

  /**
   * Reports the end of a child to its parent, once, if this process performs the parent. A child whose last step is still
   * being written reports it itself.
   */
  async reportEnd(taskId: string): Promise<void> {
    try {
      await this.#family.use(taskId, async (child) => {
        const { parent } = child.view.projection.request;
        if (child.view.isSettled && parent !== undefined) await this.#reportTo(parent, endOf(child));
      });
    } catch (error) {
      if (!isStranded(error, taskId)) throw error;
      const end = await this.#family.strandedEnd(taskId);
      if (end !== null) await this.#reportTo(end.link, endOfStranded(taskId, end));
    }
  }

  async #reportTo(link: ParentCall, end: ChildEnd): Promise<void> {
    const parentId = link.path.at(-1);
    if (parentId === undefined || !this.#family.performs(parentId)) return;
    const { path: _path, ...of } = link;
    // the parent is in memory then, and loading it would report the same
    await this.#family.use(parentId, async (parent) => {
      if (!this.#family.performs(parentId)) return; // another process took it over
      await shareWork(this.#reporting, end.taskId, () => this.#report(end, parent, of));
    });
  }

  /**
   * Undoes a settled child: its writes and those of its children are rolled back through their ledgers. Returns
   * which writes remain; `null` for none.
   */
  undo(taskId: string, because: string): Promise<string | null> {
    return shareWork(this.#undoing, taskId, () => this.#undo(taskId, because));
  }

  /** Undoes a child that this process holds: a fence of the child reaches its rollbacks. */
  async #undo(taskId: string, because: string): Promise<string | null> {
    const { take, performs, use, undo } = this.#family;
    for (;;) {
      if (!performs(taskId)) await take(taskId);
      const undone = await use(taskId, async (child) =>
        performs(taskId) ? { remains: await undo(child, because) } : null,
      );
      if (undone !== null) return undone.remains; // otherwise it was let go before its use began
    }
  }

  async #report(end: ChildEnd, parent: Task, of: Of): Promise<void> {
    const { taskId, traceId, payload, agent, shown } = end;
    if (!isBegun(taskId, parent) || parent.view.projection.begun[taskId]?.isReported === true) return;
    if (payload !== null) {
      await this.#family.deliver(parent, of, { taskId, traceId, payload }, shown);
      return;
    }
    const { fact, brought } = childFailure(end, of);
    const actor = { kind: 'agent', id: agent } as const;
    await parent.recordStated(stated(fact, { actor, brought }, () => isCurrent(taskId, parent, of)));
  }

  /** Cancels a child for its parent, as urgently, unless the child already fails. */
  async #cancel(taskId: string, parent: LiveTask): Promise<void> {
    const urgent = parent.view.projection.isUrgent;
    const statement = {
      actor: { kind: 'system', id: parent.taskId },
      brought: { explanation: cancelReason(parent) },
    } as const;
    try {
      await this.#family.use(taskId, async (child) => {
        const { isSettled, context, projection } = child.view;
        if (isSettled || (context.reasons.length > 0 && (!urgent || projection.isUrgent))) return;
        await child.recordStated(stated(cancellation(urgent), statement));
      });
    } catch (error) {
      if (isStranded(error, taskId))
        await this.#family.endStranded(taskId, { ...statement, ...statement.brought });
      else if (!isCharterError(error, 'closed')) throw error;
    }
  }
}
