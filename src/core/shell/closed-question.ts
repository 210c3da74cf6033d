import { hasWriteInFlight, partialWrites } from '../../../machines/owed.ts';
import type { ReasonCode } from '../../../schema/index.ts';
import { CharterError } from '../../base/errors.ts';
import { messageIdOf } from '../../base/feedback/target.ts';
import type { CallDocument } from '../../base/ports/ledger.ts';
import type { OpenQuestion } from '../../base/ports/open-question.ts';
import { orchestratorActor } from '../kernel/statement.ts';
import type { TaskView } from '../kernel/view.ts';
import type { Environment } from './environment.ts';
import { isSameAs } from './keyed.ts';
import type { Task } from './task.ts';
import { toolChange } from './upgrades.ts';

type About = Pick<OpenQuestion, 'kind' | 'about'>;
type Tools = Pick<Environment, 'tools' | 'redact'>;

const callOf = ({ view: { projection } }: Task, { about }: About): CallDocument | undefined =>
  Object.values(projection.calls).find(({ id, digest }) => id === about || digest === about);

/** Returns the name of a question for an error: its kind, and the tool that it is about. */
export const questionName = (task: Task, { kind, about }: About): string => {
  const call = callOf(task, { kind, about });
  return `the ${kind} question${call === undefined ? '' : ` about tool ${JSON.stringify(call.tool)}`}`;
};

/** Returns how the question of a message was closed: by whom, when and how, if that is on record. */
export const howClosed = ({ view: { projection } }: Task, messageId: string): string => {
  const answer = projection.messages.findLast(
    ({ upFeedback }) =>
      upFeedback !== undefined && upFeedback.type !== 'comment' && messageIdOf(upFeedback) === messageId,
  );
  if (answer === undefined) return 'its deadline has passed, or the run went on without an answer';
  const { agentId, timestamp, upFeedback } = answer;
  return agentId === orchestratorActor.id
    ? `its deadline passed at ${timestamp}, and the default was taken`
    : `${agentId} answered it at ${timestamp}: ${upFeedback?.type}`;
};

/** Returns what changed of the tool or the task class of a question, to end a sentence; empty if nothing did. */
const changeSince = async (task: Task, question: About, environment: Tools): Promise<string> => {
  const { taskId, knownCalls, view } = task;
  const call = callOf(task, question);
  const changed =
    call && (await toolChange(environment, call, { taskId, knownCalls, context: view.context }));
  if (changed) return `; ${changed.says}`;
  const { taskClass } = task;
  if (question.kind === 'approval' && !isSameAs(view.context.taskClass, taskClass.contract))
    return `; task class ${JSON.stringify(taskClass.id)} is stricter than when the task began, and what it still needs is asked anew`;
  return '';
};

/** Returns what keeps an open question from an answer that it accepts: a write that another plan or an edit would forget. */
export const inTheWay = ({ context }: TaskView): string =>
  hasWriteInFlight(context) || partialWrites(context).length > 0
    ? 'a write has begun, and this answer would forget it: answer again when it is over, and first what its tool asks, if it asks'
    : 'the run has moved on since: read the question again';

/** Returns the error for feedback on a question that is closed; `code` says why its approval would not count either. */
export const refuseClosed = async (
  task: Task,
  environment: Tools,
  question: OpenQuestion,
  messageId: string,
  code: ReasonCode | null = null,
): Promise<CharterError> => {
  const reason = `${howClosed(task, messageId)}${await changeSince(task, question, environment)}`;
  return new CharterError(
    'feedback_refused',
    `${questionName(task, question)} is closed: ${reason}; \`inbox\` lists the open ones`,
    { taskId: task.taskId, question: question.id, reason, code, accepts: [] },
  );
};
