import type { Context } from '../../../machines/index.ts';
import type {
  OperationalState,
  UpContext,
  UpFeedback,
  UpFormatMessage,
  UpThought,
} from '../../../schema/index.ts';
import type { LedgerEntry } from '../../base/ports/ledger.ts';
import type { OpenQuestion } from '../../base/ports/open-question.ts';
import { markedLines } from '../../base/text/foreign-text.ts';
import { termsOf } from './deadlines.ts';
import type { RecordedStep } from './envelopes.ts';
import { shownOutput } from './outputs.ts';
import {
  followupQuestion,
  openQuestion,
  outputAskedAbout,
  questionKinds,
  type TermsOf,
} from './questions.ts';
import { failure, followupKey } from './settled.ts';
import { orchestratorActor } from './statement.ts';
import { contextAt } from './up-context.ts';
import { adoptsIn, asShown, type adoptsKey } from './words.ts';

/** The message key of an answer that supersedes the output or action of its target. */
export const supersedesKey = 'agentcharter:supersedes';

/** What a message says, without its sender and its place in the thread. */
export type Content = Pick<UpFormatMessage, 'state' | 'payload' | 'explanation'> &
  Partial<Pick<UpFormatMessage, 'upThought' | 'upContext' | 'upFeedback'>> & {
    readonly [followupKey]?: string;
    readonly [supersedesKey]?: string | undefined;
    readonly [adoptsKey]?: string;
  };

/** Whether a tool says with this record what it waits for; else it still waits after an answer to another. */
const isAwaited = ({ fact }: LedgerEntry): boolean => fact?.type === 'dependency.awaited';

/** Returns who sends the message of a state (UpFormat Table 1, agentId). */
export const senderOf = (
  { before, after, record, projection }: RecordedStep,
  state: Exclude<OperationalState, 'needsHumanDecision'>,
): string => {
  switch (state) {
    case 'submitted':
      return before?.request === after.request ? orchestratorActor.id : record.actor.id;
    case 'waiting':
      return isAwaited(record) ? record.actor.id : orchestratorActor.id;
    case 'cancelled':
      return record.actor.id;
    case 'completed':
      return after.followup === null ? projection.request.identity.agent_id : orchestratorActor.id;
    case 'failed':
      return record.fact?.type === 'capability.exceeded' ? record.actor.id : orchestratorActor.id;
    case 'followup':
      return orchestratorActor.id;
  }
};

/** Returns who asks a question: its raiser, the agent whose output it is about, or the orchestrator, as for a gate. */
export const askerOf = ({ record, after, projection }: RecordedStep, question: OpenQuestion): string => {
  if (questionKinds[question.kind].words === undefined) return record.actor.id;
  const output = outputAskedAbout(after, projection, question);
  return output === null || output.mediation !== undefined
    ? orchestratorActor.id
    : projection.request.identity.agent_id;
};

const settledChoice = ({ after, record, projection }: RecordedStep, how: string): Content => ({
  state: 'completed',
  [followupKey]: how,
  payload: {
    value:
      after.followup === 'chosen' && record.brought.feedback?.type !== 'approve'
        ? (record.brought.feedback?.content ?? null)
        : after.followup === 'withdrawn'
          ? null
          : projection.offer,
  },
  explanation:
    after.followup === 'defaulted'
      ? 'Nobody answered in time: the default was taken.'
      : `The refinement is ${how}.`,
});

const outputOf = ({ brought }: LedgerEntry): Omit<Content, 'state'> => {
  const { output, explanation, payload } = brought;
  return {
    payload: { ...(output?.payload ?? payload) },
    explanation: output?.explanation ?? explanation ?? '',
    ...(output?.upThought && { upThought: output.upThought }),
    ...(output?.upContext && { upContext: output.upContext }),
  };
};

/** Returns the message of a state that the step entered. */
export const stateMessage = (
  recorded: RecordedStep,
  state: Exclude<OperationalState, 'needsHumanDecision'>,
): Content => {
  const { before, after, record, projection } = recorded;
  switch (state) {
    case 'submitted': {
      const isNew = before?.request !== after.request;
      const { payload, explanation } = projection.request;
      return isNew
        ? { state, payload: { ...payload }, explanation }
        : { state, payload: {}, explanation: 'The task goes on.' };
    }
    case 'waiting':
      return {
        ...(isAwaited(record) ? outputOf(record) : { explanation: 'The task still waits.' }),
        state,
        payload: {
          dependencies: Object.entries(after.dependencies).map(([dependency, calls]) => ({
            dependency,
            calls,
          })),
        },
      };
    case 'completed': {
      if (after.followup !== null) return settledChoice(recorded, after.followup);
      const { draft } = projection;
      return {
        state,
        payload: {},
        explanation: '',
        ...(draft && { ...shownOutput(draft), ...adoptsIn(draft) }),
      };
    }
    case 'followup': {
      const output = outputOf(record);
      const question = followupQuestion(termsIn(recorded)('followup', 'followup'));
      return { ...output, state, payload: { ...asShown(output.payload), question } };
    }
    case 'failed':
    case 'cancelled':
      return { state, ...failure(after, projection) };
  }
};

const termsIn = ({ taskClass, deadlines, record }: RecordedStep): TermsOf =>
  termsOf(taskClass, deadlines, record.brought.payload);

/** Returns whether a step asked a question: it is new, or it was answered and is asked again under the same id. */
export const isAskedAnew = (before: Context | null, after: Context, id: string): boolean =>
  before?.questions[id] !== after.questions[id];

/** Returns the questions that the step asked. */
export const newQuestions = (recorded: RecordedStep): readonly OpenQuestion[] => {
  const { before, after, record, projection, policyVersion } = recorded;
  if (after.reasons.length > 0) return [];
  return Object.entries(after.questions)
    .filter(([id]) => isAskedAnew(before, after, id))
    .map(([id, question]) =>
      openQuestion(after, projection, id, question, {
        terms: termsIn(recorded)(question.kind, id),
        policyVersion,
        cause: record.brought.explanation,
      }),
    );
};

/** Returns what the arguments of the action mean that a question is about (UpFormat 2.2). */
const actionContext = (
  { projection, argumentsContext }: RecordedStep,
  { kind, about }: OpenQuestion,
): UpContext | undefined => {
  const action =
    kind === 'approval' ? Object.values(projection.calls).find(({ digest }) => digest === about) : undefined;
  const context = action && argumentsContext(action.tool);
  return context && contextAt(context, 'action.arguments');
};

/** Returns the message of a question. */
export const questionMessage = (recorded: RecordedStep, question: OpenQuestion): Content => {
  const { after, record, projection } = recorded;
  const worded =
    questionKinds[question.kind].words?.({ context: after, projection, question }) ?? outputOf(record);
  const { upThought, upContext = actionContext(recorded, question), ...wording } = worded;
  return {
    state: 'needsHumanDecision',
    ...wording,
    payload: { ...asShown(wording.payload), question },
    ...(upThought && { upThought }),
    ...(upContext && { upContext }),
  };
};

const hasReasons = ({ reasoning, questions, alternatives, assumptions }: UpThought): boolean =>
  [reasoning, questions, alternatives, assumptions].some((given = []) => given.length > 0);

/**
 * Returns the message of a plan, or of further calls, that goes on; `undefined` if a person is asked about it, or if it came without
 * reasons. What it asks blocks nothing (UpFormat 2.2).
 */
export const planMessage = (
  { after, record: { fact, brought } }: RecordedStep,
  asked: readonly OpenQuestion[],
): Content | undefined => {
  const { output } = brought;
  const isPlan = fact?.type === 'plan.proposed' || fact?.type === 'calls.proposed';
  if (!isPlan || output === undefined || !hasReasons(output.upThought)) return undefined;
  if (after.reasons.length > 0 || asked.some(({ kind }) => kind === 'plan')) return undefined;
  const { explanation, upThought } = output;
  return { state: 'submitted', payload: {}, explanation: markedLines(explanation), upThought };
};

const supersedes = ({ fact }: LedgerEntry, answered: string | undefined): string | undefined => {
  if (fact?.type !== 'human.responded' || !/^(?:plan|draft|approval):/.test(fact.question)) return undefined;
  return fact.feedback === 'approve' || fact.feedback === 'comment' ? undefined : answered;
};

/** Returns the message of an answer. */
export const answerMessage = (
  { record }: RecordedStep,
  upFeedback: UpFeedback,
  answered: string | undefined,
): Content => ({
  state: 'submitted',
  payload: {},
  explanation:
    record.fact?.type === 'deadline.passed'
      ? 'Nobody answered in time: the declared default was taken.'
      : `${record.actor.id} answers: ${upFeedback.type}.`,
  upFeedback,
  ...(supersedes(record, answered) !== undefined && { [supersedesKey]: supersedes(record, answered) }),
});

/** Returns the explanation of a message: verbatim for requests and deliveries, marked as foreign text otherwise. */
export const shownExplanation = ({
  state,
  explanation,
}: Pick<UpFormatMessage, 'state' | 'explanation'>): string =>
  state === 'submitted' || state === 'completed' ? explanation : markedLines(explanation);
