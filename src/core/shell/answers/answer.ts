import { isAmong } from '../../../../machines/names.ts';
import type { ReasonCode, UpFeedback } from '../../../../schema/index.ts';
import { isObject } from '../../../base/boundary/is-object.ts';
import { CharterError } from '../../../base/errors.ts';
import { remarksIn } from '../../../base/feedback/apply.ts';
import { inapplicable } from '../../../base/feedback/inapplicable.ts';
import { messageIdOf, partOf } from '../../../base/feedback/target.ts';
import type { ApprovalRefusal } from '../../../base/ports/approvals.ts';
import type { Person } from '../../../base/ports/ledger.ts';
import type { Store } from '../../../base/ports/store.ts';
import { endorsementsIn, isEndorsing } from '../../../gates/origins/endorsed.ts';
import { rfc3339 } from '../../kernel/now.ts';
import type { Asked } from '../../kernel/projection/projection.ts';
import { sourcesIn } from '../../kernel/projection/provenance.ts';
import { askedBy, askedIn } from '../../kernel/projection/thread.ts';
import { shownTo } from '../../kernel/questions.ts';
import { isOpen, pathOf } from '../../kernel/view.ts';
import { approvalRefusal, askApprovals, isAllowed, unconfigured } from '../approvals.ts';
import type { Ports } from '../duties/performer.ts';
import { readStoredSummaries } from '../stored-summary.ts';
import type { Task } from '../task.ts';
import {
  howClosed,
  inTheWay,
  obstacle,
  questionName,
  refuse,
  refuseClosed,
  RefusedOnRecord,
  type Answering,
} from './feedback.ts';
import { answerIn, applied, type Answer } from './kinds.ts';

/** The maximum number of ids in an error; the latest ones. */
const shownIds = 10;

/** Returns the `not_found` error for a message without a question, with the messages of open questions. */
export const unknownQuestion = async (
  store: Store,
  messageId: string,
): Promise<CharterError<'not_found'>> => {
  const asking = await store.taskIndex({ isAsking: true, order: 'newest', limit: shownIds });
  const summaries = readStoredSummaries(asking.toReversed(), () => {});
  const known = summaries.flatMap(({ open }) => open.map(({ message }) => message.messageId));
  return new CharterError(
    'not_found',
    `no question was asked in message ${messageId}: \`inbox\` lists the open ones, with the ids of their messages`,
    {
      kind: 'question',
      id: messageId,
      known: known.slice(-shownIds),
    },
  );
};

/** Returns the enclosing tasks of a question from stored records alone; `null` if the message has no question. */
export const questionPath = async (store: Store, messageId: string): Promise<readonly string[] | null> => {
  const found = await store.find({ message: messageId });
  const stored = found && (await store.load(found.taskId));
  const request = stored?.records[0]?.brought.request;
  if (found === undefined || request === undefined) return null;
  const isAsked = stored?.emissions.some((one) => askedIn(one)?.message.messageId === messageId);
  return isAsked === true ? pathOf(found.taskId, { request }) : null;
};

const checkIdentity = async (answering: Answering, person: Person): Promise<void> => {
  const { task, environment, question } = answering;
  const { taskId, view } = task;
  const { id: by } = person;
  let cause: unknown;
  try {
    if (await isAllowed(environment, person, view, () => question)) return;
  } catch (error) {
    cause = error; // an error of the host's guard refuses
  }
  const details = { taskId, question: question.id, identity: by };
  const expected = isAmong([view.projection.request.identity.agent_id], by)
    ? 'it is the agent that asks, so another person must answer'
    : 'expected someone that `mayRespond` and the task class allow';
  const explanation = `${by} may not answer ${questionName(view, question)}: ${expected}`;
  throw new RefusedOnRecord(
    { actor: { kind: 'human', id: by }, code: 'IDENTITY_INVALID', brought: { explanation } },
    () => new CharterError('identity_refused', explanation, details, { cause }),
  );
};

/** Adds the host's claims about the person to an answer, so that `mayRespond` can be called again. */
const withPerson = (answer: Answer, person: Person): Answer => {
  const { id: _name, ...claims } = person; // the record's actor has the name
  return Object.keys(claims).length === 0 ? answer : { ...answer, brought: { ...answer.brought, person } };
};

/** Returns the question of a message; refreshes the task if another process may have asked it. */
const findAsked = async (task: Task, messageId: string): Promise<Asked | undefined> => {
  const asked = askedBy(task.view.projection, messageId);
  if (asked !== undefined) return asked;
  await task.refresh();
  return askedBy(task.view.projection, messageId);
};

/** Returns a refusal with its code, which is recorded; an approval by token may meet a question that has closed. */
const refusedOnRecord = (
  answering: Answering,
  { refused: code, explanation }: ApprovalRefusal,
): RefusedOnRecord => {
  const { task, question, feedback, by } = answering;
  const statement = { actor: { kind: 'human', id: by }, code, brought: { explanation } } as const;
  return new RefusedOnRecord(statement, () =>
    isOpen(task.view, messageIdOf(feedback), question)
      ? refuse(answering, explanation, code)
      : refuseClosed(answering, code),
  );
};

/**
 * Reads feedback with an approval token: the verified approver's consent to exactly this action (UAICP 5.3).
 *
 * Throws `feedback_refused` with the reason code of an invalid token, which is recorded.
 */
const readApproval = async (
  answering: Answering,
  token: string,
): Promise<Answer & { readonly approver: string }> => {
  const { task, environment, question, feedback, by } = answering;
  const { about, approval: claims } = question;
  if (question.kind !== 'approval') throw refuse(answering, 'it asks for no approval');
  if (feedback.type !== 'approve') throw refuse(answering, `a token goes with approve, not ${feedback.type}`);
  const grant = claims === undefined ? unconfigured : await askApprovals(task, environment, token, claims);
  const refusal = 'refused' in grant ? grant : approvalRefusal(task.view, about, grant.approver, grant);
  if (refusal !== null) throw refusedOnRecord(answering, refusal);
  if (!isOpen(task.view, messageIdOf(feedback), question) || claims === undefined || 'refused' in grant) {
    const explanation = howClosed(task.view, messageIdOf(feedback));
    const statement = { actor: { kind: 'human', id: by }, brought: { explanation } } as const;
    throw new RefusedOnRecord(statement, () => refuseClosed(answering));
  }
  const { approver, jti, expiresAt } = grant;
  const { request } = task.view.context;
  return {
    fact: { type: 'approval.granted', request, digest: about, authority: 'approval', approver },
    brought: {
      feedback,
      ...shownTo(question),
      approval: { token, claims, approver, jti, expiresAt: rfc3339(expiresAt) },
    },
    approver,
  };
};

/**
 * Reads a person's feedback on a question. Throws `feedback_refused` if it is no answer; the question then stays
 * open.
 */
const readAnswer = async (answering: Answering, { message }: Asked): Promise<Answer> => {
  const { task, question, feedback, by } = answering;
  const { type, content } = feedback;
  const part = partOf(feedback);
  if (!isOpen(task.view, message.messageId, question)) throw await refuseClosed(answering);
  const reason = obstacle(question, feedback, part);
  if (reason !== null) throw refuse(answering, reason);
  if (part !== '' || isObject(content)) applied(answering, () => remarksIn(message, feedback));
  if (isEndorsing(feedback)) {
    const [issue] = endorsementsIn(feedback, sourcesIn(task.view.projection)).issues;
    if (issue !== undefined) throw inapplicable(`/content/endorses${issue.path}`, issue.message);
  }
  const isApproval = question.kind === 'approval' && type === 'approve';
  const refusal = isApproval
    ? approvalRefusal(task.view, question.about, by, question.needsToken === true ? 'missing' : null)
    : null;
  if (refusal === null) return answerIn(answering);
  throw refusedOnRecord(answering, refusal);
};

/** Returns why the second of two simultaneous approvals is refused: it counts already. */
const duplicateCode = ({ view }: Task, { fact, brought: { approval } }: Answer): ReasonCode | null => {
  if (fact.type !== 'approval.granted' || approval === undefined) return null;
  const code = approvalRefusal(view, fact.digest, fact.approver, approval)?.refused ?? null;
  return code === 'APPROVER_IS_REQUESTER' ? null : code;
};

/** Received feedback, its sender, and the accompanying token and key. */
interface ReceivedFeedback {
  readonly feedback: UpFeedback;
  readonly messageId: string;
  readonly person: Person;
  readonly token: string | undefined;
  readonly key: string | undefined;
}

/** Submits an answer. Throws `feedback_refused` if another answer came first. */
const submitAnswer = async (
  task: Task,
  answering: Answering,
  answer: Answer,
  { messageId, key }: ReceivedFeedback,
): Promise<void> => {
  const { question, by } = answering;
  const { fact, brought } = answer;
  const isFirst = () => isOpen(task.view, messageId, question);
  const refusalCode = () => duplicateCode(task, answer);
  const statement = {
    actor: { kind: 'human', id: by },
    brought,
    refusalCode,
    ...(key !== undefined && { key }),
  } as const;
  if (await task.submitFact(fact, statement, isFirst)) return;
  const code = refusalCode();
  if (!isFirst()) throw await refuseClosed(answering, code);
  const reason = code === null ? inTheWay(task.view) : 'this approval, or this approver, counts already';
  throw refuse(answering, reason, code);
};

/** Answers a question of a task. Throws `identity_refused` or `feedback_refused`; the question then stays open. */
export const answer = async (task: Task, environment: Ports, received: ReceivedFeedback): Promise<void> => {
  const { feedback, messageId, person, token } = received;
  const asked = await findAsked(task, messageId);
  if (asked === undefined) throw await unknownQuestion(environment.store, messageId);
  const { question } = asked;
  const answering = { task, environment, question, feedback, by: person.id };
  try {
    await checkIdentity(answering, person);
    if (token === undefined) {
      const read = withPerson(await readAnswer(answering, asked), person);
      return await submitAnswer(task, answering, read, received);
    }
    const read = await readApproval(answering, token);
    const { approver } = read;
    const isSender = approver === person.id;
    if (!isSender) await checkIdentity(answering, { id: approver });
    const { fact, brought } = isSender ? withPerson(read, person) : read;
    return await submitAnswer(task, { ...answering, by: approver }, { fact, brought }, received);
  } catch (error) {
    if (!(error instanceof RefusedOnRecord)) throw error;
    await task.record('refusal', error.statement);
    throw await error.error();
  }
};
