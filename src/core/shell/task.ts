import { chartVersion, type Fact } from '../../../machines/index.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import { isCharterError, type CharterError } from '../../base/errors.ts';
import type { Actor, RequestDocument } from '../../base/ports/ledger.ts';
import type { Deadline, StoredTask } from '../../base/ports/store.ts';
import { defaultAnswer, passedFirst } from '../kernel/deadlines.ts';
import type { Reading } from '../kernel/now.ts';
import { messageAsking } from '../kernel/projection/thread.ts';
import { isBeginning, orchestratorActor, type KnownCall, type Statement } from '../kernel/statement.ts';
import { unopened, type TaskState } from '../kernel/take.ts';
import { summaryOf, type TaskView } from '../kernel/view.ts';
import { Alarm } from './alarm.ts';
import type { Environment } from './environment.ts';
import { isFinal } from './journal.ts';
import { carryOut, type LiveTask, type Stated, type Stating } from './live-task.ts';
import type { Position } from './recorded-events.ts';
import { rehydrate, resumedTask } from './rehydrate.ts';
import { Steps, type CommittedStep } from './steps.ts';
import { Streams } from './streams.ts';
import { recordsNoMore } from './task-errors.ts';
import { traceTask, type Tracing } from './tracing.ts';
import { WorkAbort } from './work-signal.ts';

/**
 * One task: its view, the facts that are submitted to it, and its ledger.
 *
 * Facts are applied one at a time, after every deadline that passed before them.
 */
export class Task implements LiveTask {
  readonly taskId: string;
  readonly taskClass: DefinedTaskClass;
  /** Its trace. */
  readonly tracing: Tracing;
  /** What this process knows of its calls. A restart forgets it, and everything is checked again. */
  readonly knownCalls = new Map<string, KnownCall>();
  /** Aborts once the task is cancelled; `urgently`, once that is urgent. */
  readonly cancelled = new WorkAbort();
  readonly urgently = new WorkAbort();
  /** Called after each step with the current view. */
  onStep: (view: TaskView) => void = () => {};

  /** The timer for its next deadline. */
  readonly #alarm: Alarm;
  readonly #ports: Environment;
  readonly #steps: Steps;
  /** Ends the waits between retries. */
  readonly #closing = new WorkAbort();
  #streams: Streams | null = null;
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  /** The error of the store that is being retried. */
  #storeFailure: { readonly error: unknown } | null = null;
  #stage: 'open' | 'closing' | 'closed' = 'open';
  #ended: CharterError | null = null;

  private constructor(state: TaskState, ports: Environment, tracing: Tracing) {
    const { clock, isOwner } = ports;
    this.taskId = state.view.taskId;
    this.taskClass = state.view.taskClass;
    this.tracing = tracing;
    this.#ports = ports;
    const time = isOwner ? clock : { ...clock, wakeWhen: () => () => {} }; // due deadlines are applied before a guest's records
    this.#alarm = new Alarm(time, () => void this.wake());
    this.#steps = new Steps(state, ports, (step) => this.#follow(step));
    this.#alarm.set(state.deadlines);
  }

  /** Creates a task that has not begun. */
  static of(
    taskId: string,
    request: RequestDocument,
    taskClass: DefinedTaskClass,
    ports: Environment,
    caller?: string,
  ): Task {
    const tracing = traceTask(taskId, request, ports, { caller });
    const begun = { request, traceId: tracing.traceId, requestId: ports.ids.uuid() };
    return new Task(unopened({ taskId, taskClass }, begun, ports), ports, tracing);
  }

  /**
   * Rebuilds a task from its ledger, under its original contract.
   *
   * Throws `task_corrupted`, `chart_unknown`, and `not_found` if its task class is unknown.
   */
  static async from(stored: StoredTask, ports: Environment): Promise<Task> {
    const rehydrated = await rehydrate(stored);
    const state = resumedTask(stored, rehydrated, ports);
    const { request, traceId } = rehydrated.projection;
    return new Task(state, ports, traceTask(stored.indexEntry.taskId, request, ports, { traceId }));
  }

  /** The current view. */
  get view(): TaskView {
    return this.#steps.state.view;
  }

  /** The running deadlines, earliest first. */
  get deadlines(): TaskState['deadlines'] {
    return this.#steps.state.deadlines;
  }

  /** The streams of its unverified drafts. */
  get streams(): Streams {
    return (this.#streams ??= new Streams(this, this.#ports));
  }

  /** Returns the part of the task whose events were emitted: who goes on with it tells the rest of what others record. */
  leave(): Position {
    return this.#steps.leave();
  }

  /** Whether nothing is being recorded or streamed. */
  get isIdle(): boolean {
    return this.#waiting === 0 && this.#streams?.isOpen !== true;
  }

  /** Records that the task began. */
  begin(actor: Actor, key?: string): Promise<void> {
    const { request } = this.view.projection;
    const brought = { request, contract: this.taskClass.contract, chart: chartVersion };
    return this.#queue(() => this.#steps.note('fact', { actor, brought, ...(key !== undefined && { key }) }));
  }

  /** Records a fact. Returns `false` if `isStillValid` or the chart refuses it; the refusal is recorded and changes nothing. */
  submitFact(fact: Fact, statement: Statement, isStillValid?: () => boolean): Promise<boolean> {
    if (this.#storeFailure !== null) return Promise.reject(this.#storeFailure.error);
    return this.#submit(fact, statement, isStillValid);
  }

  /**
   * Records what work states; returns whether it was taken. A fact, and what came too late, is retried until the store accepts
   * it, so that no outcome is lost. Other facts are refused meanwhile, and no deadline passes before it.
   */
  recordStated(said: Stated): Promise<boolean> {
    switch (said.as) {
      case 'fact':
        return this.#submit(said.fact, said.statement, said.isStillValid, true);
      case 'orphan':
        return this.#queue(() => this.#try(() => this.#steps.submitLate(said), true));
      case 'refusal':
        return this.record('refusal', said.statement).then(() => true);
    }
  }

  /** Does work, and records what it states. */
  carryOut<Result>(work: Stating<Result>): Promise<Result> {
    return carryOut(this, work);
  }

  /** Records what changes no state. What comes from outside is rejected while the store fails. */
  record(kind: 'refusal' | 'agent' | 'message', statement: Statement, isFromOutside = false): Promise<void> {
    if (isFromOutside && this.#storeFailure !== null) return Promise.reject(this.#storeFailure.error);
    return this.#queue(() => this.#try(() => this.#steps.note(kind, statement)));
  }

  /** Removes every document of a digest from the store, and records the actor. */
  erase(digest: string, actor: Actor): Promise<void> {
    return this.#queue(() => this.#steps.erase(digest, actor));
  }

  /** Applies every due deadline; retries later if the store fails. */
  async wake(): Promise<void> {
    const { clock, emit } = this.#ports;
    try {
      await this.#queue(() => this.#try(() => this.#passDeadlines(clock.read())));
    } catch (error) {
      if (this.#stage !== 'open') return;
      emit('error', { taskId: this.taskId, error });
      this.#alarm.arm(this.#delay());
    }
  }

  /** Stops the deadline of held work, or gives it its full time again. */
  time(of: Pick<Deadline, 'of' | 'id'>, isHeld: boolean): void {
    this.#steps.time(of, isHeld);
    this.#alarm.set(this.deadlines);
  }

  /** Applies the records of another process. */
  refresh(): Promise<void> {
    return this.#queue(async () => void (await this.#catchUp()));
  }

  /** Stops its deadlines; work in flight may still be recorded. What comes after `close` is refused for this reason. */
  beginClose(reason: CharterError | null = null): void {
    this.#stage = 'closing';
    this.#ended ??= reason;
    this.#alarm.stop();
    this.#closing.abort(reason);
  }

  /** Stops recording after the queued facts. */
  close(): Promise<unknown> {
    this.#stage = 'closed';
    return this.#tail.finally(() => this.tracing.close());
  }

  #queue<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#stage === 'closed') return Promise.reject(this.#ended ?? recordsNoMore(this.taskId));
    this.#waiting += 1;
    const next = this.#tail.then(async () => {
      try {
        return await work();
      } finally {
        this.#waiting -= 1;
      }
    });
    this.#tail = next.catch(() => {});
    return next;
  }

  /**
   * Does work again after a conflict, on the records of another process; if it must be recorded, also once the store may have
   * recovered.
   */
  async #try<Result>(work: () => Promise<Result>, isRepeated = false): Promise<Result> {
    for (;;) {
      try {
        try {
          return await work();
        } catch (error) {
          if (!isCharterError(error, 'store_conflict') || !(await this.#catchUp())) throw error;
        }
      } catch (error) {
        if (!isRepeated || isFinal(error) || this.#stage !== 'open') throw error;
        this.#storeFailure = { error };
        this.#ports.emit('error', { taskId: this.taskId, error });
        await this.#pause();
        this.#storeFailure = null;
      }
    }
  }

  async #catchUp(): Promise<boolean> {
    const hasMore = await this.#steps.catchUp();
    this.#alarm.set(this.deadlines);
    return hasMore;
  }

  /** Returns the milliseconds before a retry: one second at first, doubled up to a minute. */
  #delay(): number {
    return Math.min(2 ** Math.max(0, this.#steps.failures - 1), 60) * 1_000;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const resume = (): void => {
        stopFollowing();
        cancel();
        resolve();
      };
      const stopFollowing = this.#closing.onAbort(resume);
      const cancel = this.#ports.clock.wakeAfter(this.#delay(), resume);
    });
  }

  #submit(
    fact: Fact,
    statement: Statement,
    isStillValid: (() => boolean) | undefined,
    isRepeated = false,
  ): Promise<boolean> {
    const receivedAt = this.#ports.clock.read();
    const submit = (): Promise<boolean> => this.#steps.submit(fact, statement, isStillValid);
    const take = (): Promise<boolean> => {
      const until = isBeginning(fact, statement) ? this.#ports.clock.read() : receivedAt;
      return passedFirst(this.deadlines, until) ? this.#passDeadlines(until).then(submit) : submit();
    };
    return this.#queue(() => this.#try(take, isRepeated));
  }

  async #passDeadlines(until: Reading): Promise<void> {
    for (;;) {
      const deadline = passedFirst(this.deadlines, until);
      if (deadline === undefined) break;
      const { context, projection } = this.view;
      const target = messageAsking(projection, deadline.id);
      const brought = defaultAnswer(deadline, context.questions, this.taskClass, target);
      const fact = { type: 'deadline.passed', of: deadline.of, id: deadline.id } as const;
      await this.#steps.apply(fact, { actor: orchestratorActor, brought });
    }
    this.#alarm.set(this.deadlines);
    this.#alarm.arm(); // it may still wait for a retry, and a clock may ring early
  }

  /** Called after each step that changed the state. */
  #follow({ record, before, after, isForeign }: CommittedStep): void {
    this.#alarm.set(this.deadlines);
    this.tracing.step?.(record, { before, after });
    if (this.#streams?.isOpen === true) this.#streams.step(after.duties);
    this.onStep(after);
    if (after.isSettled)
      this.#ports.emit('settled', { ...summaryOf(after), ...(isForeign && { isForeign }) });
  }
}
