import { createActor } from 'xstate';
import {
  dutiesOf,
  outcomeOf,
  stateName,
  taskMachine,
  type Context,
  type Fact,
} from '../../machines/index.ts';
import { entryOf } from '../ledger/entry.ts';
import type { Projection } from '../ledger/projection/projection.ts';
import { withoutErased } from '../ledger/erasures.ts';
import { takeFact } from '../ledger/replay-session.ts';
import type { Emission } from '../ports/emission.ts';
import type { Actor, RecordPayload, LedgerEntry, LedgerRecord } from '../ports/ledger.ts';
import type { StoredTask } from '../ports/store.ts';
import { rfc3339 } from './clock.ts';
import { resumedDeadlines, runningDeadlines, type Alarm, type Timing } from './deadlines.ts';
import { contexts } from './meaning.ts';
import type { Environment } from './environment.ts';
import { derivedStep } from './derived-step.ts';
import { integrityFault } from './evidence-integrity.ts';
import { Journal, type JournalPorts } from './journal.ts';
import { orchestratorActor, refusedKind, refusalOf, type Statement, type TaskSnapshot } from './record.ts';
import { emitRecorded, type Position } from './recorded-events.ts';
import { recordedText } from './redact.ts';
import { rehydrate, type Rehydrated } from './rehydrate.ts';
import { isTurn, storedProjectionOf, viewOf, type TaskView, type ViewPorts, type Charted } from './view.ts';

/** The ports of the steps of a task. */
export type StepPorts = JournalPorts &
  Pick<
    Environment,
    'clock' | 'ids' | 'redact' | 'skew' | 'policy' | 'tools' | 'verifiers' | 'isOwner' | 'holds' | 'emit'
  >;

/** A recorded step, by this or another process. */
export interface CommittedStep {
  readonly record: LedgerRecord;
  readonly before: TaskView;
  readonly after: TaskView;
  /** Whether another process of a store with leases recorded it. */
  readonly isForeign: boolean;
}

/** The owner of a task's steps: it holds the current view, and receives each step. */
export interface StepOwner {
  view: TaskView;
  readonly alarm: Alarm;
  readonly committed: (step: CommittedStep) => void;
}

/** Returns whether a fact relies on evidence or a draft, whose documents are checked first. */
const restsOnDocuments = (fact: Fact, { draft }: Context): boolean =>
  draft !== null ||
  fact.type === 'call.started' ||
  fact.type === 'draft.proposed' ||
  (fact.type === 'human.responded' && fact.draft !== undefined);

/** Returns the chart's part of a view. */
export const chartedIn = (snapshot: TaskSnapshot): Charted => ({
  snapshot,
  state: stateName(snapshot.value),
  outcome: outcomeOf(snapshot.context),
  duties: dutiesOf(snapshot),
});

/** The steps of a task. A fact and its consequences are recorded together, or not at all. */
export class Steps {
  /** The number of store failures since the last record. */
  failures = 0;
  readonly #ports: StepPorts;
  readonly #of: ViewPorts;
  readonly #owner: StepOwner;
  readonly #journal: Journal;
  #actor: Rehydrated['actor'];

  constructor(of: ViewPorts, ports: StepPorts, actor: Rehydrated['actor'], owner: StepOwner) {
    this.#ports = ports;
    this.#of = of;
    this.#owner = owner;
    const { id, tools } = of.taskClass;
    this.#journal = new Journal(of.taskId, { taskClass: id, tools }, ports);
    this.#actor = actor;
  }

  /**
   * Submits a fact, unless the store wrote it although it threw. Returns `false` if `mayStill` or the chart refuses
   * it.
   */
  async submit(fact: Fact, statement: Statement, isStillValid?: () => boolean): Promise<boolean> {
    const written = this.written(fact);
    if (written !== null) return written === 'fact';
    const fault = this.#documentFault(fact, statement);
    if (fault !== null) {
      const { explanation } = fault;
      await this.apply(fault.fact, { actor: orchestratorActor, brought: { explanation } });
    }
    return this.apply(fact, statement, isStillValid?.() ?? true);
  }

  /** The part of the task whose events were emitted. */
  get position(): Position {
    const { size: records, emitted: documents } = this.#journal;
    return { records, documents, questions: this.#owner.view.projection.asked.length };
  }

  get #isLeased(): boolean {
    return this.#ports.store.lease !== Infinity;
  }

  /** Returns the kind of a fact's record that the store wrote although it threw; `null` for none. */
  written(fact: Fact): LedgerEntry['kind'] | null {
    return this.#journal.written.find((entry) => entry.fact === fact)?.kind ?? null;
  }

  /** Sends a fact to the chart. Returns `false` if it is not allowed or not accepted; that is recorded too. */
  async apply(fact: Fact, statement: Statement, isAllowed = true): Promise<boolean> {
    const isTaken = isAllowed && takeFact(this.#actor, fact);
    await (isTaken
      ? this.commit(fact, 'fact', statement)
      : this.commit(fact, refusedKind(fact), refusalOf(statement)));
    return isTaken;
  }

  /** Records a fact that was sent to the chart, or a refusal. */
  async commit(fact: Fact | null, kind: LedgerEntry['kind'], statement: Statement): Promise<void> {
    if (kind === 'refusal' && this.#journal.omitRefusal()) return;
    const loading = contexts();
    const contextOf = loading instanceof Promise ? await loading : loading;
    const { view: before, alarm } = this.#owner;
    let record: LedgerRecord;
    let derived: ReturnType<typeof derivedStep>;
    try {
      const charted = kind === 'fact' ? chartedIn(this.#actor.getSnapshot()) : before;
      const entry = this.#entryOf({ fact, kind, ...statement }, charted);
      const step = { of: this.#of, before, charted, entry, running: alarm.running, statement };
      derived = derivedStep(step, this.#ports, contextOf);
      record = await this.#journal.append(entry, derived.consequence);
    } catch (error) {
      this.failures += 1;
      if (kind === 'fact') this.#restore(before.snapshot);
      throw error;
    }
    const { after, running, consequence } = derived;
    this.failures = 0;
    this.#owner.view = after;
    this.#emitEvents([record], consequence.emissions, before, false);
    if (kind !== 'fact') return;
    alarm.set(running);
    this.#owner.committed({ record, before, after, isForeign: false });
  }

  /** Removes every document of a digest from the store, and records the actor. */
  async erase(erased: string, actor: Actor): Promise<void> {
    const { view } = this.#owner;
    const { taskId } = view;
    const entry = this.#entryOf({ fact: null, kind: 'erasure', actor, erased }, view);
    const beside = storedProjectionOf(entry, view, this.#owner.alarm.running);
    const consequence = {
      snapshot: null,
      emissions: [],
      consumedApprovals: [],
      key: null,
      beside,
      isTurn: isTurn(view),
    };
    const record = await this.#journal.append(entry, consequence, erased);
    const stored = await this.#ports.store.load(taskId);
    const { projection } = stored === undefined ? view : await rehydrate(stored); // it was in memory too
    const messages = withoutErased(view.projection.messages, erased);
    const thread = withoutErased(view.projection.thread, erased);
    this.#owner.view = viewOf(this.#of, view, { ...projection, messages, thread });
    this.#ports.emit('record', record);
  }

  /** Continues from a stored task. */
  resumeFrom(
    { records, emissions, deadlines }: StoredTask,
    { actor, projection }: Pick<Rehydrated, 'actor' | 'projection'>,
  ): void {
    const { alarm } = this.#owner;
    this.#actor = actor;
    this.#owner.view = viewOf(this.#of, chartedIn(actor.getSnapshot()), projection);
    this.#journal.resumeFrom(records, emissions.length);
    const timing = {
      ...this.#timing(this.#owner.view.snapshot, projection),
      quarantineOf: (deadline: number) => this.#ports.holds.quarantineOf(this.#owner.view.taskId, deadline),
    };
    const resumed = resumedDeadlines(deadlines, alarm.running, timing);
    alarm.set(runningDeadlines(resumed, this.#owner.view.duties, this.#ports.clock.read(), timing));
  }

  /** Applies the records of another process; returns `false` if there are none. */
  async catchUp(): Promise<boolean> {
    const { store } = this.#ports;
    const { view: before } = this.#owner;
    const { size, emitted } = this.#journal;
    const [entry] = await store.taskIndex({ taskId: before.taskId });
    if (entry === undefined || entry.size <= size) return false;
    const stored = await store.load(before.taskId);
    if (stored === undefined) return false;
    this.failures = 0;
    const newRecords = stored.records.slice(size);
    this.resumeFrom(stored, await rehydrate(stored));
    const isForeign = this.#isLeased && this.#journal.written.length === 0; // it may have been written although it threw
    this.#emitEvents(newRecords, stored.emissions.slice(emitted), before, isForeign);
    const record = newRecords.findLast(({ kind }) => kind === 'fact');
    if (record !== undefined) this.#owner.committed({ record, before, after: this.#owner.view, isForeign });
    return true;
  }

  /** Returns the fault of the documents that a fact relies on, against their digests; the run fails by it (UAICP 5.1). */
  #documentFault(fact: Fact, { brought }: Statement): ReturnType<typeof integrityFault> {
    const { context, projection } = this.#owner.view;
    if (context.outcome !== null || context.reasons.length > 0 || !restsOnDocuments(fact, context))
      return null;
    const clocks = { now: this.#recordTime(), skew: this.#ports.skew };
    return integrityFault(context, projection, { fact, brought }, clocks);
  }

  #emitEvents(
    records: readonly LedgerRecord[],
    emissions: readonly Emission[],
    { projection: { asked } }: TaskView,
    isForeign: boolean,
  ): void {
    const { taskId, projection } = this.#owner.view;
    const news = { taskId, records, emissions, projection, questions: asked.length, isForeign };
    emitRecorded(this.#ports.emit, news);
  }

  /** Returns the time of a new record: never before the last one, even if another process was ahead. */
  #recordTime(): number {
    return Math.max(this.#ports.clock.now(), this.#journal.latest);
  }

  #timing({ context }: TaskSnapshot, projection: Projection): Timing {
    const { tools, verifiers, isOwner } = this.#ports;
    return { context, projection, taskClass: this.#of.taskClass, tools, verifiers, isOwner };
  }

  #entryOf(
    {
      actor,
      brought,
      code,
      ...given
    }: Statement & Pick<LedgerEntry, 'fact' | 'kind'> & { readonly erased?: string },
    { snapshot, state: to, outcome }: Charted,
  ): LedgerEntry {
    const { size: seq, omitted } = this.#journal;
    const { taskId, state: from, projection } = this.#owner.view;
    const recordTime = this.#recordTime();
    return entryOf({
      seq,
      taskId,
      trace_id: projection.traceId,
      timestamp: rfc3339(recordTime),
      fact: given.fact,
      kind: given.kind,
      actor,
      brought: this.#redacted(brought),
      code: code ?? null,
      erased: given.erased ?? null,
      omitted,
      behind: this.#ports.clock.clockSkew(recordTime),
      request: snapshot.context.request,
      from: brought?.upgrade?.from.state ?? from,
      to,
      run: outcome,
    });
  }

  #redacted({ explanation, reasons, ...brought }: RecordPayload = {}): RecordPayload {
    const { redact } = this.#ports;
    return {
      ...brought,
      ...(reasons && { reasons: reasons.map((reason) => recordedText(redact, reason)) }),
      ...(explanation !== undefined && { explanation: recordedText(redact, explanation) }),
    };
  }

  /** Restores the chart after a fact that was not recorded. */
  #restore(before: TaskSnapshot): void {
    this.#actor = createActor(taskMachine, {
      snapshot: taskMachine.getPersistedSnapshot(before),
      input: { taskClass: this.#of.taskClass.contract, request: before.context.request },
    }).start();
  }
}
