import { createActor } from 'xstate';
import { dutiesOf, taskMachine, type Duty, type Fact } from '../../machines/index.ts';
import type { DefinedTaskClass } from '../define/task-class.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import type { StoredProjection } from '../ledger/stored-projection.ts';
import { broughtIn } from '../ledger/seal.ts';
import type { Emission } from '../ports/emission.ts';
import type { Actor, Brought, LedgerEntry, LedgerRecord } from '../ports/ledger.ts';
import type { StoredTask } from '../ports/store.ts';
import { rfc3339 } from './clock.ts';
import {
  resumedDeadlines,
  runningDeadlines,
  storedDeadlines,
  type RunningDeadline,
  type Timing,
} from './deadlines.ts';
import { projectRecord, type TaskDocuments } from './task-documents.ts';
import type { Environment } from './environment.ts';
import { rehydrate, type Rehydrated } from './rehydrate.ts';
import { intentsOf } from './intents.ts';
import { Journal } from './journal.ts';
import { draftOf, kindOf, refusedOf, type Statement, type TaskSnapshot } from './record.ts';
import { recordedText } from './redact.ts';
import { taskIndexEntryOf } from './task-summary.ts';
import { Thread } from './thread.ts';

/** A step as it was recorded, here or by another process. */
export interface CommittedStep {
  readonly record: LedgerRecord;
  readonly before: TaskSnapshot;
  readonly after: TaskSnapshot;
  readonly duties: readonly Duty[];
}

/** Where a task stands after a step. */
interface State {
  readonly snapshot: TaskSnapshot;
  readonly documents: TaskDocuments;
  readonly deadlines: readonly RunningDeadline[];
  readonly emissions: readonly Emission[];
}

/** The owner of a task's steps: keeps its deadlines, and is notified of each step. */
export interface StepObserver {
  /** The deadlines that run, the earliest first. */
  readonly running: () => readonly RunningDeadline[];
  readonly setDeadlines: (running: readonly RunningDeadline[]) => void;
  readonly committed: (step: CommittedStep) => void;
  /** Called with whether the store took the last record. */
  readonly stored: (isStored: boolean) => void;
}

/** The steps of a task. A fact and all that follows from it are recorded together, or did not happen. */
export class Steps {
  readonly thread: Thread;
  snapshot: TaskSnapshot;
  documents: TaskDocuments;
  readonly #taskId: string;
  readonly #taskClass: DefinedTaskClass;
  readonly #environment: Environment;
  readonly #observer: StepObserver;
  readonly #journal: Journal;
  #actor: Rehydrated['actor'];
  /** How many documents were emitted. */
  #emitted = 0;

  constructor(
    taskId: string,
    taskClass: DefinedTaskClass,
    environment: Environment,
    { actor, documents }: Pick<Rehydrated, 'actor' | 'documents'>,
    observer: StepObserver,
  ) {
    this.#taskId = taskId;
    this.#taskClass = taskClass;
    this.#environment = environment;
    this.#observer = observer;
    this.#journal = new Journal(taskId, environment.store);
    this.thread = new Thread(taskId, taskClass, environment);
    this.#actor = actor;
    this.snapshot = actor.getSnapshot();
    this.documents = documents;
  }

  /** What was recorded of a fact that the store threw at: it wrote it, as `catchUp` saw. */
  written(fact: Fact): LedgerEntry['kind'] | null {
    return this.#journal.written(fact);
  }

  /** The hour that a record is given now: a ledger never goes back, although another process may have been ahead. */
  hour(): number {
    return Math.max(this.#environment.clock.now(), this.#journal.latest);
  }

  /** Sends a fact to the chart. Returns `false` if it is not allowed or not taken; that is recorded too. */
  async apply(fact: Fact, statement: Statement, isAllowed = true): Promise<boolean> {
    const isTaken = isAllowed && this.snapshot.status === 'active' && this.snapshot.can(fact);
    if (isTaken) this.#actor.send(fact);
    await this.commit(fact, kindOf(fact, isTaken), isTaken ? statement : refusedOf(statement));
    return isTaken;
  }

  /** Records what was sent to the chart, or what was refused. */
  async commit(fact: Fact | null, kind: LedgerEntry['kind'], statement: Statement): Promise<void> {
    if (this.#journal.omits(kind)) return;
    const { snapshot: before } = this;
    const after = this.#actor.getSnapshot();
    let record: LedgerRecord;
    let state: State;
    let duties: readonly Duty[];
    try {
      const entry = this.#entryOf({ fact, kind, ...statement }, before, after);
      duties = dutiesOf(after);
      state = this.#stateAfter(entry, before, after, duties);
      const snapshot = kind === 'fact' ? JSON.stringify(this.#actor.getPersistedSnapshot()) : null;
      const { emissions } = state;
      const consequence = {
        snapshot,
        emissions,
        spends: statement.consumedApprovals ?? [],
        key: statement.key ?? null,
        beside: this.#beside(entry, state, duties),
      };
      record = await this.#journal.append(entry, consequence);
    } catch (error) {
      this.#observer.stored(false);
      if (kind === 'fact') this.#restore(before);
      throw error;
    }
    this.#observer.stored(true);
    this.snapshot = after;
    this.documents = state.documents;
    this.#emitted += state.emissions.length;
    if (kind === 'fact') this.#observer.setDeadlines(state.deadlines);
    const { emit } = this.#environment;
    emit('record', record);
    for (const emission of state.emissions) this.thread.emit(emission, state.documents);
    if (kind === 'fact') this.#observer.committed({ record, before, after, duties });
  }

  /** Takes every document of a digest out of what is stored, and records who did it. */
  async erase(digest: string, actor: Actor): Promise<void> {
    const { snapshot, documents } = this;
    const entry = this.#entryOf({ fact: null, kind: 'erasure', actor, erased: digest }, snapshot, snapshot);
    const state = { snapshot, documents, deadlines: this.#observer.running(), emissions: [] };
    const beside = this.#beside(entry, state, dutiesOf(snapshot));
    const consequence = { snapshot: null, emissions: [], spends: [], key: null, beside };
    const record = await this.#journal.erase(entry, consequence, digest);
    this.thread.forget(digest);
    const stored = await this.#environment.store.load(this.#taskId);
    if (stored !== undefined) ({ documents: this.documents } = await rehydrate(stored)); // it stood in memory as well
    this.#environment.emit('record', record);
  }

  /** Goes on where a stored task ends. */
  goOn(
    { records, emissions, deadlines }: StoredTask,
    { actor, documents }: Pick<Rehydrated, 'actor' | 'documents'>,
  ): void {
    this.#actor = actor;
    this.snapshot = actor.getSnapshot();
    this.documents = documents;
    this.#journal.goOn(records);
    this.thread.goOn(emissions);
    this.#emitted = emissions.length;
    const timing = this.#timing(this.snapshot, documents);
    const resumed = resumedDeadlines(deadlines, this.#observer.running(), timing);
    this.#observer.setDeadlines(this.#running(resumed, dutiesOf(this.snapshot), timing));
  }

  /** Takes up what another process recorded meanwhile; `false` where there is nothing. */
  async catchUp(): Promise<boolean> {
    const { store, emit } = this.#environment;
    const [entry] = await store.standings({ taskId: this.#taskId });
    if (entry === undefined || entry.size <= this.#journal.size) return false;
    const stored = await store.load(this.#taskId);
    if (stored === undefined) return false;
    this.#observer.stored(true);
    const news = stored.records.slice(this.#journal.size);
    const documents = stored.emissions.slice(this.#emitted);
    const { snapshot: before } = this;
    const rehydrated = await rehydrate(stored);
    this.goOn({ ...stored, emissions: stored.emissions.slice(0, this.#emitted) }, rehydrated);
    this.#emitted = stored.emissions.length;
    for (const record of news) emit('record', record);
    for (const emission of documents) this.thread.emit(emission, rehydrated.documents);
    const last = news.findLast(({ kind }) => kind === 'fact');
    const { snapshot: after } = this;
    if (last !== undefined)
      this.#observer.committed({ record: last, before, after, duties: dutiesOf(after) });
    return true;
  }

  #stateAfter(entry: LedgerEntry, before: TaskSnapshot, after: TaskSnapshot, duties: readonly Duty[]): State {
    const documents = projectRecord(this.documents, before.context, after.context, entry);
    const running = this.#observer.running();
    if (entry.kind !== 'fact') return { snapshot: after, documents, deadlines: running, emissions: [] };
    const context = entry.fact === null ? null : before.context;
    const deadlines = this.#running(running, duties, this.#timing(after, documents));
    const emissions = this.thread.emissionsOf(entry, context, after.context, documents, deadlines);
    return { snapshot: after, documents, deadlines, emissions };
  }

  #timing({ context }: TaskSnapshot, documents: TaskDocuments): Timing {
    const { tools, verifiers, isOwner } = this.#environment;
    return { context, documents, taskClass: this.#taskClass, tools, verifiers, isOwner };
  }

  #running(running: readonly RunningDeadline[], duties: readonly Duty[], timing: Timing) {
    return runningDeadlines(running, duties, this.#environment.clock.read(), timing);
  }

  #beside(
    entry: LedgerEntry,
    { snapshot, documents, deadlines, emissions }: State,
    duties: readonly Duty[],
  ): StoredProjection {
    const open = this.thread.openAfter(emissions, snapshot, documents);
    return {
      standing: taskIndexEntryOf(entry, { snapshot, documents, duties, open }, this.#environment.tools),
      deadlines: storedDeadlines(deadlines),
      intents: intentsOf(snapshot.context, documents),
    };
  }

  #entryOf(draft: Parameters<typeof draftOf>[0], before: TaskSnapshot, after: TaskSnapshot): LedgerEntry {
    const hour = this.hour();
    const where = { trace_id: this.documents.traceId, timestamp: rfc3339(hour) };
    // what is projected, emitted and stored from here on cannot change any more
    const brought = broughtIn({ brought: this.#redacted(draft.brought) });
    const made = draftOf({ ...draft, brought }, { before, after }, where);
    return deepFreeze(this.#journal.place(made, this.#environment.clock.clockSkew(hour)));
  }

  #redacted({ explanation, reasons, ...brought }: Brought = {}): Brought {
    const { redact } = this.#environment;
    return {
      ...brought,
      ...(reasons && { reasons: reasons.map((reason) => recordedText(redact, reason)) }),
      ...(explanation !== undefined && { explanation: recordedText(redact, explanation) }),
    };
  }

  /** What was not recorded has not happened. */
  #restore(before: TaskSnapshot): void {
    this.#actor = createActor(taskMachine, {
      snapshot: taskMachine.getPersistedSnapshot(before),
      input: { taskClass: this.#taskClass.contract, request: before.context.request },
    }).start();
  }
}
