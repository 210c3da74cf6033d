import type { Fact } from '../../../machines/index.ts';
import { isAmong } from '../../../machines/names.ts';
import type { ReasonCode, UpFeedback } from '../../../schema/index.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { CharterError } from '../../base/errors.ts';
import { remarksIn } from '../../base/feedback/apply.ts';
import { messageIdOf, partOf } from '../../base/feedback/target.ts';
import type { ApprovalClaims, ApprovalRefusal, Grant } from '../../base/ports/approvals.ts';
import type { RecordPayload, Person } from '../../base/ports/ledger.ts';
import type { OpenQuestion } from '../../base/ports/open-question.ts';
import type { Store } from '../../base/ports/store.ts';
import { rfc3339 } from '../kernel/now.ts';
import type { Asked } from '../kernel/projection/projection.ts';
import { askedBy, askedIn } from '../kernel/projection/thread.ts';
import { shownTo } from '../kernel/questions.ts';
import { isOpen, pathOf } from '../kernel/view.ts';
import {
  askApprovals,
  excluded,
  isAllowed,
  refused,
  repeated,
  unconfigured,
  type ApprovalPorts,
} from './approvals.ts';
import { howClosed, inTheWay, questionName, refuseClosed } from './closed-question.ts';
import { endorsementsIn, isEndorsing } from '../../gates/origins/endorsed.ts';
import { inapplicable } from '../../base/feedback/inapplicable.ts';
import { sourcesIn } from '../kernel/projection/provenance.ts';
import { applied, edited, refuse, withPersonEvidence, type Answer, type EditPorts } from './edits.ts';
import type { Environment } from './environment.ts';
import { obstacle } from './read-feedback.ts';
import { readStoredSummaries } from './stored-summary.ts';
import type { Task } from './task.ts';

/** The ports of answering. */
export type AnswerPorts = EditPorts & ApprovalPorts & Pick<Environment, 'store'>;

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

const checkIdentity = async (
  environment: AnswerPorts,
  person: Person,
  task: Task,
  question: OpenQuestion,
): Promise<void> => {
  const { taskId } = task;
  const { id: by } = person;
  let cause: unknown;
  try {
    if (await isAllowed(environment, person, task.view, () => question)) return;
  } catch (error) {
    cause = error; // an error of the host's guard refuses
  }
  const details = { taskId, question: question.id, identity: by };
  const { agent_id: agent } = task.view.projection.request.identity;
  const expected = isAmong([agent], by)
    ? 'it is the agent that asks, so another person must answer'
    : 'expected someone that `mayRespond` and the task class allow';
  const message = `${by} may not answer ${questionName(task, question)}: ${expected}`;
  await task.record('refusal', {
    actor: { kind: 'human', id: by },
    code: 'IDENTITY_INVALID',
    brought: { explanation: message },
  });
  throw new CharterError('identity_refused', message, details, { cause });
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

/** Received feedback, its sender, and the accompanying token and key. */
interface ReceivedFeedback {
  readonly feedback: UpFeedback;
  readonly messageId: string;
  readonly person: Person;
  readonly token: string | undefined;
  readonly key: string | undefined;
}

/** Answers a question of a task. Throws `identity_refused` or `feedback_refused`; the question then stays open. */
export const answer = async (
  task: Task,
  environment: AnswerPorts,
  { feedback, messageId, person, token, key }: ReceivedFeedback,
): Promise<void> => {
  const { id: by } = person;
  const asked = await findAsked(task, messageId);
  if (asked === undefined) throw await unknownQuestion(environment.store, messageId);
  const { question } = asked;
  await checkIdentity(environment, person, task, question);
  if (token === undefined) {
    const read = await readAnswer(task, environment, asked, feedback, by);
    return stateAnswer(task, environment, question, { ...withPerson(read, person), messageId, by, key });
  }
  const read = await readApproval(task, environment, question, feedback, { token, by });
  const { approver } = read;
  if (approver === by)
    return stateAnswer(task, environment, question, { ...withPerson(read, person), messageId, by, key });
  await checkIdentity(environment, { id: approver }, task, question);
  return stateAnswer(task, environment, question, { ...read, messageId, by: approver, key });
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

/** Records a refusal with its code, and returns its error. */
const refuseOnRecord = async (
  task: Task,
  question: OpenQuestion,
  { code, by, explanation }: { code: ReasonCode; by: string; explanation: string },
): Promise<CharterError> => {
  await task.record('refusal', { actor: { kind: 'human', id: by }, code, brought: { explanation } });
  return refuse(task, question, explanation, code);
};

const verified = async (
  task: Task,
  environment: AnswerPorts,
  { about, approval }: OpenQuestion,
  token: string,
): Promise<ApprovalRefusal | { readonly grant: Grant; readonly claims: ApprovalClaims }> => {
  if (approval === undefined) return unconfigured;
  const grant = await askApprovals(task, environment, token, approval);
  if ('refused' in grant) return grant;
  if ((task.view.projection.approvals[about] ?? []).some(({ jti }) => jti === grant.jti))
    return refused('APPROVAL_SPENT');
  return excluded(task.view, about, grant.approver) ?? { grant, claims: approval };
};

/**
 * Reads feedback with an approval token: the verified approver's consent to exactly this action (UAICP 5.3).
 *
 * Throws `feedback_refused` with the reason code of an invalid token, and records the refusal.
 */
const readApproval = async (
  task: Task,
  environment: AnswerPorts,
  question: OpenQuestion,
  feedback: UpFeedback,
  { token, by }: { readonly token: string; readonly by: string },
): Promise<Answer & { readonly approver: string }> => {
  if (question.kind !== 'approval') throw refuse(task, question, 'it asks for no approval');
  if (feedback.type !== 'approve')
    throw refuse(task, question, `a token goes with approve, not ${feedback.type}`);
  const messageId = messageIdOf(feedback);
  const read = await verified(task, environment, question, token);
  if ('refused' in read) {
    const { refused: code, explanation } = read;
    const refusal = await refuseOnRecord(task, question, { code, by, explanation });
    throw isOpen(task.view, messageId, question)
      ? refusal
      : await refuseClosed(task, environment, question, messageId, code);
  }
  if (!isOpen(task.view, messageId, question)) {
    const explanation = howClosed(task, messageId);
    await task.record('refusal', { actor: { kind: 'human', id: by }, brought: { explanation } });
    throw await refuseClosed(task, environment, question, messageId);
  }
  const { grant, claims } = read;
  const { approver, jti, expiresAt } = grant;
  const { request } = task.view.context;
  return {
    fact: { type: 'approval.granted', request, digest: question.about, authority: 'approval', approver },
    brought: {
      feedback,
      ...shownTo(question),
      approval: { token, claims, approver, jti, expiresAt: rfc3339(expiresAt) },
    },
    approver,
  };
};

/** Returns why the second of two simultaneous approvals is refused. */
const duplicateCode = (task: Task, fact: Fact, { approval }: RecordPayload): ReasonCode | null => {
  if (fact.type !== 'approval.granted') return null;
  const isSpent = (task.view.projection.approvals[fact.digest] ?? []).some(
    ({ jti }) => jti === approval?.jti,
  );
  return isSpent ? 'APPROVAL_SPENT' : repeated(task.view, fact.digest, fact.approver);
};

/** Returns the refusal of an unsigned approval, if the task class requires signed ones. */
const unsigned = ({ taskClass: { id } }: Task): ApprovalRefusal =>
  refused(
    'APPROVAL_REQUIRED',
    `task class ${id} takes signed approvals only: send one as \`approval\`, or list "human" in its \`authorities\``,
  );

/**
 * Reads a person's feedback on a question. Throws `feedback_refused` if it is no answer; the question then stays
 * open.
 */
const readAnswer = async (
  task: Task,
  environment: AnswerPorts,
  asked: Asked,
  feedback: UpFeedback,
  by: string,
): Promise<Answer> => {
  const { question, message } = asked;
  const { type, content } = feedback;
  const part = partOf(feedback);
  if (!isOpen(task.view, message.messageId, question))
    throw await refuseClosed(task, environment, question, message.messageId);
  const reason = obstacle(question, feedback, part);
  if (reason !== null) throw refuse(task, question, reason);
  if (part !== '' || isObject(content)) applied(task, question, () => remarksIn(message, feedback));
  if (isEndorsing(feedback)) {
    const [issue] = endorsementsIn(feedback, sourcesIn(task.view.projection)).issues;
    if (issue !== undefined) throw inapplicable(`/content/endorses${issue.path}`, issue.message);
  }
  if (question.kind === 'approval' && type === 'approve') {
    const refusal = question.needsToken === true ? unsigned(task) : excluded(task.view, question.about, by);
    if (refusal !== null) {
      const { refused: code, explanation } = refusal;
      throw await refuseOnRecord(task, question, { code, by, explanation });
    }
  }
  if (question.kind === 'followup' && (type === 'edit' || type === 'instruction'))
    return { fact: { type: 'changes.requested', request: environment.ids.uuid() }, brought: { feedback } };
  const isEdit = type === 'edit' || type === 'rank';
  const edits = isEdit ? await edited(task, environment, question, feedback, by) : { fact: {}, brought: {} };
  const answer: Answer = {
    fact: { type: 'human.responded', question: question.id, feedback: type, by, ...edits.fact },
    brought: { ...edits.brought, feedback, ...shownTo(question) },
  };
  return question.kind === 'doubt' ? withPersonEvidence(task, environment, question, answer, by) : answer;
};

/** An answer, the message that it answers, and who gives it. */
interface Stated extends Answer {
  readonly messageId: string;
  readonly by: string;
  readonly key: string | undefined;
}

/** Submits an answer. Throws `feedback_refused` if another answer came first. */
const stateAnswer = async (
  task: Task,
  environment: AnswerPorts,
  question: OpenQuestion,
  { fact, brought, messageId, by, key }: Stated,
): Promise<void> => {
  const isFirst = () => isOpen(task.view, messageId, question);
  const refusalCode = () => duplicateCode(task, fact, brought);
  const statement = {
    actor: { kind: 'human', id: by },
    brought,
    refusalCode,
    ...(key !== undefined && { key }),
  } as const;
  if (await task.submitFact(fact, statement, isFirst)) return;
  const code = refusalCode();
  if (!isOpen(task.view, messageId, question))
    throw await refuseClosed(task, environment, question, messageId, code);
  const reason = code === null ? inTheWay(task.view) : 'this approval, or this approver, counts already';
  throw refuse(task, question, reason, code);
};
