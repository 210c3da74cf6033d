import type { Fact } from '../../../machines/index.ts';
import { withoutErased } from '../ledger/erasures.ts';
import type { Emission } from '../../base/ports/emission.ts';
import type { Actor, LedgerEntry, LedgerRecord } from '../../base/ports/ledger.ts';
import type { Regulated } from '../../base/ports/regulation.ts';
import type { Deadline, StoredTask } from '../../base/ports/store.ts';
import type { Now } from '../kernel/now.ts';
import { orchestratorActor, type Statement } from '../kernel/statement.ts';
import {
  documentFault,
  note,
  restarted,
  resumed,
  suspended,
  take,
  takeLate,
  type Followed,
  type TaskState,
  type Terms,
} from '../kernel/take.ts';
import type { ContextOf } from '../kernel/up-context.ts';
import { viewOf, type TaskView } from '../kernel/view.ts';
import type { Environment } from './environment.ts';
import { Journal } from './journal.ts';
import type { StatedFact } from './live-task.ts';
import { contexts } from './meaning.ts';
import { emitRecorded, type Position } from './recorded-events.ts';
import { recordedText, type Redact } from './redact.ts';
import { rehydrate, type Rehydrated } from './rehydrate.ts';

/** A recorded step, by this or another process. */
export interface CommittedStep {
  readonly record: LedgerRecord;
  readonly before: TaskView;
  readonly after: TaskView;
  /** Whether another process of a store with leases recorded it. */
  readonly isForeign: boolean;
}

/** Returns a statement without what must not be recorded of its explanation and its reasons. */
const redacted = (redact: Redact, statement: Statement): Statement => {
  const { explanation, reasons } = statement.brought ?? {};
  if (explanation === undefined && reasons === undefined) return statement;
  const brought = {
    ...statement.brought,
    ...(reasons && { reasons: reasons.map((reason) => recordedText(redact, reason)) }),
    ...(explanation !== undefined && { explanation: recordedText(redact, explanation) }),
  };
  return { ...statement, brought };
};

/** The steps of a task: the kernel takes a statement, and the task is what it says once the step is stored. */
export class Steps {
  /** The number of store failures since the last record. */
  failures = 0;
  readonly #ports: Environment;
  readonly #journal: Journal;
  #state: TaskState;
  #isLeft = false;
  /** Called after each step that changed the state. */
  readonly #onStep: (step: CommittedStep) => void;

  constructor(state: TaskState, ports: Environment, onStep: (step: CommittedStep) => void = () => {}) {
    this.#state = state;
    this.#ports = ports;
    this.#onStep = onStep;
    const { taskId, taskClass } = state.view;
    this.#journal = new Journal(taskId, { taskClass: taskClass.id, tools: taskClass.tools }, ports);
  }

  /** The task after the last stored step. */
  get state(): TaskState {
    return this.#state;
  }

  /** Returns the part of the task whose events were emitted. What other processes record from now on is told by its next copy. */
  leave(): Position {
    this.#isLeft = true;
    const { head, view } = this.#state;
    return { records: head.size, documents: head.emitted, questions: view.projection.asked.length };
  }

  /**
   * Submits a fact, unless the store wrote it although it threw. Returns `false` if `isStillValid` or the chart refuses
   * it.
   */
  submit(fact: Fact, statement: Statement, isStillValid?: () => boolean): Promise<boolean> {
    const written = this.written(fact);
    if (written !== null) return Promise.resolve(written === 'fact');
    const clocks = { now: this.#ports.clock.read(), skew: this.#ports.skew };
    const fault = documentFault(this.#state, fact, statement, clocks);
    const apply = (): Promise<boolean> => this.apply(fact, statement, isStillValid?.() ?? true);
    if (fault === null) return apply();
    const { explanation } = fault;
    return this.apply(fault.fact, { actor: orchestratorActor, brought: { explanation } }).then(apply);
  }

  /** Returns the kind of a fact's record that the store wrote although it threw; `null` for none. */
  written(fact: Fact): LedgerEntry['kind'] | null {
    return this.#journal.written.find((record) => record.fact === fact)?.kind ?? null;
  }

  /** Takes a fact. Returns `false` if it is not allowed or not accepted; that is recorded too. */
  async apply(fact: Fact, statement: Statement, isAllowed = true): Promise<boolean> {
    const said = redacted(this.#ports.redact, statement);
    const { isTaken } = await this.#commit((task, terms) => take(task, fact, said, terms, isAllowed));
    return isTaken;
  }

  /**
   * Records an outcome that came too late to count, or the rollback of a late write. Returns `false` if `isStillValid` refuses it;
   * nothing is recorded then.
   */
  async submitLate({ fact, statement, isStillValid }: StatedFact): Promise<boolean> {
    if (this.written(fact) !== null) return true;
    if (isStillValid?.() === false) return false;
    const said = redacted(this.#ports.redact, statement);
    await this.#commit((task, terms) => takeLate(task, fact, said, terms));
    return true;
  }

  /** Records what changes no state of the chart, or its opening. */
  async note(kind: Parameters<typeof note>[1], statement: Statement): Promise<void> {
    const said = redacted(this.#ports.redact, statement);
    await this.#commit((task, terms) => note(task, kind, said, terms));
  }

  /** Removes every document of a digest from the store and from memory, and records the actor. */
  async erase(erased: string, actor: Actor): Promise<void> {
    const { store, tools } = this.#ports;
    const clean = async (): Promise<void> => {
      const { view } = this.#state;
      const stored = await store.load(view.taskId);
      const { projection } = stored === undefined ? view : await rehydrate(stored);
      const messages = withoutErased(view.projection.messages, erased);
      const thread = withoutErased(view.projection.thread, erased);
      const cleaned = viewOf({ ...view, tools }, view, { ...projection, messages, thread });
      this.#state = { ...this.#state, view: cleaned };
    };
    await this.#commit((task, terms) => note(task, 'erasure', { actor, erased }, terms), clean);
  }

  /** Stops or restarts the time of held work. */
  time(of: Pick<Deadline, 'of' | 'id'>, isHeld: boolean): void {
    this.#state = isHeld
      ? suspended(this.#state, of)
      : restarted(this.#state, of, { ...this.#ports, now: this.#ports.clock.read() });
  }

  /** Continues from a stored task. */
  #resumeFrom(stored: StoredTask, rehydrated: Pick<Rehydrated, 'snapshot' | 'projection'>): void {
    const { holds, clock } = this.#ports;
    const { taskId } = this.#state.view;
    this.#journal.resumeFrom(stored.records);
    const { view, deadlines } = this.#state;
    this.#state = resumed(stored, rehydrated, view, deadlines, {
      ...this.#ports,
      now: clock.read(),
      quarantineOf: (deadline) => holds.quarantineOf(taskId, deadline),
    });
  }

  /** Applies the records of another process; returns `false` if there are none. */
  async catchUp(): Promise<boolean> {
    const { store } = this.#ports;
    const { view: before, head } = this.#state;
    const [entry] = await store.taskIndex({ taskId: before.taskId });
    if (entry === undefined || entry.size <= head.size) return false;
    const stored = await store.load(before.taskId);
    if (stored === undefined) return false;
    this.failures = 0;
    this.#resumeFrom(stored, await rehydrate(stored));
    const isForeign = store.lease !== Infinity && this.#journal.written.length === 0; // it may have been written although it threw
    if (isForeign && this.#isLeft) return true;
    const newRecords = stored.records.slice(head.size);
    this.#emitEvents(newRecords, stored.emissions.slice(head.emitted), before, isForeign);
    const record = newRecords.findLast(({ kind }) => kind === 'fact');
    if (record !== undefined) this.#onStep({ record, before, after: this.#state.view, isForeign });
    return true;
  }

  /** Stores what the kernel takes, and tells it. Nothing has changed if the kernel or the store throws. */
  async #commit<Given extends Followed>(
    work: (task: TaskState, terms: Terms) => Given,
    beforeEvents?: () => Promise<void>,
  ): Promise<Given> {
    const loading = contexts();
    const contextOf = loading instanceof Promise ? await loading : loading;
    const { view: before } = this.#state;
    let taken: Given;
    try {
      const now = this.#ports.clock.read();
      taken = work(this.#state, this.#terms(contextOf, now));
      if (taken.step !== null) await this.#journal.write(taken.step, this.#regulated(taken, now));
    } catch (error) {
      this.failures += 1;
      throw error;
    }
    const { task, step } = taken;
    this.#state = task;
    if (step === null) return taken;
    this.failures = 0;
    if (beforeEvents !== undefined) await beforeEvents();
    this.#emitEvents([step.record], step.emissions, before, false);
    if (step.record.kind === 'fact')
      this.#onStep({ record: step.record, before, after: task.view, isForeign: false });
    return taken;
  }

  #regulated({ task: { view }, step }: Followed, { at }: Now): Regulated | null {
    const { view: before, head } = this.#state;
    const fact = step?.record.fact ?? null;
    return this.#ports.quotas.regulated(head.size === 0 ? null : before, view, fact, at);
  }

  #terms(contextOf: ContextOf, now: Now): Terms {
    const { ids, tools, verifiers, policy, isOwner } = this.#ports;
    const { uuid } = ids;
    const policyVersion = policy.version ?? null;
    return { now, uuid, tools, verifiers, policyVersion, isOwner, contextOf };
  }

  #emitEvents(
    records: readonly LedgerRecord[],
    emissions: readonly Emission[],
    { projection: { asked } }: TaskView,
    isForeign: boolean,
  ): void {
    const { taskId, projection } = this.#state.view;
    const news = { taskId, records, emissions, projection, questions: asked.length, isForeign };
    emitRecorded(this.#ports.emit, news);
  }
}
