import { chartVersion, isRecoverable, type Context, type Duty } from '../../../machines/index.ts';
import type { EvidenceObject, UpFormatMessage } from '../../../schema/index.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import { messageIdOf } from '../../base/feedback/target.ts';
import { rankOf } from '../../base/feedback/weight.ts';
import type { Actor, CallDocument, LedgerEntry } from '../../base/ports/ledger.ts';
import type { OpenQuestion } from '../../base/ports/open-question.ts';
import type { Deadline, Intent } from '../../base/ports/store.ts';
import type { Tool } from '../../base/ports/tool.ts';
import type { Charted } from './chart.ts';
import type { Projection } from './projection/projection.ts';
import type { Begun } from './projection/writes.ts';
import type { StoredProjection } from './seal.ts';
import type { InboxEntry, StoredSummary, TaskSummary } from './summary.ts';

/** A child whose end is not yet in its parent's ledger, with its identifier. */
export type UnreportedChild = readonly [taskId: string, begun: Begun];

/** A task after a step, as data: computed once a step, and read by performers, answers and lists. Guards of the chart read `runOf`. */
export interface TaskView extends Charted {
  readonly taskId: string;
  readonly taskClass: DefinedTaskClass;
  readonly context: Context;
  readonly projection: Projection;
  /** The agent that the model acts as. */
  readonly agent: Actor;
  /** The tools that the task may call: those of its definition that the stricter task class allows. */
  readonly allowed: readonly string[];
  /** The evidence of the calls of this attempt, including writes that earlier attempts committed. */
  readonly evidence: readonly EvidenceObject[];
  /** The duties of the orchestrator, by a key under which each is performed once at a time. */
  readonly due: ReadonlyMap<string, Duty>;
  readonly unreported: readonly UnreportedChild[];
  /** Whether the task waits for its orchestrator, not only for people, others and time. */
  readonly isOwed: boolean;
  readonly isSettled: boolean;
}

/** The inputs of a view. */
export interface ViewPorts {
  readonly taskId: string;
  readonly taskClass: DefinedTaskClass;
  readonly tools: ReadonlyMap<string, Tool>;
}
type Tools = Pick<ViewPorts, 'tools'>;

/** Returns the idempotency key of a rollback, which differs from that of its effect. */
export const rollbackKey = (digest: string): string => `rollback:${digest}`;

/** Returns whether a write is a task that is undone through its own ledger, because its tool declares no rollback. */
export const isUndoneByLedger = (tool: Tool | undefined): boolean => tool?.child?.undo === 'ledger';

/** Returns whether a person undoes a write, as was described before it. */
export const isUndoneByHand = (call: CallDocument | undefined): boolean => call?.rollback?.type === 'manual';

/** Returns whether a dependency is a task of this orchestrator, which reports its own end. */
export const isChild = ({ dependencies, calls }: Context, dependency: string, { tools }: Tools): boolean =>
  Object.hasOwn(dependencies, dependency) &&
  (dependencies[dependency] ?? []).some((call) => tools.get(calls[call]?.tool ?? '')?.child !== undefined);

/** Returns whether a question is about an effect in doubt that its tool can resolve without a person. */
const mayResolve = (context: Context, question: string, { tools }: Tools): boolean => {
  const { questions, calls } = context;
  const { kind, about } = questions[question] ?? {};
  const call = kind === 'doubt' && about !== undefined ? calls[about] : undefined;
  return call !== undefined && (tools.get(call.tool)?.doubt ?? 'unsafe') !== 'unsafe';
};

/** Returns the key of a call in an attempt; it is the same before and after the intent. */
export const callKey = ({ request, attempt }: Context, call: string): string =>
  `${request} ${attempt} call ${call}`;

/** Returns the key of the look-up of an effect in doubt. */
export const resolveKey = ({ request, attempt }: Context, question: string): string =>
  `${request} ${attempt} resolve ${question}`;

/** Returns the key under which a duty is performed once at a time; `null` if it is not the orchestrator's. */
const nameOf = (duty: Duty, context: Context, tools: Tools): string | null => {
  const { request, attempt, counters, calls } = context;
  const run = `${request} ${attempt}`;
  switch (duty.kind) {
    case 'call':
    case 'observe':
      return callKey(context, duty.call);
    case 'decide':
      return `${run} decide ${calls[duty.call]?.digest ?? duty.call}`;
    case 'verify':
      return `${run} verify ${duty.verifier} ${duty.of} ${duty.evidence}`;
    case 'undo':
      return `${run} undo ${duty.digest}`;
    case 'accept':
    case 'propose':
    case 'correct':
    case 'conclude':
    case 'offer':
      return `${run} ${duty.kind} ${Object.values(counters).join('.')}`;
    case 'ask':
      return mayResolve(context, duty.question, tools) ? resolveKey(context, duty.question) : null;
    case 'await':
    case 'refine':
    case 'wake':
      return null;
  }
};

/** Returns whether a duty waits for the orchestrator: a recovery does until its limit is reached. */
const isOwn = (duty: Duty, context: Context): boolean =>
  duty.kind !== 'ask' ||
  isRecoverable(context, 'call', context.calls[context.questions[duty.question]?.about ?? '']?.digest ?? '');

/** Returns the evidence of the calls of this attempt, including writes that earlier attempts committed. */
export const currentEvidence = (
  { calls }: Pick<Context, 'calls'>,
  { evidence: held }: Pick<Projection, 'evidence'>,
): readonly EvidenceObject[] =>
  Object.values(calls).flatMap(({ evidence }) => {
    const found = evidence === null ? undefined : held[evidence.id];
    return found === undefined ? [] : [found];
  });

/** Returns the view of a task. */
export const viewOf = (
  { taskId, taskClass, tools }: ViewPorts,
  { snapshot, state, outcome, duties }: Charted,
  projection: Projection,
): TaskView => {
  const { context } = snapshot;
  const due = new Map<string, Duty>();
  for (const duty of duties) {
    const name = nameOf(duty, context, { tools });
    if (name !== null) due.set(name, duty);
  }
  const unreported = Object.entries(projection.begun).filter(
    ([, { isReported, tool }]) => !isReported && tools.get(tool)?.child !== undefined,
  );
  const isOwed =
    [...due.values()].some((duty) => isOwn(duty, context)) ||
    unreported.length > 0 ||
    projection.lateWrites.length > 0 ||
    duties.some((duty) => duty.kind === 'await' && isChild(context, duty.dependency, { tools }));
  const isSettled = snapshot.hasTag('settled');
  const { tools: inForce } = context.taskClass;
  const allowed = taskClass.tools.filter((name) => inForce?.includes(name) ?? true);
  const agent = { kind: 'agent', id: projection.request.identity.agent_id } as const;
  const evidence = currentEvidence(context, projection);
  return {
    taskId,
    taskClass,
    snapshot,
    state,
    outcome,
    context,
    projection,
    agent,
    allowed,
    evidence,
    duties,
    due,
    unreported,
    isOwed,
    isSettled,
  };
};

/** Returns whether the agent of a task must take a turn or perform a call, and nothing else can be done for it. */
export const isTurn = ({ due, unreported, projection }: TaskView): boolean =>
  due.size > 0 &&
  [...due.values()].every((duty) =>
    duty.kind === 'call'
      ? projection.calls[duty.call]?.performs !== undefined
      : duty.kind === 'propose' || duty.kind === 'correct' || duty.kind === 'conclude',
  ) &&
  unreported.length === 0 &&
  projection.lateWrites.length === 0;

/** Returns the tasks that enclose a task, outermost first, and the task itself. */
export const pathOf = (
  taskId: string,
  { request: { parent } }: Pick<Projection, 'request'>,
): readonly string[] => [...(parent?.path ?? []), taskId];

/** Returns the summary of a task. */
export const summaryOf = ({
  taskId,
  state,
  outcome,
  context,
  projection,
  isSettled,
}: Pick<TaskView, 'taskId' | 'state' | 'outcome' | 'context' | 'projection' | 'isSettled'>): TaskSummary => ({
  taskId,
  threadId: projection.request.threadId,
  taskClass: projection.request.taskClass,
  state,
  outcome,
  reasons: context.reasons,
  isSettled,
});

/** Returns whether a question waits for an answer; a failing run asks no one. */
export const isAsked = (
  { snapshot: { value }, context }: Pick<TaskView, 'snapshot' | 'context'>,
  { id, kind }: Pick<OpenQuestion, 'id' | 'kind'>,
): boolean =>
  kind === 'followup'
    ? value === 'followup'
    : context.reasons.length === 0 && Object.hasOwn(context.questions, id);

/** Returns whether the question of this message is open; if it was asked again, only the last message is. */
export const isOpen = (view: TaskView, messageId: string, question: OpenQuestion): boolean =>
  isAsked(view, question) &&
  view.projection.asked.findLast((one) => one.question.id === question.id)?.message.messageId === messageId;

/** Returns the severity and the priority of a question from the last comments on its message. */
const weightOf = (
  messages: readonly UpFormatMessage[],
  asking: string,
): Pick<InboxEntry, 'severity' | 'priority'> => {
  const comments = messages.flatMap(({ upFeedback }) =>
    upFeedback !== undefined && messageIdOf(upFeedback) === asking ? [upFeedback.metadata ?? {}] : [],
  );
  const severity = comments.findLast((metadata) => metadata.severity !== undefined)?.severity;
  const priority = comments.findLast((metadata) => metadata.priority !== undefined)?.priority;
  return { ...(severity !== undefined && { severity }), ...(priority !== undefined && { priority }) };
};

/** Returns the open questions of a task for the inbox. */
const openIn = (view: TaskView): readonly InboxEntry[] => {
  const { taskId, snapshot, context, projection } = view;
  if (snapshot.value !== 'followup' && Object.keys(context.questions).length === 0) return [];
  const { asked, messages } = projection;
  const isLast = ({ question }: Projection['asked'][number], at: number): boolean =>
    asked.findLastIndex((one) => one.question.id === question.id) === at;
  return asked
    .filter((one, at) => isLast(one, at) && isAsked(view, one.question))
    .map((one) => ({
      taskId,
      path: pathOf(taskId, projection),
      ...one,
      ...weightOf(messages, one.message.messageId),
    }));
};

/** Returns the effects that have begun and have no outcome yet. */
export const intentsIn = ({
  context: { calls, effects },
  projection,
  isSettled,
}: TaskView): readonly Intent[] => {
  // a read that a task gave up leaves nothing in doubt, and a task does not settle while it writes
  const begun = isSettled ? [] : Object.values(calls).filter(({ status }) => status === 'started');
  const undoing = [
    ...effects.filter(({ status }) => status === 'undoing'),
    ...projection.lateWrites.flatMap(({ digest, call, status }) =>
      status === 'undoing' ? [{ digest, tool: call?.tool ?? '' }] : [],
    ),
  ];
  return [
    ...begun.map(({ digest, tool }) => ({ kind: 'call' as const, key: digest, tool })),
    ...undoing.map(({ digest, tool }) => ({ kind: 'rollback' as const, key: rollbackKey(digest), tool })),
  ];
};

/** Returns deadlines for the store, without the data of this process. */
export const storedDeadlines = (running: readonly Deadline[]): readonly Deadline[] =>
  running.map(({ of, id, at }) => ({ of, id, at }));

/** Returns the data that is stored with a record: index entry, deadlines and intents. */
export const storedProjectionOf = (
  { taskId, seq, timestamp }: LedgerEntry,
  view: TaskView,
  running: readonly Deadline[],
): StoredProjection => {
  const { isOwed, isSettled } = view;
  const { request } = view.projection;
  const open = openIn(view);
  const stored: StoredSummary = { summary: summaryOf(view), open, chart: chartVersion };
  return {
    indexEntry: {
      taskId,
      threadId: request.threadId,
      parent: request.parent?.path.at(-1) ?? null,
      size: seq + 1,
      at: Date.parse(timestamp),
      isSettled,
      isOwed,
      asking: open.length,
      awaits: view.duties.filter(({ kind }) => kind === 'await').length,
      rank: open.map(rankOf).toSorted()[0] ?? '',
      chart: chartVersion,
      summary: JSON.stringify(stored),
    },
    deadlines: storedDeadlines(running),
    intents: intentsIn(view),
  };
};
