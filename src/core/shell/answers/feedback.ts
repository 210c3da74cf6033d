import { runOf } from '../../../../machines/owed.ts';
import { JsonObject, UpFeedback, Uuid, type ReasonCode } from '../../../../schema/index.ts';
import { isObject } from '../../../base/boundary/is-object.ts';
import { invalidText, parseDocument } from '../../../base/boundary/parse-document.ts';
import { frozenCopy } from '../../../base/canonical/freeze.ts';
import { CharterError } from '../../../base/errors.ts';
import { filledIn } from '../../../base/feedback/feedback.ts';
import { messageIdOf } from '../../../base/feedback/target.ts';
import type { CallDocument } from '../../../base/ports/ledger.ts';
import type { OpenQuestion } from '../../../base/ports/open-question.ts';
import { shownNames } from '../../../base/text/foreign-text.ts';
import { orchestratorActor, type Statement } from '../../kernel/statement.ts';
import type { TaskView } from '../../kernel/view.ts';
import type { Ports } from '../duties/performer.ts';
import type { Environment } from '../environment.ts';
import { isSameAs } from '../keyed.ts';
import type { LiveTask } from '../live-task.ts';
import { toolChange } from '../upgrades.ts';

/** Feedback of a person on a question. */
export interface Answering {
  readonly task: LiveTask;
  readonly environment: Ports;
  readonly question: OpenQuestion;
  readonly feedback: UpFeedback;
  readonly by: string;
}

/** Feedback that is refused: what is recorded of that, and its error, which is made afterwards. */
export class RefusedOnRecord {
  readonly statement: Statement;
  readonly error: () => CharterError | Promise<CharterError>;

  constructor(statement: Statement, error: RefusedOnRecord['error']) {
    this.statement = statement;
    this.error = error;
  }
}

/** Throws `document_invalid` for a target that is no id of a message, such as the id of the question itself. */
const checkTarget = (feedback: unknown): void => {
  const target = isObject(feedback) ? feedback['target'] : undefined;
  const id = isObject(target) ? target['messageId'] : target;
  if (typeof id !== 'string' || Uuid.safeParse(id).success) return;
  const path = isObject(target) ? '/target/messageId' : '/target';
  const message = 'must be the `messageId` of the message that asks: `inbox` lists the open ones';
  const issues = [{ path, message }];
  throw new CharterError('document_invalid', invalidText('UpFeedback', issues), {
    document: 'UpFeedback',
    issues,
  });
};

/** Reads feedback: frozen and redacted. */
export const readFeedback = (value: unknown, { redact }: Pick<Environment, 'redact'>): UpFeedback => {
  const copy = frozenCopy(filledIn(value), 'UpFeedback');
  checkTarget(copy);
  const { type, target, ...rest } = parseDocument('UpFeedback', UpFeedback, copy);
  const kept = parseDocument('feedback', JsonObject, redact(rest, 'feedback'));
  return parseDocument('UpFeedback', UpFeedback, { ...kept, type, target });
};

/** Returns the members of an approval's content that have no effect: an approval changes nothing. */
const ineffective = (content: UpFeedback['content'], kind: OpenQuestion['kind']): readonly string[] => {
  if (Array.isArray(content)) return ['a ranking'];
  const effective = ['text', 'annotations', ...(kind === 'approval' ? ['endorses'] : [])];
  return isObject(content) ? Object.keys(content).filter((name) => !effective.includes(name)) : [];
};

/** Returns why feedback cannot answer a question; `null` if it can. */
export const obstacle = (
  { accepts, kind }: Pick<OpenQuestion, 'accepts' | 'kind'>,
  { type, content }: UpFeedback,
  part: string,
): string | null => {
  if (!accepts.includes(type)) return `${type} does not answer it`;
  if (type === 'approve' && part !== '') return 'a part of it cannot be approved alone';
  const without = type === 'approve' ? ineffective(content, kind) : [];
  if (without.length > 0)
    return `an approval changes nothing, so that its content ${shownNames(without)} has no effect: leave it out, or send an edit`;
  if (content === undefined && type === 'edit')
    return 'an edit needs `content`: an object with one of value, edits, diff';
  if (content === undefined && type === 'instruction')
    return 'an instruction needs `content`: what the agent is told';
  return null;
};

const callOf = ({ projection }: TaskView, { about }: Pick<OpenQuestion, 'about'>): CallDocument | undefined =>
  Object.values(projection.calls).find(({ id, digest }) => id === about || digest === about);

/** Returns the name of a question for an error: its kind, and the tool that it is about. */
export const questionName = (view: TaskView, question: OpenQuestion): string => {
  const call = callOf(view, question);
  return `the ${question.kind} question${call === undefined ? '' : ` about tool ${JSON.stringify(call.tool)}`}`;
};

/** Returns the error for feedback that is no answer; the question stays open. */
export const refuse = (
  { task: { taskId, view }, question }: Pick<Answering, 'task' | 'question'>,
  reason: string,
  code: ReasonCode | null = null,
): CharterError =>
  new CharterError(
    'feedback_refused',
    `${questionName(view, question)} stays open: ${reason.replace(/\.$/, '')}; it accepts ${question.accepts.join(', ')}`,
    { taskId, question: question.id, reason, code, accepts: question.accepts },
  );

/** Returns how the question of a message was closed: by whom, when and how, if that is on record. */
export const howClosed = ({ projection }: TaskView, messageId: string): string => {
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
const changeSince = async ({ task, environment, question }: Answering): Promise<string> => {
  const { taskId, taskClass, knownCalls, view } = task;
  const call = callOf(view, question);
  const changed =
    call && (await toolChange(environment, call, { taskId, knownCalls, context: view.context }));
  if (changed) return `; ${changed.says}`;
  if (question.kind === 'approval' && !isSameAs(view.context.taskClass, taskClass.contract))
    return `; task class ${JSON.stringify(taskClass.id)} is stricter than when the task began, and what it still needs is asked anew`;
  return '';
};

/** Returns what keeps an open question from an answer that it accepts: a write that another plan or an edit would forget. */
export const inTheWay = ({ context }: TaskView): string =>
  runOf(context).hasWriteInFlight || runOf(context).partialWrites.length > 0
    ? 'a write has begun, and this answer would forget it: answer again when it is over, and first what its tool asks, if it asks'
    : 'the run has moved on since: read the question again';

/** Returns the error for feedback on a question that is closed; `code` says why its approval would not count either. */
export const refuseClosed = async (
  answering: Answering,
  code: ReasonCode | null = null,
): Promise<CharterError> => {
  const { task, question, feedback } = answering;
  const reason = `${howClosed(task.view, messageIdOf(feedback))}${await changeSince(answering)}`;
  return new CharterError(
    'feedback_refused',
    `${questionName(task.view, question)} is closed: ${reason}; \`inbox\` lists the open ones`,
    { taskId: task.taskId, question: question.id, reason, code, accepts: [] },
  );
};
