import type { UpFeedback } from '../../schema/index.ts';
import { CharterError } from '../errors.ts';
import type { Store } from '../ports/store.ts';
import { readApproval } from './approve.ts';
import type { Environment } from './environment.ts';
import type { MayRespond } from './options.ts';
import type { OpenQuestion } from './questions.ts';
import { readAnswer, stateAnswer } from './respond.ts';
import { toldOfAll } from './stand.ts';
import type { Task } from './task.ts';

/** How many identifiers an error names at most, the latest. */
const shownIds = 10;

/** No question was asked in a message: `not_found`, with the messages of those that are open. */
export const unknownQuestion = async (
  store: Store,
  messageId: string,
): Promise<CharterError<'not_found'>> => {
  const asking = await store.standings({ isAsking: true });
  const told = toldOfAll(asking, () => {});
  const known = told.flatMap(({ open }) => open.map(({ message }) => message.messageId));
  return new CharterError('not_found', `no question was asked in message ${messageId}`, {
    kind: 'question',
    id: messageId,
    known: known.slice(-shownIds),
  });
};

const checkIdentity = async (
  mayRespond: MayRespond,
  by: string,
  task: Task,
  question: OpenQuestion,
): Promise<void> => {
  const { taskId, dossier } = task;
  const asked = { taskId, question, requester: dossier.request.identity.agent_id };
  let cause: unknown;
  try {
    if (await mayRespond(by, asked)) return;
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

/** Feedback as it came in, from whom, and what travels beside it. */
export interface Given {
  readonly feedback: UpFeedback;
  readonly messageId: string;
  readonly by: string;
  readonly token: string | undefined;
  readonly key: string | undefined;
}

/** Answers a question of a task; throws `identity_refused` or `feedback_refused`, and the question stays open. */
export const answer = async (
  task: Task,
  environment: Environment,
  mayRespond: MayRespond,
  { feedback, messageId, by, token, key }: Given,
): Promise<void> => {
  const question = task.thread.asked.get(messageId)?.question;
  if (question === undefined) throw await unknownQuestion(environment.store, messageId);
  await checkIdentity(mayRespond, by, task, question);
  if (token === undefined) {
    const read = await readAnswer(task, environment, question, feedback, by);
    return stateAnswer(task, question, read, by, key);
  }
  const read = await readApproval(task, environment, question, feedback, { token, by });
  if (read.approver !== by) await checkIdentity(mayRespond, read.approver, task, question);
  return stateAnswer(task, question, read, read.approver, key);
};
