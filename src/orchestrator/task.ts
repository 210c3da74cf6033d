import { createActor, type Actor as XStateActor, type SnapshotFrom } from 'xstate';
import { dutiesOf, outcomeOf, taskMachine, type Duty, type Fact } from '../../machines/index.ts';
import type { Outcome, UpFormatMessage } from '../../schema/index.ts';
import type { DefinedTaskClass } from '../define/task-class.ts';
import { CharterError } from '../errors.ts';
import type { Emission } from '../ports/emission.ts';
import type { Actor, Brought, LedgerRecord, RequestDocument } from '../ports/ledger.ts';
import { rfc3339 } from './clock.ts';
import { runningDeadlines, type Deadline } from './deadlines.ts';
import { emissionsOf } from './documents.ts';
import { fileInto, openDossier, type Dossier } from './dossier.ts';
import type { Environment } from './environment.ts';
import type { OpenQuestion } from './questions.ts';

export type TaskSnapshot = SnapshotFrom<typeof taskMachine>;

/** Who states a fact, and what it brings beside itself. */
export interface Statement {
  readonly actor: Actor;
  readonly brought?: Brought;
}

/** The orchestrator itself, when it is the one who acts. */
export const orchestratorActor: Actor = { kind: 'system', id: 'agentcharter' };

const lateFacts: ReadonlySet<Fact['type']> = new Set([
  'call.succeeded',
  'call.failed',
  'call.doubted',
  'policy.decided',
  'verifier.reported',
  'rollback.succeeded',
  'rollback.failed',
] satisfies Fact['type'][]);

/** A snapshot's state as one word: `submitted.execute.calling`. */
export const stateName = (value: TaskSnapshot['value']): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value)
        .map(([key, inner]) =>
          inner === undefined ? key : `${key}.${stateName(inner as TaskSnapshot['value'])}`,
        )
        .join('+');

const factOutcome = (fact: Fact | null, snapshot: TaskSnapshot): Outcome => {
  switch (fact?.type) {
    case 'call.succeeded':
    case 'rollback.succeeded':
      return 'success';
    case 'call.failed':
    case 'call.refused':
    case 'rollback.failed':
      return 'failure';
    case 'call.doubted':
      return 'uncertain';
    case 'verifier.reported':
      return fact.status === 'pass' ? 'success' : 'failure';
    default:
      return outcomeOf(snapshot.context);
  }
};

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

  constructor(
    taskId: string,
    request: RequestDocument,
    taskClass: DefinedTaskClass,
    environment: Environment,
  ) {
    this.taskId = taskId;
    this.taskClass = taskClass;
    this.#environment = environment;
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
  begin(actor: Actor): Promise<boolean> {
    return this.#queue(() => this.#commit(null, { actor, brought: { request: this.dossier.request } }, null));
  }

  /** Records a fact; `false` where the chart does not take it, which is recorded too and changes nothing. */
  state(fact: Fact, statement: Statement): Promise<boolean> {
    return this.#queue(async () => {
      await this.#passDeadlines();
      return this.#apply(fact, statement);
    });
  }

  close(): void {
    this.#cancelWake();
  }

  #queue<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#tail.then(work);
    this.#tail = next.catch(() => {});
    return next;
  }

  async #passDeadlines(): Promise<void> {
    const now = this.#environment.clock.now();
    for (;;) {
      const [first] = this.#deadlines;
      if (first === undefined || first.at > now) return;
      this.#deadlines = this.#deadlines.slice(1);
      await this.#apply(
        { type: 'deadline.passed', of: first.of, id: first.id },
        { actor: orchestratorActor },
      );
    }
  }

  async #apply(fact: Fact, statement: Statement): Promise<boolean> {
    const before = this.snapshot;
    if (before.status !== 'active' || !before.can(fact)) {
      await this.#commit(fact, statement, lateFacts.has(fact.type) ? 'orphan' : 'refusal');
      return false;
    }
    this.#actor.send(fact);
    return this.#commit(fact, statement, null);
  }

  async #commit(
    fact: Fact | null,
    { actor, brought = {} }: Statement,
    kept: 'orphan' | 'refusal' | null,
  ): Promise<boolean> {
    const before = this.snapshot;
    const after = this.#actor.getSnapshot();
    const record: LedgerRecord = {
      seq: this.#seq,
      taskId: this.taskId,
      kind: kept ?? 'fact',
      request_id: after.context.request,
      trace_id: this.dossier.traceId,
      timestamp: rfc3339(this.#environment.clock.now()),
      actor,
      outcome: kept === null ? factOutcome(fact, after) : 'failure',
      from: stateName(before.value),
      to: stateName(after.value),
      fact,
      brought,
    };
    const dossier =
      kept === null ? fileInto(this.dossier, before.context, after.context, record) : this.dossier;
    const emissions =
      kept === null
        ? emissionsOf({
            before: fact === null ? null : before.context,
            after: after.context,
            record,
            dossier,
            uuid: this.#environment.ids.uuid,
            last: this.messages.at(-1)?.messageId ?? this.dossier.request.parentMessageId,
            answered: this.#answered(fact),
          })
        : [];
    const snapshot = kept === null ? JSON.stringify(this.#actor.getPersistedSnapshot()) : null;
    await this.#store(record, snapshot, emissions, before);
    this.#seq += 1;
    if (kept === null) {
      this.snapshot = after;
      this.dossier = dossier;
      this.#advance(record, emissions);
    } else this.#environment.emit('record', record);
    return kept === null;
  }

  async #store(
    record: LedgerRecord,
    snapshot: string | null,
    emissions: readonly Emission[],
    before: TaskSnapshot,
  ): Promise<void> {
    const { store } = this.#environment;
    try {
      if ((await store.commit({ taskId: this.taskId, record, snapshot, emissions })) === 'ok') return;
    } catch (error) {
      this.#restore(before);
      throw error;
    }
    this.#restore(before);
    throw new CharterError('store_conflict', `task ${this.taskId} moved on: record ${record.seq} is taken`, {
      taskId: this.taskId,
      expected: record.seq,
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
    if (fact?.type !== 'human.responded' && fact?.type !== 'changes.requested') return undefined;
    const id = fact.type === 'human.responded' ? fact.question : 'followup';
    return [...this.asked].findLast(([, question]) => question.id === id)?.[0];
  }

  #advance(record: LedgerRecord, emissions: readonly Emission[]): void {
    const { clock, emit, tools } = this.#environment;
    const duties = this.duties();
    this.#deadlines = runningDeadlines(this.#deadlines, duties, clock.now(), this.taskClass, (id) => {
      const tool = this.dossier.calls[id]?.tool;
      return tool === undefined ? null : (tools.get(tool)?.deadline ?? null);
    });
    this.#cancelWake();
    const [next] = this.#deadlines;
    if (next !== undefined) this.#cancelWake = clock.wakeAt(next.at, () => this.#wake());
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

  #wake(): void {
    this.#queue(() => this.#passDeadlines()).catch((error: unknown) =>
      this.#environment.emit('error', { taskId: this.taskId, error }),
    );
  }
}
