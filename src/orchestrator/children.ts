import type { Fact } from '../../machines/index.ts';
import { JsonObject } from '../../schema/index.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import type { Brought, ParentCall, RequestDocument } from '../ports/ledger.ts';
import type { Store } from '../ports/store.ts';
import type { ChildTask } from '../ports/tool.ts';
import { orchestratorActor } from './record.ts';
import { pathOf } from './stand.ts';
import type { Task } from './task.ts';

/** How many levels of tasks may be nested in an outermost one, and how many others each may begin. */
export interface ChildLimits {
  readonly depth: number;
  readonly children: number;
}

/** A call of a parent, as its facts name it. */
type Of = Omit<ParentCall, 'path'>;

/** What is done with tasks beside their own duties. */
export interface Family {
  /** Begins a task under an identifier that its parent knows already. */
  readonly begin: (taskId: string, request: RequestDocument, parent: Task) => Promise<void>;
  /** Lends a task. */
  readonly use: <Result>(taskId: string, work: (task: Task) => Promise<Result>) => Promise<Result>;
  /** Records what a child delivered as the outcome of the call that it is. */
  readonly deliver: (parent: Task, of: Of, delivered: unknown) => Promise<unknown>;
  readonly store: Store;
}

/** How a child's failure is told to its parent: with its own reasons (UAICP 4.3). */
const failureOf = (child: Task, of: Of): { fact: Fact; brought: Brought } => {
  const { reasons } = child.snapshot.context;
  const causes = [...new Set(reasons.map(({ code }) => code))].slice(0, 8);
  const isUndone = !causes.includes('EFFECT_IN_DOUBT') && !causes.includes('ROLLBACK_REQUIRED');
  return {
    fact: { type: isUndone ? 'call.failed' : 'call.doubted', ...of, code: 'CHILD_FAILED', causes },
    brought: { explanation: child.thread.messages.at(-1)?.explanation ?? '' },
  };
};

const isAwaited = (taskId: string, { snapshot: { context } }: Task): boolean =>
  context.reasons.length === 0 && Object.hasOwn(context.dependencies, taskId);

/** A child speaks for its call until the call is made again. */
const speaks = (taskId: string, parent: Task, { call }: Of): boolean =>
  parent.dossier.awaited[call] === taskId;

/** Tasks that are calls of other tasks: what one begins, and how they end (UAICP 4.3). */
export class Children {
  readonly #limits: ChildLimits;
  readonly #family: Family;
  /** How many others a task is about to begin. */
  readonly #claimed = new Map<string, number>();

  constructor(limits: ChildLimits, family: Family) {
    this.#limits = limits;
    this.#family = family;
  }

  /** Counts one more child of a task; says why there may be none, `null` where there may. */
  async claim({ taskId, dossier }: Task): Promise<string | null> {
    const { depth, children } = this.#limits;
    if (pathOf(taskId, dossier).length > depth) return `tasks are nested at most ${depth} deep`;
    const stored = await this.#family.store.standings({ parent: taskId });
    const claimed = this.#claimed.get(taskId) ?? 0;
    if (stored.length + claimed >= children) return `a task begins at most ${children} others`;
    this.#claimed.set(taskId, claimed + 1);
    return null;
  }

  /** What was claimed is in the store by now, or will not be. */
  release({ taskId }: Task): void {
    const others = (this.#claimed.get(taskId) ?? 0) - 1;
    if (others > 0) this.#claimed.set(taskId, others);
    else this.#claimed.delete(taskId);
  }

  /** Begins the task that a call is; the call waits for it under `taskId` already. */
  async begin(taskId: string, parent: Task, of: Of, child: ChildTask, input: unknown): Promise<void> {
    const { payload, explanation = '' } = child.request(input);
    const { threadId, identity } = parent.dossier.request;
    const last = parent.thread.messages.at(-1)?.messageId;
    const request = {
      taskClass: child.taskClass,
      threadId,
      identity,
      payload: parseDocument('payload', JsonObject, frozenCopy(payload, 'payload')),
      explanation,
      parentTraceId: parent.dossier.traceId,
      ...(last !== undefined && { parentMessageId: last }),
      parent: { path: pathOf(parent.taskId, parent.dossier), ...of },
    };
    await this.#family.begin(taskId, request, parent);
    if (!isAwaited(taskId, parent)) await this.#cancel(taskId);
  }

  /** Cancels the children that a task waits for no more. */
  async follow(parent: Task): Promise<void> {
    const { awaited } = parent.dossier;
    const known = Object.values(awaited).filter((taskId) => !isAwaited(taskId, parent));
    if (known.length === 0) return;
    const running = await this.#family.store.standings({ parent: parent.taskId, isSettled: false });
    for (const { taskId } of running) if (!isAwaited(taskId, parent)) await this.#cancel(taskId);
  }

  /** After a crash: begins the children that a task waits for and that never began, and hears those that ended. */
  async takeUp(parent: Task, begin: (taskId: string, call: string) => Promise<void>): Promise<void> {
    const { context } = parent.snapshot;
    for (const [call, taskId] of Object.entries(parent.dossier.awaited)) {
      if (!Object.hasOwn(context.dependencies, taskId)) continue;
      const [child] = await this.#family.store.standings({ taskId });
      if (child === undefined) await begin(taskId, call);
      else if (child.isSettled) await this.settled(taskId);
    }
    await this.follow(parent);
  }

  /** Tells a parent how its child ended. */
  settled(taskId: string): Promise<void> {
    return this.#family.use(taskId, async (child) => {
      const { parent: link } = child.dossier.request;
      const parentId = link?.path.at(-1);
      if (link === undefined || parentId === undefined) return;
      const { path: _path, ...of } = link;
      await this.#family.use(parentId, (parent) => this.#tell(child, parent, of));
    });
  }

  async #tell(child: Task, parent: Task, of: Of): Promise<void> {
    const { taskId, dossier, snapshot } = child;
    const { draft, traceId, request } = dossier;
    if (snapshot.context.outcome === 'delivered') {
      await this.#family.deliver(parent, of, { taskId, traceId, payload: draft?.payload ?? {} });
      return;
    }
    const { fact, brought } = failureOf(child, of);
    const actor = { kind: 'agent', id: request.identity.agent_id } as const;
    await parent.insist(fact, { actor, brought }, () => speaks(taskId, parent, of));
  }

  #cancel(taskId: string): Promise<unknown> {
    const brought = { explanation: 'The task that it was part of waits for it no more.' };
    const statement = { actor: orchestratorActor, brought };
    return this.#family
      .use(taskId, (task) => task.insist({ type: 'task.cancelled' }, statement))
      .catch(() => {}); // it closes
  }
}
