import { occasionsOf, type Context, type Occasion } from '../../machines/index.ts';
import type { MessageEnvelope, OperationalState, UpFeedback, UpFormatMessage } from '../../schema/index.ts';
import { markedLines } from '../boundary/foreign-text.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { digest } from '../canonical/digest.ts';
import type { DefinedTaskClass } from '../define/task-class.ts';
import type { Emission } from '../ports/emission.ts';
import type { ApprovalDocument, LedgerEntry } from '../ports/ledger.ts';
import type { Deadline } from '../ports/store.ts';
import type { Projection } from '../ledger/projection/projection.ts';
import { answeredMessage, projectEmissions } from '../ledger/projection/project.ts';
import { termsOf } from './deadlines.ts';
import { shownOutput } from './outputs.ts';
import { failure, followupKey } from './settled.ts';
import type { OpenQuestion } from '../ports/open-question.ts';
import { followupQuestion, openQuestion, wordingOf, type TermsOf } from './questions.ts';

/** A recorded step, with the data for its documents. */
export interface RecordedStep {
  readonly before: Context | null;
  readonly after: Context;
  readonly record: LedgerEntry;
  readonly projection: Projection;
  readonly taskClass: Pick<DefinedTaskClass, 'defaults'>;
  /** The deadlines that run after the step. */
  readonly deadlines: readonly Deadline[];
  readonly uuid: () => string;
  readonly policyVersion: string | null;
}

/** The version of UAICP that envelopes name. */
export const uaicpVersion = '0.3';

/** The message key of an answer that supersedes the output or action of its target. */
export const supersedesKey = 'agentcharter:supersedes';

type Content = Pick<UpFormatMessage, 'state' | 'payload' | 'explanation'> &
  Partial<Pick<UpFormatMessage, 'upThought' | 'upContext' | 'upFeedback' | 'agentId'>> & {
    readonly [followupKey]?: string;
    readonly [supersedesKey]?: string | undefined;
  };

const envelope = (
  { record, projection }: RecordedStep,
  given: Pick<MessageEnvelope, 'state' | 'outcome'> & Partial<Pick<MessageEnvelope, 'rollback_action'>>,
  metadata: Record<string, unknown>,
): Emission => {
  const { parentTraceId, identity } = projection.request;
  const { state, outcome, ...rollback } = given;
  const document: MessageEnvelope = {
    uaicp_version: uaicpVersion,
    request_id: record.request_id,
    trace_id: record.trace_id,
    ...(parentTraceId !== undefined && { parent_trace_id: parentTraceId }),
    state,
    timestamp: record.timestamp,
    identity,
    outcome,
    ...rollback,
    metadata: { 'agentcharter:taskId': record.taskId, ...metadata },
  };
  return { name: 'MessageEnvelope', document };
};

/** Returns the log entry of a repair: its number, limit and cause (UAICP 4.1). */
const repairIn = ({ before, after }: RecordedStep): Record<string, unknown> => {
  const { counters, taskClass, unmet } = after;
  if (before === null || counters.repairs <= before.counters.repairs) return {};
  const cause = unmet.map((violation) => ({ ...violation }));
  return { 'agentcharter:repair': { number: counters.repairs, limit: taskClass.limits.repairs, cause } };
};

const phaseEnvelope = (recorded: RecordedStep, occasion: Extract<Occasion, { kind: 'envelope' }>): Emission =>
  envelope(
    recorded,
    { state: occasion.phase, outcome: occasion.outcome },
    {
      'agentcharter:attempt': recorded.after.attempt,
      ...repairIn(recorded),
      ...(occasion.reasonCodes.length > 0 && {
        'agentcharter:reasonCodes': occasion.reasonCodes,
        'agentcharter:missingEvidence': occasion.missingEvidence,
      }),
    },
  );

/**
 * Returns the envelope of a call, emitted with the intent, so that the rollback is recorded before the effect (UAICP
 * 5.3).
 */
const callEnvelope = (recorded: RecordedStep, id: string): Emission => {
  const call = recorded.projection.calls[id];
  return envelope(
    recorded,
    { state: 'execute', outcome: 'pending', ...(call?.rollback && { rollback_action: call.rollback }) },
    {
      'agentcharter:attempt': recorded.after.attempt,
      'agentcharter:call': { id, tool: call?.tool, version: call?.version, digest: call?.digest },
    },
  );
};

/** Returns an accepted approval as evidence for UAICP 5.3 only, never as a tool's result. */
const approvalEvidence = (
  { record, uuid, projection: { request } }: RecordedStep,
  approval: ApprovalDocument,
): Emission => ({
  name: 'EvidenceObject',
  document: {
    evidence_id: uuid(),
    evidence_type: 'approval_token',
    source: approval.approver,
    actor: approval.approver,
    request_id: record.request_id,
    trace_id: record.trace_id,
    ...(request.parentTraceId !== undefined && { parent_trace_id: request.parentTraceId }),
    hash: digest(approval, 'approval'),
    collected_at: record.timestamp,
    payload: { ...approval },
  },
});

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

const stateMessage = (
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
        ...outputOf(record),
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
      return { state, payload: {}, explanation: '', ...(projection.draft && shownOutput(projection.draft)) };
    }
    case 'followup': {
      const output = outputOf(record);
      const question = followupQuestion(termsIn(recorded)('followup', 'followup'));
      return { ...output, state, payload: { ...output.payload, question } };
    }
    case 'failed':
    case 'cancelled':
      return { state, ...failure(after, projection) };
  }
};

const termsIn = ({ taskClass, deadlines, record }: RecordedStep): TermsOf =>
  termsOf(taskClass, deadlines, record.brought.payload);

const newQuestions = (recorded: RecordedStep): readonly OpenQuestion[] => {
  const { before, after, record, projection, policyVersion } = recorded;
  if (after.reasons.length > 0) return [];
  return Object.entries(after.questions)
    .filter(([id]) => before?.questions[id] === undefined)
    .map(([id, question]) =>
      openQuestion(after, projection, id, question, {
        terms: termsIn(recorded)(question.kind, id),
        policyVersion,
        cause: record.brought.explanation,
      }),
    );
};

const questionMessage = ({ after, record, projection }: RecordedStep, question: OpenQuestion): Content => {
  const isRaised = question.kind === 'information' || question.kind === 'help' || question.kind === 'tool';
  const { upThought, upContext, ...wording } = isRaised
    ? outputOf(record)
    : wordingOf(question, after, projection);
  return {
    state: 'needsHumanDecision',
    ...wording,
    payload: { ...wording.payload, question },
    ...(upThought && { upThought }),
    ...(upContext && { upContext }),
  };
};

const supersedes = ({ fact }: LedgerEntry, answered: string | undefined): string | undefined => {
  if (fact?.type !== 'human.responded' || !/^(?:plan|draft|approval):/.test(fact.question)) return undefined;
  return fact.feedback === 'approve' || fact.feedback === 'comment' ? undefined : answered;
};

const answerMessage = (
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
  agentId: record.actor.id,
  ...(supersedes(record, answered) !== undefined && { [supersedesKey]: supersedes(record, answered) }),
});

/** Returns the explanation of a message: verbatim for requests and deliveries, marked as foreign text otherwise. */
const shownExplanation = ({ state, explanation }: Pick<UpFormatMessage, 'state' | 'explanation'>): string =>
  state === 'submitted' || state === 'completed' ? explanation : markedLines(explanation);

/** Returns the documents that one step emits, in order, and the projection with them. */
export const emissionsOf = (
  recorded: RecordedStep,
): { readonly emissions: readonly Emission[]; readonly projection: Projection } => {
  const { record, projection } = recorded;
  const emissions: Emission[] = [];
  let last = projection.messages.at(-1)?.messageId ?? projection.request.parentMessageId;
  let hasMessage = false;
  const emit = (content: Content, parent = last): void => {
    const { agentId = projection.request.identity.agent_id, state, payload, ...further } = content;
    const { explanation: _explanation, upThought, upFeedback, upContext, ...extensions } = further;
    const document: UpFormatMessage = {
      messageId: recorded.uuid(),
      threadId: projection.request.threadId,
      ...(parent !== undefined && { parentMessageId: parent }),
      timestamp: record.timestamp,
      state,
      payload,
      explanation: shownExplanation(content),
      agentId,
      ...(upThought && { upThought }),
      ...(upFeedback && { upFeedback }),
      ...(upContext && { upContext }),
      ...extensions,
    };
    last = document.messageId;
    hasMessage = true;
    emissions.push({ name: 'UpFormatMessage', document });
  };

  const { fact, brought } = record;
  if (brought.feedback !== undefined) {
    const answered = answeredMessage(projection, fact);
    emit(answerMessage(recorded, brought.feedback, answered), answered ?? last);
  }
  if (fact?.type === 'call.started') emissions.push(callEnvelope(recorded, fact.call));
  if (brought.evidence !== undefined) emissions.push({ name: 'EvidenceObject', document: brought.evidence });
  if (brought.approval !== undefined) emissions.push(approvalEvidence(recorded, brought.approval));
  if (brought.report !== undefined) emissions.push({ name: 'VerificationReport', document: brought.report });

  const occasions = recorded.after.trail.length === 0 ? [] : occasionsOf(recorded.after);
  for (const occasion of occasions) {
    if (occasion.kind === 'envelope') emissions.push(phaseEnvelope(recorded, occasion));
    else if (occasion.state !== 'needsHumanDecision') emit(stateMessage(recorded, occasion.state));
  }
  for (const question of newQuestions(recorded)) emit(questionMessage(recorded, question));
  deepFreeze(emissions);
  return { emissions, projection: hasMessage ? projectEmissions(projection, emissions) : projection };
};
