import type { Fact } from '../../machines/index.ts';
import { JsonObject } from '../../schema/index.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import type { Brought, RequestDocument } from '../ports/ledger.ts';
import type { ChildTask } from '../ports/tool.ts';
import { orchestratorActor } from './record.ts';
import type { Task } from './task.ts';

/** How many levels of tasks may be nested in an outermost one, and how many others each may begin. */
export interface ChildLimits {
  readonly depth: number;
  readonly children: number;
}

interface Link {
  readonly parent: Task;
  readonly of: { readonly request: string; readonly attempt: number; readonly call: string };
}

/** Begins a task under an identifier that its parent knows already. */
type Begin = (taskId: string, request: RequestDocument) => Promise<Task>;

/** Records what a child delivered as the outcome of the call that it is. */
type Deliver = (parent: Task, of: Link['of'], delivered: unknown) => Promise<unknown>;

/** How a child's failure is told to its parent: with its own reasons (UAICP 4.3). */
const failureOf = (child: Task, { of }: Link): { fact: Fact; brought: Brought } => {
  const { reasons } = child.snapshot.context;
  const causes = [...new Set(reasons.map(({ code }) => code))].slice(0, 8);
  const isUndone = !causes.includes('EFFECT_IN_DOUBT') && !causes.includes('ROLLBACK_REQUIRED');
  return {
    fact: { type: isUndone ? 'call.failed' : 'call.doubted', ...of, code: 'CHILD_FAILED', causes },
    brought: { explanation: child.thread.messages.at(-1)?.explanation ?? '' },
  };
};

/** Tasks that are calls of other tasks: what one begins, who their parents are, and how they end (UAICP 4.3). */
export class Children {
  readonly #limits: ChildLimits;
  readonly #begin: Begin;
  readonly #deliver: Deliver;
  readonly #links = new Map<string, Link>();
  readonly #tasks = new Map<string, Task>();
  /** By their parents: children that run, and were not told to stop. */
  readonly #running = new Map<string, Set<string>>();
  readonly #begun = new Map<string, number>();

  constructor(limits: ChildLimits, begin: Begin, deliver: Deliver) {
    this.#limits = limits;
    this.#begin = begin;
    this.#deliver = deliver;
  }

  /** Whether a dependency is a child: nobody but the child says what becomes of it. */
  isChild(dependency: string): boolean {
    return this.#links.has(dependency);
  }

  /** The tasks that a task is nested in, the outermost first, and itself. */
  pathOf(taskId: string): readonly string[] {
    const parent = this.#links.get(taskId)?.parent;
    return parent === undefined ? [taskId] : [...this.pathOf(parent.taskId), taskId];
  }

  /** Counts one more child of a task; says why there may be none, `null` where there may. */
  claim({ taskId }: Task): string | null {
    const { depth, children } = this.#limits;
    const begun = this.#begun.get(taskId) ?? 0;
    if (this.pathOf(taskId).length > depth) return `tasks are nested at most ${depth} deep`;
    if (begun >= children) return `a task begins at most ${children} others`;
    this.#begun.set(taskId, begun + 1);
    return null;
  }

  /** Begins the task that a call is; the call waits for it under `taskId` already. */
  async begin(taskId: string, parent: Task, of: Link['of'], child: ChildTask, input: unknown): Promise<void> {
    this.#links.set(taskId, { parent, of });
    const { payload, explanation = '' } = child.request(input);
    const { threadId, identity } = parent.dossier.request;
    const last = parent.thread.messages.at(-1)?.messageId;
    const task = await this.#begin(taskId, {
      taskClass: child.taskClass,
      threadId,
      identity,
      payload: parseDocument('payload', JsonObject, frozenCopy(payload, 'payload')),
      explanation,
      parentTraceId: parent.dossier.traceId,
      ...(last !== undefined && { parentMessageId: last }),
    });
    this.#tasks.set(taskId, task);
    this.#runningOf(parent).add(taskId);
    this.follow(parent);
  }

  /** Cancels the children that a task waits for no more. */
  follow(parent: Task): void {
    const running = this.#running.get(parent.taskId);
    for (const taskId of running ?? []) {
      if (isAwaited(taskId, parent)) continue;
      running?.delete(taskId);
      const brought = { explanation: 'The task that it was part of waits for it no more.' };
      void this.#tasks
        .get(taskId)
        ?.insist({ type: 'task.cancelled' }, { actor: orchestratorActor, brought })
        .catch(() => {}); // it closes
    }
  }

  #runningOf({ taskId }: Task): Set<string> {
    const running = this.#running.get(taskId) ?? new Set();
    this.#running.set(taskId, running);
    return running;
  }

  /** A child speaks for its call until the call is made again. */
  #speaks(taskId: string, { parent, of }: Link): boolean {
    const later = [...this.#links].findLast(([, link]) => link.parent === parent && link.of.call === of.call);
    return later?.[0] === taskId;
  }

  /** Tells a parent how its child ended. */
  async settled(taskId: string): Promise<void> {
    const link = this.#links.get(taskId);
    const child = this.#tasks.get(taskId);
    if (link === undefined || child === undefined) return;
    this.#runningOf(link.parent).delete(taskId);
    const { outcome } = child.snapshot.context;
    const { draft, traceId } = child.dossier;
    if (outcome === 'delivered')
      return void (await this.#deliver(link.parent, link.of, {
        taskId,
        traceId,
        payload: draft?.payload ?? {},
      }));
    const { fact, brought } = failureOf(child, link);
    const actor = { kind: 'agent', id: child.dossier.request.identity.agent_id } as const;
    await link.parent.insist(fact, { actor, brought }, () => this.#speaks(taskId, link));
  }
}

const isAwaited = (taskId: string, { snapshot: { context } }: Task): boolean =>
  context.reasons.length === 0 && Object.hasOwn(context.dependencies, taskId);
