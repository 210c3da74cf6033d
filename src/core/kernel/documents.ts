import { occasionsOf } from '../../../machines/index.ts';
import type { UpFormatMessage } from '../../../schema/index.ts';
import { deepFreeze, markFrozen } from '../../base/canonical/deep-freeze.ts';
import type { Emission } from '../../base/ports/emission.ts';
import type { LedgerEntry } from '../../base/ports/ledger.ts';
import { approvalEvidence, callEnvelope, phaseEnvelope, type RecordedStep } from './envelopes.ts';
import {
  answerMessage,
  askerOf,
  newQuestions,
  planMessage,
  questionMessage,
  senderOf,
  shownExplanation,
  stateMessage,
  type Content,
} from './messages.ts';
import type { Projection } from './projection/projection.ts';
import { answeredMessage, projectEmissions } from './projection/thread.ts';
import { orchestratorActor } from './statement.ts';
import { adoptionMessage, mappedMessage } from './words.ts';

/** The documents that one step emits, in order, and the projection with them. */
interface Emitted {
  readonly emissions: readonly Emission[];
  readonly projection: Projection;
}

const noEmissions: readonly Emission[] = Object.freeze([]);

/** Returns the message of another participant that a record brought, if any. */
export const receivedIn = ({ brought: { message } }: LedgerEntry, projection: Projection): Emitted => {
  if (message === undefined) return { emissions: noEmissions, projection };
  const emissions = deepFreeze([{ name: 'ReceivedMessage' as const, document: message }]);
  markFrozen(emissions);
  return { emissions, projection: projectEmissions(projection, emissions) };
};

/** Returns what the step of a fact emits. */
export const emissionsOf = (recorded: RecordedStep): Emitted => {
  const { record, projection } = recorded;
  const emissions: Emission[] = [];
  let last = projection.thread.at(-1)?.messageId ?? projection.request.parentMessageId;
  let hasMessage = false;
  const emit = (agentId: string, content: Content, parent = last): void => {
    const { state, payload, ...further } = content;
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
    emit(record.actor.id, answerMessage(recorded, brought.feedback, answered), answered ?? last);
  }
  if (fact?.type === 'call.started') emissions.push(callEnvelope(recorded, fact.call));
  if (brought.evidence !== undefined) emissions.push({ name: 'EvidenceObject', document: brought.evidence });
  if (brought.approval !== undefined) emissions.push(approvalEvidence(recorded, brought.approval));
  if (brought.report !== undefined) emissions.push({ name: 'VerificationReport', document: brought.report });

  const adopted = brought.output?.adopted;
  if (adopted !== undefined) emit(orchestratorActor.id, adoptionMessage(record, adopted), adopted.messageId);
  const asked = newQuestions(recorded);
  const planned = planMessage(recorded, asked);
  if (planned !== undefined) emit(record.actor.id, planned);
  for (const call of brought.calls ?? [])
    if (call.mapping !== undefined) emit(orchestratorActor.id, mappedMessage(recorded, call, call.mapping));
  const occasions = recorded.after.trail.length === 0 ? [] : occasionsOf(recorded.after);
  for (const occasion of occasions) {
    if (occasion.kind === 'envelope') emissions.push(phaseEnvelope(recorded, occasion));
    else if (occasion.state !== 'needsHumanDecision')
      emit(senderOf(recorded, occasion.state), stateMessage(recorded, occasion.state));
  }
  for (const question of asked) emit(askerOf(recorded, question), questionMessage(recorded, question));
  markFrozen(deepFreeze(emissions));
  return { emissions, projection: hasMessage ? projectEmissions(projection, emissions) : projection };
};
