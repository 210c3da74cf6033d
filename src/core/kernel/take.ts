import type { Context, Fact } from '../../../machines/index.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import type { LedgerEntry, RequestDocument } from '../../base/ports/ledger.ts';
import type { Deadline, StoredTask } from '../../base/ports/store.ts';
import type { Tool } from '../../base/ports/tool.ts';
import type { Verifier } from '../../base/ports/verifier.ts';
import { begin, chartedIn, next, type Charted, type TaskSnapshot } from './chart.ts';
import {
  resumedDeadlines,
  runningDeadlines,
  withFullTime,
  withoutTime,
  type RunningDeadline,
  type Timing,
} from './deadlines.ts';
import { emissionsOf, receivedIn } from './documents.ts';
import { entryOf } from './entry.ts';
import { integrityFault } from './evidence-integrity.ts';
import { isAskedAnew } from './messages.ts';
import { rfc3339, type Now } from './now.ts';
import { project } from './projection/project.ts';
import { emptyProjection } from './projection/projection.ts';
import {
  headOf,
  noRecords,
  omitRefusal,
  recordTime,
  sealedStep,
  type Head,
  type SealedStep,
} from './seal.ts';
import { isSnapshotTaken, snapshotText } from './snapshot.ts';
import { refusalOf, refusedKind, type Statement } from './statement.ts';
import type { ContextOf } from './up-context.ts';
import { isTurn, storedProjectionOf, viewOf, type TaskView } from './view.ts';

/** A task as one frozen value: all that its records have led to. */
export interface TaskState {
  readonly view: TaskView;
  readonly head: Head;
  /** Those that run, earliest first. */
  readonly deadlines: readonly RunningDeadline[];
}

/** What a process takes a statement with. */
export interface Terms {
  readonly now: Now;
  readonly uuid: () => string;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly verifiers: ReadonlyMap<string, Verifier>;
  readonly policyVersion: string | null;
  /** Whether the process performs and times the work of the task. */
  readonly isOwner: boolean;
  readonly contextOf: ContextOf;
}

/** What follows from a statement. The task is as it says once the step is stored. */
export interface Followed {
  readonly task: TaskState;
  /** `null` for a refusal that is one too many to record: only the task changes. */
  readonly step: SealedStep | null;
}

export interface Taken extends Followed {
  /** Whether the chart accepted the fact. */
  readonly isTaken: boolean;
}

const stateOf = ({ view, head, deadlines }: TaskState): TaskState => {
  for (const part of [view, view.context, view.projection, head, deadlines]) Object.freeze(part);
  return Object.freeze({ view, head, deadlines });
};

/** Returns a task that has no records yet. */
export const unopened = (
  of: { readonly taskId: string; readonly taskClass: DefinedTaskClass },
  { request, traceId, requestId }: { request: RequestDocument; traceId: string; requestId: string },
  { tools }: Pick<Terms, 'tools'>,
): TaskState => {
  const charted = chartedIn(begin(of.taskClass.contract, requestId));
  const view = viewOf({ ...of, tools }, charted, emptyProjection(request, traceId));
  return stateOf({ view, head: noRecords, deadlines: [] });
};

const timingOf = (
  { taskClass }: TaskView,
  { snapshot: { context } }: Pick<Charted, 'snapshot'>,
  projection: TaskView['projection'],
  { tools, verifiers, isOwner }: Pick<Terms, 'tools' | 'verifiers' | 'isOwner'>,
): Timing => ({ context, projection, taskClass, tools, verifiers, isOwner });

/** Returns a task that continues from what is stored; work of this process keeps its time. */
export const resumed = (
  { records, emissions, deadlines }: StoredTask,
  { snapshot, projection }: { readonly snapshot: TaskSnapshot; readonly projection: TaskView['projection'] },
  { taskId, taskClass }: Pick<TaskView, 'taskId' | 'taskClass'>,
  running: TaskState['deadlines'],
  terms: Pick<Terms, 'now' | 'tools' | 'verifiers' | 'isOwner'> & Required<Pick<Timing, 'quarantineOf'>>,
): TaskState => {
  const { tools, now, quarantineOf } = terms;
  const view = viewOf({ taskId, taskClass, tools }, chartedIn(snapshot), projection);
  const timing = { ...timingOf(view, view, projection, terms), quarantineOf };
  const kept = resumedDeadlines(deadlines, running, timing);
  return stateOf({
    view,
    head: headOf(records, emissions.length),
    deadlines: runningDeadlines(kept, view.duties, now, timing),
  });
};

/** Returns a task in which one kind of work is not timed: it is held back. */
export const suspended = (task: TaskState, of: Pick<Deadline, 'of' | 'id'>): TaskState =>
  stateOf({ ...task, deadlines: withoutTime(task.deadlines, of) });

/** Returns a task in which held work has its full time again. */
export const restarted = (
  task: TaskState,
  of: Pick<Deadline, 'of' | 'id'>,
  terms: Pick<Terms, 'now' | 'tools' | 'verifiers' | 'isOwner'>,
): TaskState => {
  const { view } = task;
  const timing = timingOf(view, view, view.projection, terms);
  return stateOf({ ...task, deadlines: withFullTime(task.deadlines, of, terms.now, timing) });
};

/** Returns whether a fact relies on evidence or a draft, whose documents are checked first. */
const restsOnDocuments = (fact: Fact, { draft }: Context): boolean =>
  draft !== null ||
  fact.type === 'call.started' ||
  fact.type === 'draft.proposed' ||
  (fact.type === 'human.responded' && fact.draft !== undefined);

/**
 * Returns the fault of the documents that a fact relies on, against their digests; the run fails by it (UAICP 5.1). Another
 * clock may be ahead by `skew` milliseconds.
 */
export const documentFault = (
  { view: { context, projection }, head }: TaskState,
  fact: Fact,
  { brought }: Statement,
  { now, skew }: Pick<Terms, 'now'> & { readonly skew: number },
): ReturnType<typeof integrityFault> => {
  if (context.outcome !== null || context.reasons.length > 0 || !restsOnDocuments(fact, context)) return null;
  return integrityFault(context, projection, { fact, brought }, { now: recordTime(head, now), skew });
};

const noApprovals: SealedStep['consumedApprovals'] = Object.freeze([]);

/** What a record is made of: a fact, its chart afterwards, and what was said with it. */
interface Said extends Statement {
  readonly kind: LedgerEntry['kind'];
  readonly fact: Fact | null;
  readonly charted: Charted;
  readonly erased?: string;
}

const entryIn = (
  { view: { taskId, state: from, projection }, head }: TaskState,
  { kind, fact, actor, brought = {}, code, erased, charted }: Said,
  { now }: Terms,
): LedgerEntry => {
  const at = recordTime(head, now);
  return entryOf({
    seq: head.size,
    taskId,
    trace_id: projection.traceId,
    timestamp: rfc3339(at),
    fact,
    kind,
    actor,
    brought,
    code: code ?? null,
    erased: erased ?? null,
    omitted: head.omitted,
    behind: Math.max(0, at - now.present),
    request: charted.snapshot.context.request,
    from: brought.upgrade?.from.state ?? from,
    to: charted.state,
    run: charted.outcome,
  });
};

/** Returns the deadlines after a fact: those that still run, without one that passed or whose question is new. */
const stillRunning = (
  running: readonly RunningDeadline[],
  fact: Fact | null,
  before: Context,
  after: Context,
) =>
  running.filter(
    ({ of, id }) =>
      !(fact?.type === 'deadline.passed' && fact.of === of && fact.id === id) &&
      (of !== 'question' || fact === null || !isAskedAnew(before, after, id)),
  );

/** Returns the snapshot that is recorded with a step; `null` for none. */
const snapshotOf = (
  { context }: TaskView,
  { kind, fact, charted: { snapshot, duties } }: Said,
): string | null => {
  if (kind !== 'fact' && kind !== 'upgrade') return null;
  const isRecorded = fact === null || isSnapshotTaken(context, snapshot.context, duties);
  return isRecorded ? snapshotText(snapshot) : null;
};

/** Returns what follows from a record: its documents, the deadlines after it, and the task. */
const written = (before: TaskState, said: Said, terms: Terms): Followed => {
  const entry = entryIn(before, said, terms);
  const { view, deadlines } = before;
  const { fact, kind, charted } = said;
  const of = { taskId: view.taskId, taskClass: view.taskClass, tools: terms.tools };
  const { context } = charted.snapshot;
  const projected = project(view.projection, { before: view.context, after: context, record: entry });
  const still = stillRunning(deadlines, fact, view.context, context);
  const running =
    kind === 'fact'
      ? runningDeadlines(still, charted.duties, terms.now, timingOf(view, charted, projected, terms))
      : still;
  const { emissions, projection } =
    kind === 'fact'
      ? emissionsOf({
          before: fact === null ? null : view.context,
          after: context,
          record: entry,
          projection: projected,
          taskClass: of.taskClass,
          argumentsContext: (tool) => terms.contextOf(of.tools.get(tool)?.input),
          deadlines: running,
          uuid: terms.uuid,
          policyVersion: terms.policyVersion,
        })
      : receivedIn(entry, projected);
  const after = viewOf(of, charted, projection);
  const { step, head } = sealedStep(before.head, entry, {
    snapshot: snapshotOf(view, said),
    emissions,
    consumedApprovals: said.consumedApprovals ?? noApprovals,
    key: said.key ?? null,
    beside: storedProjectionOf(entry, after, running),
    isTurn: isTurn(after),
  });
  return { task: stateOf({ view: after, head, deadlines: running }), step };
};

/** Returns what follows from a refusal that is one too many to record; `null` for what is recorded. */
const omitted = (before: TaskState, kind: LedgerEntry['kind'], fact: Fact | null): Followed | null => {
  const head = kind === 'refusal' ? omitRefusal(before.head) : null;
  const { context } = before.view;
  const deadlines = stillRunning(before.deadlines, fact, context, context);
  return head && { task: stateOf({ ...before, head, deadlines }), step: null };
};

/** A fact that is not allowed or not accepted, as it is recorded: too late, or refused. */
const refused = (before: TaskState, fact: Fact, statement: Statement, terms: Terms): Followed => {
  const kind = refusedKind(fact);
  const said = { ...refusalOf(statement), kind, fact, charted: before.view };
  return omitted(before, kind, fact) ?? written(before, said, terms);
};

/** Takes a fact, or refuses it: both are recorded, but for refusals beyond a hundred in a row. */
export const take = (
  before: TaskState,
  fact: Fact,
  statement: Statement,
  terms: Terms,
  isAllowed = true,
): Taken => {
  const { snapshot } = before.view;
  const after = isAllowed ? next(snapshot, fact) : snapshot;
  return after === snapshot
    ? { ...refused(before, fact, statement, terms), isTaken: false }
    : {
        ...written(before, { ...statement, kind: 'fact', fact, charted: chartedIn(after) }, terms),
        isTaken: true,
      };
};

/** Takes an outcome that came too late to count, or the rollback of a late write. */
export const takeLate = (before: TaskState, fact: Fact, statement: Statement, terms: Terms): Followed =>
  written(before, { ...statement, kind: 'orphan', fact, charted: before.view }, terms);

/** Takes what changes no state of the chart: its opening, what an agent or another participant sent, or an erasure. */
export const note = (
  before: TaskState,
  kind: Exclude<LedgerEntry['kind'], 'orphan'>,
  statement: Statement & { readonly erased?: string },
  terms: Terms,
): Followed =>
  omitted(before, kind, null) ??
  written(before, { ...statement, kind, fact: null, charted: before.view }, terms);
