import { createActor } from 'xstate';
import { chartVersion, dutiesOf, taskMachine, type Duty, type Fact } from '../../machines/index.ts';
import type { DefinedTaskClass } from '../define/task-class.ts';
import { CharterError, isCharterError } from '../errors.ts';
import type { Actor, RecoveryDocument, RequestDocument } from '../ports/ledger.ts';
import type { StoredTask } from '../ports/store.ts';
import { Alarm } from './alarm.ts';
import { defaultAnswer, type RunningDeadline } from './deadlines.ts';
import { emptyDocuments, type TaskDocuments } from './task-documents.ts';
import type { Environment } from './environment.ts';
import { rehydrate, type Rehydrated } from './rehydrate.ts';
import { isSameAs } from './keyed.ts';
import { createBackoff, type Backoff } from './backoff.ts';
import { orchestratorActor, type Statement, type TaskSnapshot } from './record.ts';
import { integrityFault } from './evidence-integrity.ts';
import type { Reading } from './steady-clock.ts';
import { Steps, type CommittedStep } from './steps.ts';
import { Streams } from './streams.ts';
import type { Thread } from './thread.ts';
import { traceTask, type Tracing } from './tracing/task.ts';

/** What no second try mends. */
const isFinal = (error: unknown): boolean =>
  isCharterError(error, 'document_invalid') ||
  isCharterError(error, 'input_unreadable') ||
  isCharterError(error, 'approval_spent') ||
  isCharterError(error, 'task_corrupted');

/**
 * One task: its snapshot, its place in the ledger, and what it owes.
 *
 * Facts are applied one at a time, each preceded by every deadline that passed before it.
 */
export class Task {
  readonly taskId: string;
  readonly taskClass: DefinedTaskClass;
  /** What its model shows of a draft before anything has verified it. */
  readonly streams: Streams;
  /** Where it stands in its trace. */
  readonly tracing: Tracing;
  /** Called after each step with what is owed now. */
  onStep: (duties: readonly Duty[]) => void = () => {};

  readonly #environment: Environment;
  readonly #steps: Steps;
  readonly #alarm: Alarm;
  readonly #backoff: Backoff;
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  /** Why the store refuses what is being retried. */
  #trouble: { readonly error: unknown } | null = null;
  #stage: 'open' | 'closing' | 'closed' = 'open';

  private constructor(
    taskId: string,
    taskClass: DefinedTaskClass,
    environment: Environment,
    tracing: Tracing,
    rehydrated: Pick<Rehydrated, 'actor' | 'documents'>,
  ) {
    this.taskId = taskId;
    this.taskClass = taskClass;
    this.tracing = tracing;
    this.#environment = environment;
    this.#backoff = createBackoff(environment.clock);
    const { clock, isOwner } = environment;
    // who owns no task wakes none; what is due is passed all the same, before anything that it records
    this.#alarm = new Alarm(isOwner ? clock : { ...clock, wakeWhen: () => () => {} }, () => void this.wake());
    this.#steps = new Steps(taskId, taskClass, environment, rehydrated, {
      running: () => this.#alarm.running,
      setDeadlines: (running) => this.#alarm.set(running),
      committed: (step) => this.#advance(step),
      stored: (isStored) => (isStored ? this.#backoff.succeeded() : this.#backoff.failed()),
    });
    this.streams = new Streams(this, environment);
  }

  /** A task that has not begun. */
  static of(
    taskId: string,
    request: RequestDocument,
    taskClass: DefinedTaskClass,
    environment: Environment,
    caller?: string,
  ): Task {
    const tracing = traceTask(taskId, request, environment, { caller });
    const documents = emptyDocuments(request, tracing.traceId);
    const input = { taskClass: taskClass.contract, request: environment.ids.uuid() };
    const actor = createActor(taskMachine, { input }).start();
    return new Task(taskId, taskClass, environment, tracing, { actor, documents });
  }

  /**
   * A task as its ledger tells it. It goes on under the contract that it began under.
   *
   * Throws `task_corrupted`, `chart_unknown`, and `not_found` where its task class is not known any more.
   */
  static async from(stored: StoredTask, environment: Environment): Promise<Task> {
    const { taskId } = stored.standing;
    const { contract, ...rehydrated } = await rehydrate(stored);
    const { request, traceId } = rehydrated.documents;
    const known = environment.taskClassOf(contract.id);
    const taskClass = isSameAs(known.contract, contract) ? known : { ...known, contract };
    const tracing = traceTask(taskId, request, environment, { traceId });
    const task = new Task(taskId, taskClass, environment, tracing, rehydrated);
    task.#steps.goOn(stored, rehydrated);
    return task;
  }

  get snapshot(): TaskSnapshot {
    return this.#steps.snapshot;
  }

  /** What its ledger holds beside its state. */
  get documents(): TaskDocuments {
    return this.#steps.documents;
  }

  /** What the task said, and asked. */
  get thread(): Thread {
    return this.#steps.thread;
  }

  get isSettled(): boolean {
    return this.snapshot.hasTag('settled');
  }

  /** Whether nothing is being recorded, nor shown. */
  get isQuiet(): boolean {
    return this.#waiting === 0 && this.streams.isQuiet;
  }

  /** What the world owes the task now. */
  duties(): readonly Duty[] {
    return dutiesOf(this.snapshot);
  }

  /** Records that the task began. */
  begin(actor: Actor, key?: string): Promise<void> {
    const brought = {
      request: this.documents.request,
      contract: this.taskClass.contract,
      chart: chartVersion,
    };
    const statement = { actor, brought, ...(key !== undefined && { key }) };
    return this.#queue(() => this.#steps.commit(null, 'fact', statement));
  }

  /** Records a fact. Returns `false` if `mayStill` or the chart refuses it: that is recorded too, and changes nothing. */
  submitFact(fact: Fact, statement: Statement, mayStill: () => boolean = () => true): Promise<boolean> {
    if (this.#trouble !== null) return Promise.reject(this.#trouble.error);
    const receivedAt = this.#environment.clock.read();
    return this.#queue(() => this.#take(fact, statement, mayStill, receivedAt));
  }

  /**
   * Records what the orchestrator did, and retries until the store takes it, so that no outcome is lost. Other facts are
   * refused meanwhile, and no deadline passes before it.
   */
  submitWithRetry(fact: Fact, statement: Statement, mayStill: () => boolean = () => true): Promise<boolean> {
    const receivedAt = this.#environment.clock.read();
    return this.#queue(() => this.#withRetry(() => this.#take(fact, statement, mayStill, receivedAt)));
  }

  /** Records an outcome that came too late to count, or what was done about it. Retries until the store takes it. */
  recordOrphan(fact: Fact, statement: Statement): Promise<void> {
    const commit = async () => this.#steps.written(fact) ?? this.#steps.commit(fact, 'orphan', statement);
    return this.#queue(() => this.#withRetry(async () => void (await this.#caughtUp(commit))));
  }

  /** Records that an effect in doubt is taken up, before anything is done about it. */
  recover(recovery: RecoveryDocument): Promise<void> {
    const statement = { actor: orchestratorActor, brought: { recovery } };
    const commit = () => this.#steps.commit(null, 'recovery', statement);
    return this.#queue(() => this.#withRetry(() => this.#caughtUp(commit)));
  }

  /** Records that somebody was not let in, and why. */
  refuse(statement: Statement): Promise<void> {
    return this.#queue(() => this.#caughtUp(() => this.#steps.commit(null, 'refusal', statement)));
  }

  /** Takes every document of a digest out of what is stored, and records who did it. */
  erase(digest: string, actor: Actor): Promise<void> {
    return this.#queue(() => this.#steps.erase(digest, actor));
  }

  /** Passes every deadline that is due; tries again later where the store does not take it. */
  async wake(): Promise<void> {
    const { clock, emit } = this.#environment;
    try {
      await this.#queue(() => this.#caughtUp(() => this.#passDeadlines(clock.read())));
      this.#alarm.arm(); // a clock may ring early
    } catch (error) {
      emit('error', { taskId: this.taskId, error });
      this.#alarm.arm(this.#backoff.delay());
    }
  }

  /** Takes up what another process recorded. */
  refresh(): Promise<void> {
    return this.#queue(async () => void (await this.#steps.catchUp()));
  }

  /** Its deadlines as they run, the one of the earliest hour first. */
  get deadlines(): readonly RunningDeadline[] {
    return this.#alarm.running;
  }

  /** No deadline wakes it any more; what is under way may still be recorded. */
  closing(): void {
    this.#stage = 'closing';
    this.#alarm.stop();
    this.#backoff.end();
  }

  /** Records nothing more, once what came in before is recorded. */
  close(): Promise<unknown> {
    this.#stage = 'closed';
    return this.#tail.finally(() => this.tracing.close());
  }

  #queue<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#stage === 'closed') return Promise.reject(this.#closed());
    this.#waiting += 1;
    const next = this.#tail.then(work).finally(() => (this.#waiting -= 1));
    this.#tail = next.catch(() => {});
    return next;
  }

  #closed(): CharterError<'closed'> {
    const message = `task ${this.taskId} is closed: what comes in now is not recorded`;
    return new CharterError('closed', message, { operation: 'record' });
  }

  async #withRetry<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (isFinal(error) || this.#stage !== 'open') throw error;
        this.#trouble = { error };
        this.#environment.emit('error', { taskId: this.taskId, error });
        await this.#backoff.pause();
      } finally {
        this.#trouble = null;
      }
    }
  }

  /** Does it again, on what another process has recorded meanwhile. */
  async #caughtUp<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isCharterError(error, 'store_conflict') || !(await this.#steps.catchUp())) throw error;
      }
    }
  }

  #take(fact: Fact, statement: Statement, mayStill: () => boolean, receivedAt: Reading): Promise<boolean> {
    return this.#caughtUp(async () => {
      await this.#passDeadlines(receivedAt);
      const written = this.#steps.written(fact);
      if (written !== null) return written === 'fact';
      await this.#checkGround(fact, statement);
      return this.#steps.apply(fact, statement, mayStill());
    });
  }

  /** Before a write begins, and before anything that may deliver: evidence or a draft that was changed since stops the run. */
  async #checkGround(fact: Fact, { brought }: Statement): Promise<void> {
    const { context } = this.snapshot;
    if (context.outcome !== null || context.reasons.length > 0) return;
    const clocks = { now: this.#steps.hour(), skew: this.#environment.skew };
    const fault = integrityFault(context, this.documents, { fact, brought }, clocks);
    if (fault === null) return;
    const { code, explanation } = fault;
    const statement = { actor: orchestratorActor, brought: { explanation } };
    await this.#steps.apply({ type: 'run.failed', code }, statement);
  }

  #passDeadlines(until: Reading): Promise<void> {
    return this.#alarm.pass(until, (deadline) => {
      const { questions } = this.snapshot.context;
      const target = this.thread.messageAsking(deadline.id);
      const brought = defaultAnswer(deadline, questions, this.taskClass, target);
      const fact = { type: 'deadline.passed', of: deadline.of, id: deadline.id } as const;
      return this.#steps.apply(fact, { actor: orchestratorActor, brought });
    });
  }

  #advance({ record, before, after, duties }: CommittedStep): void {
    this.tracing.step(record, before, after);
    this.streams.step(duties);
    this.onStep(duties);
    if (this.isSettled) this.#environment.emit('settled', { taskId: this.taskId });
  }
}
