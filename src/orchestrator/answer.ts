import type { UpFeedback } from '../../schema/index.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { CharterError } from '../errors.ts';
import { askedBy } from '../ledger/projection/project.ts';
import type { Person } from '../ports/ledger.ts';
import type { Store } from '../ports/store.ts';
import { readApproval } from './approve.ts';
import type { Environment } from './environment.ts';
import type { OpenQuestion } from '../ports/open-question.ts';
import { readAnswer, stateAnswer } from './respond.ts';
import type { Answer } from './word.ts';
import { readStoredSummaries } from './summary.ts';
import type { TaskView } from './view.ts';
import type { Task } from './task.ts';

/** How many identifiers an error names at most, the latest. */
const shownIds = 10;

/** No question was asked in a message: `not_found`, with the messages of those that are open. */
export const unknownQuestion = async (
  store: Store,
  messageId: string,
): Promise<CharterError<'not_found'>> => {
  const asking = await store.standings({ isAsking: true });
  const summaries = readStoredSummaries(asking, () => {});
  const known = summaries.flatMap(({ open }) => open.map(({ message }) => message.messageId));
  return new CharterError('not_found', `no question was asked in message ${messageId}`, {
    kind: 'question',
    id: messageId,
    known: known.slice(-shownIds),
  });
};

/** Asks the host whether a person may answer a question: only `true` is yes. Throws what `mayRespond` throws. */
export const isAllowed = async (
  { mayRespond }: Pick<Environment, 'mayRespond'>,
  person: Person,
  { taskId, projection: { request } }: TaskView,
  question: OpenQuestion,
): Promise<boolean> => {
  const { identity } = request;
  const asked = { taskId, question, requester: identity.agent_id, identity, person };
  const answer: unknown = await mayRespond(person.id, deepFreeze(asked));
  return answer === true;
};

const checkIdentity = async (
  environment: Environment,
  person: Person,
  task: Task,
  question: OpenQuestion,
): Promise<void> => {
  const { taskId } = task;
  const { id: by } = person;
  let cause: unknown;
  try {
    if (await isAllowed(environment, person, task.view, question)) return;
  } catch (error) {
    cause = error; // a guard of the host's that throws has refused
  }
  const details = { taskId, question: question.id, identity: by };
  const message = `${by} may not answer question ${question.id}`;
  await task.refuse({
    actor: { kind: 'human', id: by },
    code: 'IDENTITY_INVALID',
    brought: { explanation: message },
  });
  throw new CharterError('identity_refused', message, details, { cause });
};

/** An answer with what the host knows of the person who gave it, so that they can be asked about again. */
const withPerson = (answer: Answer, person: Person): Answer => {
  const { id: _name, ...claims } = person; // the actor of the record has the name
  return Object.keys(claims).length === 0 ? answer : { ...answer, brought: { ...answer.brought, person } };
};

/** The question that a message asks; another process may have asked it since this one read the task. */
const questionIn = async (task: Task, messageId: string): Promise<OpenQuestion | undefined> => {
  if (askedBy(task.view.projection, messageId) === undefined) await task.refresh();
  return askedBy(task.view.projection, messageId)?.question;
};

/** Feedback as it came in, from whom, and what travels beside it. */
export interface Given {
  readonly feedback: UpFeedback;
  readonly messageId: string;
  readonly person: Person;
  readonly token: string | undefined;
  readonly key: string | undefined;
}

/** Answers a question of a task; throws `identity_refused` or `feedback_refused`, and the question stays open. */
export const answer = async (
  task: Task,
  environment: Environment,
  { feedback, messageId, person, token, key }: Given,
): Promise<void> => {
  const { id: by } = person;
  const question = await questionIn(task, messageId);
  if (question === undefined) throw await unknownQuestion(environment.store, messageId);
  await checkIdentity(environment, person, task, question);
  if (token === undefined) {
    const read = await readAnswer(task, environment, question, feedback, by);
    return stateAnswer(task, question, withPerson(read, person), by, key);
  }
  const read = await readApproval(task, environment, question, feedback, { token, by });
  const { approver } = read;
  if (approver === by) return stateAnswer(task, question, withPerson(read, person), by, key);
  await checkIdentity(environment, { id: approver }, task, question);
  return stateAnswer(task, question, read, approver, key);
};
