import { createActor, type Actor as XStateActor } from 'xstate';
import { dutiesOf, taskMachine, type Duty, type Fact } from '../../machines/index.ts';
import type { UpFormatMessage } from '../../schema/index.ts';
import type { DefinedTaskClass } from '../define/task-class.ts';
import { causeOf, CharterError, isCharterError } from '../errors.ts';
import type { Emission } from '../ports/emission.ts';
import type { Actor, LedgerRecord, RequestDocument } from '../ports/ledger.ts';
import type { Step } from '../ports/store.ts';
import { rfc3339 } from './clock.ts';
import { defaultAnswer, runningDeadlines, termsOf, type Deadline } from './deadlines.ts';
import { emissionsOf } from './documents.ts';
import { answeredBy, fileInto, openDossier, type Dossier } from './dossier.ts';
import type { Environment } from './environment.ts';
import { createPatience, type Patience } from './patience.ts';
import type { OpenQuestion } from './questions.ts';
import { kindOf, orchestratorActor, recordOf, type Statement, type TaskSnapshot } from './record.ts';

/**
 * One task: its snapshot, its place in the ledger, and what it owes.
 *
 * Facts are applied one at a time, each preceded by every deadline that passed before it.
 */
export class Task {
  readonly taskId: string;
  readonly taskClass: DefinedTaskClass;
  readonly messages: UpFormatMessage[] = [];
  /** By `messageId`: what a person's feedback may answer. */
  readonly asked = new Map<string, OpenQuestion>();
  dossier: Dossier;
  snapshot: TaskSnapshot;
  /** Called after each step with what is owed now. */
  onStep: (duties: readonly Duty[]) => void = () => {};

  readonly #environment: Environment;
  #actor: XStateActor<typeof taskMachine>;
  #seq = 0;
  #tail: Promise<unknown> = Promise.resolve();
  #deadlines: readonly Deadline[] = [];
  #cancelWake: () => void = () => {};
  readonly #patience: Patience;
  /** Why the store does not take what is insisted on. */
  #trouble: { readonly error: unknown } | null = null;
  #stage: 'open' | 'closing' | 'closed' = 'open';

  constructor(
    taskId: string,
    request: RequestDocument,
    taskClass: DefinedTaskClass,
    environment: Environment,
  ) {
    this.taskId = taskId;
    this.taskClass = taskClass;
    this.#environment = environment;
    this.#patience = createPatience(environment.clock);
    this.dossier = openDossier(request, environment.ids.traceId());
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
    return this.#queue(() =>
      this.#commit(null, 'fact', { actor, brought: { request: this.dossier.request } }),
    );
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
          if (isCharterError(error, 'document_invalid') || this.#stage !== 'open') throw error;
          this.#trouble = { error };
          this.#environment.emit('error', { taskId: this.taskId, error });
          await this.#patience.pause();
        } finally {
          this.#trouble = null;
        }
      }
    });
  }

  /** No deadline wakes it any more; what is under way may still be recorded. */
  closing(): void {
    this.#stage = 'closing';
    this.#cancelWake();
    this.#patience.end();
  }

  /** Records nothing more, once what came in before is recorded. */
  close(): Promise<unknown> {
    this.#stage = 'closed';
    return this.#tail;
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
    return this.#apply(fact, statement, mayStill());
  }

  async #passDeadlines(until: number): Promise<void> {
    for (;;) {
      const running = this.#deadlines;
      const [first, ...others] = running;
      if (first === undefined || first.at > until) return;
      this.#deadlines = others;
      const { questions } = this.snapshot.context;
      const target = this.messageAsking(first.id);
      const brought = defaultAnswer(first, questions, this.taskClass, target);
      const statement = { actor: orchestratorActor, brought };
      try {
        await this.#apply({ type: 'deadline.passed', of: first.of, id: first.id }, statement);
      } catch (error) {
        this.#deadlines = running;
        throw error;
      }
    }
  }

  /** The message that asked a question; the last one, where it was asked again. */
  messageAsking(question: string): string | undefined {
    return [...this.asked].findLast(([, { id }]) => id === question)?.[0];
  }

  async #apply(fact: Fact, statement: Statement, isAllowed = true): Promise<boolean> {
    const isTaken = isAllowed && this.snapshot.status === 'active' && this.snapshot.can(fact);
    if (isTaken) this.#actor.send(fact);
    await this.#commit(fact, kindOf(fact, isTaken), statement);
    return isTaken;
  }

  async #commit(fact: Fact | null, kind: LedgerRecord['kind'], statement: Statement): Promise<void> {
    const before = this.snapshot;
    const after = this.#actor.getSnapshot();
    const { taskId, dossier } = this;
    const where = {
      seq: this.#seq,
      taskId,
      trace_id: dossier.traceId,
      timestamp: rfc3339(this.#environment.clock.now()),
    };
    const record = recordOf({ fact, kind, ...statement }, { before, after }, where);
    let step: Step;
    let filed: Dossier;
    try {
      filed = fileInto(dossier, before.context, after.context, record);
      step = this.#stepOf(record, after, filed);
      await this.#store(step);
    } catch (error) {
      this.#patience.failed();
      if (kind === 'fact') this.#restore(before);
      throw error;
    }
    this.#patience.succeeded();
    this.#seq += 1;
    this.snapshot = after;
    this.dossier = filed;
    if (kind === 'fact') this.#advance(record, step.emissions);
    else this.#environment.emit('record', record);
  }

  #stepOf(record: LedgerRecord, after: TaskSnapshot, dossier: Dossier): Step {
    const { taskId } = this;
    if (record.kind !== 'fact') return { taskId, record, snapshot: null, emissions: [] };
    const emissions = emissionsOf({
      before: record.fact === null ? null : this.snapshot.context,
      after: after.context,
      record,
      dossier,
      uuid: this.#environment.ids.uuid,
      terms: termsOf(this.taskClass, this.#environment.clock.now(), record.brought.payload),
      last: this.messages.at(-1)?.messageId ?? dossier.request.parentMessageId,
      answered: this.#answered(record.fact),
    });
    return { taskId, record, snapshot: JSON.stringify(this.#actor.getPersistedSnapshot()), emissions };
  }

  async #store(step: Step): Promise<void> {
    const { store } = this.#environment;
    const { seq } = step.record;
    let answer: 'ok' | 'conflict';
    try {
      answer = await store.commit(step);
    } catch (cause) {
      const message = `record ${seq} of task ${this.taskId} was not taken: ${causeOf(cause)}`;
      throw new CharterError('store_failed', message, { taskId: this.taskId, seq }, { cause });
    }
    if (answer === 'ok') return;
    throw new CharterError('store_conflict', `task ${this.taskId} moved on: record ${seq} is taken`, {
      taskId: this.taskId,
      expected: seq,
      actual: (await store.records(this.taskId)).length,
    });
  }

  /** What was not recorded has not happened. */
  #restore(before: TaskSnapshot): void {
    this.#actor = createActor(taskMachine, {
      snapshot: taskMachine.getPersistedSnapshot(before),
      input: { taskClass: this.taskClass.contract, request: before.context.request },
    }).start();
  }

  #answered(fact: Fact | null): string | undefined {
    const question = answeredBy(fact);
    return question === undefined ? undefined : this.messageAsking(question);
  }

  #advance(record: LedgerRecord, emissions: readonly Emission[]): void {
    const { clock, emit, tools } = this.#environment;
    const duties = this.duties();
    this.#deadlines = runningDeadlines(this.#deadlines, duties, clock.now(), this.taskClass, (id) => {
      const tool = this.dossier.calls[id]?.tool;
      return tool === undefined ? null : (tools.get(tool)?.deadline ?? null);
    });
    this.#arm();
    emit('record', record);
    for (const emission of emissions) this.#tell(emission);
    this.onStep(duties);
    if (this.isSettled) emit('settled', { taskId: this.taskId });
  }

  #tell(emission: Emission): void {
    const { emit } = this.#environment;
    emit('document', { ...emission, taskId: this.taskId });
    if (emission.name !== 'UpFormatMessage') return;
    const message = emission.document;
    this.messages.push(message);
    if (message.state !== 'needsHumanDecision' && message.state !== 'followup') return;
    const question = message.payload['question'] as OpenQuestion; // made by `emissionsOf`, a moment ago
    this.asked.set(message.messageId, question);
    emit('question', { taskId: this.taskId, question, message });
  }

  #arm(notBefore = 0): void {
    this.#cancelWake();
    const [next] = this.#deadlines;
    if (next === undefined || this.#stage !== 'open') return;
    const at = Math.max(next.at, notBefore);
    this.#cancelWake = this.#environment.clock.wakeAt(at, () => this.#wake());
  }

  #wake(): void {
    const { clock, emit } = this.#environment;
    this.#queue(() => this.#passDeadlines(clock.now())).then(
      () => this.#arm(), // a clock may ring early
      (error: unknown) => {
        emit('error', { taskId: this.taskId, error });
        this.#arm(clock.now() + this.#patience.delay());
      },
    );
  }
}
