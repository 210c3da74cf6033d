import { createActor, type Actor as XStateActor } from 'xstate';
import { dutiesOf, taskMachine, type Duty, type Fact } from '../../machines/index.ts';
import type { DefinedTaskClass } from '../define/task-class.ts';
import { CharterError, isCharterError } from '../errors.ts';
import type { Emission } from '../ports/emission.ts';
import { traceTask, type Tracing } from './tracing/task.ts';
import type { Actor, Brought, LedgerEntry, LedgerRecord, RequestDocument } from '../ports/ledger.ts';
import { rfc3339 } from './clock.ts';
import { Alarm } from './alarm.ts';
import { defaultAnswer } from './deadlines.ts';
import { fileInto, openDossier, type Dossier } from './dossier.ts';
import type { Environment } from './environment.ts';
import { Journal } from './journal.ts';
import { createPatience, type Patience } from './patience.ts';
import {
  draftOf,
  kindOf,
  orchestratorActor,
  refusedOf,
  type Statement,
  type TaskSnapshot,
} from './record.ts';
import { redactedText } from './redact.ts';
import { standingFault } from './standing.ts';
import { Streams } from './streams.ts';
import { Thread } from './thread.ts';

/** What no second try mends. */
const isFinal = (error: unknown): boolean =>
  isCharterError(error, 'document_invalid') ||
  isCharterError(error, 'input_unreadable') ||
  isCharterError(error, 'approval_spent');

/**
 * One task: its snapshot, its place in the ledger, and what it owes.
 *
 * Facts are applied one at a time, each preceded by every deadline that passed before it.
 */
export class Task {
  readonly taskId: string;
  readonly taskClass: DefinedTaskClass;
  /** What the task said, and asked. */
  readonly thread: Thread;
  /** What its model shows of a draft before anything has verified it. */
  readonly streams: Streams;
  /** Where it stands in its trace. */
  readonly tracing: Tracing;
  dossier: Dossier;
  snapshot: TaskSnapshot;
  /** Called after each step with what is owed now. */
  onStep: (duties: readonly Duty[]) => void = () => {};

  readonly #environment: Environment;
  #actor: XStateActor<typeof taskMachine>;
  #tail: Promise<unknown> = Promise.resolve();
  readonly #alarm: Alarm;
  readonly #patience: Patience;
  readonly #journal: Journal;
  /** Why the store does not take what is insisted on. */
  #trouble: { readonly error: unknown } | null = null;
  #stage: 'open' | 'closing' | 'closed' = 'open';

  constructor(
    taskId: string,
    request: RequestDocument,
    taskClass: DefinedTaskClass,
    environment: Environment,
    caller?: string,
  ) {
    this.taskId = taskId;
    this.taskClass = taskClass;
    this.#environment = environment;
    this.thread = new Thread(taskId, taskClass, environment);
    this.streams = new Streams(this, environment);
    this.#patience = createPatience(environment.clock);
    this.#alarm = new Alarm(environment.clock, () => this.#wake());
    this.#journal = new Journal(taskId, environment.store);
    this.tracing = traceTask(taskId, request, environment, caller);
    this.dossier = openDossier(request, this.tracing.traceId);
    this.#actor = createActor(taskMachine, {
      input: { taskClass: taskClass.contract, request: environment.ids.uuid() },
    }).start();
    this.snapshot = this.#actor.getSnapshot();
  }

  get isSettled(): boolean {
    return this.snapshot.hasTag('settled');
  }

  /** What the world owes the task now. */
  duties(): readonly Duty[] {
    return dutiesOf(this.snapshot);
  }

  /** Records that the task began. */
  begin(actor: Actor): Promise<void> {
    const brought = { request: this.dossier.request, contract: this.taskClass.contract };
    return this.#queue(() => this.#commit(null, 'fact', { actor, brought }));
  }

  /** Records a fact; `false` where `mayStill` or the chart does not take it, which is recorded too and changes nothing. */
  state(fact: Fact, statement: Statement, mayStill: () => boolean = () => true): Promise<boolean> {
    if (this.#trouble !== null) return Promise.reject(this.#trouble.error);
    const receivedAt = this.#environment.clock.now();
    return this.#queue(() => this.#take(fact, statement, mayStill, receivedAt));
  }

  /**
   * Records what the orchestrator itself did, again and again until the store takes it: no outcome is lost. What comes
   * in meanwhile is refused, and no deadline overtakes it.
   */
  insist(fact: Fact, statement: Statement, mayStill: () => boolean = () => true): Promise<boolean> {
    const receivedAt = this.#environment.clock.now();
    return this.#queue(async () => {
      for (;;) {
        try {
          return await this.#take(fact, statement, mayStill, receivedAt);
        } catch (error) {
          if (isFinal(error) || this.#stage !== 'open') throw error;
          this.#trouble = { error };
          this.#environment.emit('error', { taskId: this.taskId, error });
          await this.#patience.pause();
        } finally {
          this.#trouble = null;
        }
      }
    });
  }

  /** Records what came too late to count, or what was done about that: it changes no state. */
  witness(fact: Fact, statement: Statement): Promise<void> {
    return this.#queue(() => this.#commit(fact, 'orphan', statement));
  }

  /** Records that somebody was not let in, and why. */
  refuse(statement: Statement): Promise<void> {
    return this.#queue(() => this.#commit(null, 'refusal', statement));
  }

  /** Takes every document of a digest out of what is stored, and records who did it. */
  erase(digest: string, actor: Actor): Promise<void> {
    return this.#queue(async () => {
      const { snapshot: before } = this;
      const draft = { fact: null, kind: 'erasure', actor, erased: digest } as const;
      const record = await this.#journal.erase(this.#entryOf(draft, { before, after: before }), digest);
      this.thread.forget(digest);
      this.#environment.emit('record', record);
    });
  }

  /** No deadline wakes it any more; what is under way may still be recorded. */
  closing(): void {
    this.#stage = 'closing';
    this.#alarm.stop();
    this.#patience.end();
  }

  /** Records nothing more, once what came in before is recorded. */
  close(): Promise<unknown> {
    this.#stage = 'closed';
    return this.#tail.finally(() => this.tracing.close());
  }

  #queue<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#stage === 'closed') return Promise.reject(this.#closed());
    const next = this.#tail.then(work);
    this.#tail = next.catch(() => {});
    return next;
  }

  #closed(): CharterError<'closed'> {
    const message = `task ${this.taskId} is closed: what comes in now is not recorded`;
    return new CharterError('closed', message, { operation: 'record' });
  }

  async #take(
    fact: Fact,
    statement: Statement,
    mayStill: () => boolean,
    receivedAt: number,
  ): Promise<boolean> {
    await this.#passDeadlines(receivedAt);
    await this.#checkEvidence(fact);
    return this.#apply(fact, statement, mayStill());
  }

  /** Before a write begins, and before anything that may deliver: evidence that was changed since stops the run. */
  async #checkEvidence(fact: Fact): Promise<void> {
    const { context } = this.snapshot;
    const isGate = fact.type === 'call.started' || fact.type === 'draft.proposed' || context.draft !== null;
    if (!isGate || context.outcome !== null || context.reasons.length > 0) return;
    const { clock, skew } = this.#environment;
    const fault = standingFault(context, this.dossier, clock.now(), skew);
    if (fault === null) return;
    const { code, explanation } = fault;
    const statement = { actor: orchestratorActor, brought: { explanation } };
    await this.#apply({ type: 'run.failed', code }, statement);
  }

  #passDeadlines(until: number): Promise<void> {
    return this.#alarm.pass(until, (deadline) => {
      const { questions } = this.snapshot.context;
      const target = this.thread.messageAsking(deadline.id);
      const brought = defaultAnswer(deadline, questions, this.taskClass, target);
      const fact = { type: 'deadline.passed', of: deadline.of, id: deadline.id } as const;
      return this.#apply(fact, { actor: orchestratorActor, brought });
    });
  }

  async #apply(fact: Fact, statement: Statement, isAllowed = true): Promise<boolean> {
    const isTaken = isAllowed && this.snapshot.status === 'active' && this.snapshot.can(fact);
    if (isTaken) this.#actor.send(fact);
    await this.#commit(fact, kindOf(fact, isTaken), isTaken ? statement : refusedOf(statement));
    return isTaken;
  }

  async #commit(fact: Fact | null, kind: LedgerEntry['kind'], statement: Statement): Promise<void> {
    if (this.#journal.omits(kind)) return;
    const before = this.snapshot;
    const after = this.#actor.getSnapshot();
    let record: LedgerRecord;
    let emissions: readonly Emission[] = [];
    let filed = this.dossier;
    try {
      const entry = this.#entryOf({ fact, kind, ...statement }, { before, after });
      if (kind === 'fact') {
        filed = fileInto(filed, before.context, after.context, entry);
        const context = fact === null ? null : before.context;
        emissions = this.thread.emissionsOf(entry, context, after.context, filed);
      }
      const snapshot = kind === 'fact' ? JSON.stringify(this.#actor.getPersistedSnapshot()) : null;
      record = await this.#journal.append(entry, { snapshot, emissions, spends: statement.spends ?? [] });
    } catch (error) {
      this.#patience.failed();
      if (kind === 'fact') this.#restore(before);
      throw error;
    }
    this.#patience.succeeded();
    this.snapshot = after;
    this.dossier = filed;
    if (kind === 'fact') {
      this.tracing.step(record, before, after);
      this.#advance(record, emissions);
    } else this.#environment.emit('record', record);
  }

  #entryOf(
    draft: Parameters<typeof draftOf>[0],
    between: { readonly before: TaskSnapshot; readonly after: TaskSnapshot },
  ): LedgerEntry {
    const { clock } = this.#environment;
    const where = { trace_id: this.dossier.traceId, timestamp: rfc3339(clock.now()) };
    const made = draftOf({ ...draft, brought: this.#redacted(draft.brought) }, between, where);
    return this.#journal.place(made, clock.behind());
  }

  #redacted({ explanation, reasons, ...brought }: Brought = {}): Brought {
    const { redact } = this.#environment;
    return {
      ...brought,
      ...(reasons && { reasons: reasons.map((reason) => redactedText(redact, reason)) }),
      ...(explanation !== undefined && { explanation: redactedText(redact, explanation) }),
    };
  }

  /** What was not recorded has not happened. */
  #restore(before: TaskSnapshot): void {
    this.#actor = createActor(taskMachine, {
      snapshot: taskMachine.getPersistedSnapshot(before),
      input: { taskClass: this.taskClass.contract, request: before.context.request },
    }).start();
  }

  #advance(record: LedgerRecord, emissions: readonly Emission[]): void {
    const { emit, tools, verifiers } = this.#environment;
    const duties = this.duties();
    const { taskClass, dossier } = this;
    this.#alarm.set(duties, { taskClass, dossier, tools, verifiers });
    emit('record', record);
    for (const emission of emissions) this.thread.tell(emission);
    this.streams.step(duties);
    this.onStep(duties);
    if (this.isSettled) emit('settled', { taskId: this.taskId });
  }

  #wake(): void {
    const { clock, emit } = this.#environment;
    this.#queue(() => this.#passDeadlines(clock.now())).then(
      () => this.#alarm.arm(), // a clock may ring early
      (error: unknown) => {
        emit('error', { taskId: this.taskId, error });
        this.#alarm.arm(clock.now() + this.#patience.delay());
      },
    );
  }
}
