import type { Part, Task } from '@a2a-js/sdk';
import { v5 } from 'uuid';
import type { UpFeedback, UpFormatMessage } from '../../../../schema/index.ts';
import { partOf } from '../../../base/feedback/target.ts';
import { rfc3339 } from '../../../core/kernel/now.ts';
import { monotonicOf } from '../../../core/shell/clock.ts';
import { pause } from '../../../core/shell/pause.ts';
import type { Clock } from '../../../base/ports/clock.ts';
import type { ChildRequest } from '../../../base/ports/tool.ts';
import { dataPart, textPart } from '../parts.ts';
import { digestOf } from './question.ts';
import { send, taskBy, tasksIn, type CallSettings, type Connection } from './connection.ts';
import type { RemoteAgentOptions } from './options.ts';
import { isTask, ownReply, ownTask, type Conversation } from './own.ts';
import { verdictOn, type RemoteQuestion } from './verdict.ts';

/**
 * Returns a deterministic id of a call, for its conversation and its first message. A repeated call has the
 * same id.
 */
export const nameOf = (...of: readonly (string | number)[]): string => v5(of.join(' '), v5.URL);

export interface Pace {
  readonly patience: number;
  readonly every: number;
  readonly clock: Clock;
}

/**
 * Polls a task until it has changed or the time is over. Throws `reply_refused` if the agent returns another
 * task.
 */
export const pollUntilChanged = async (
  connection: Connection,
  first: Task,
  of: Conversation,
  settings: CallSettings,
  { patience, every, clock }: Pace,
): Promise<Task> => {
  const until = monotonicOf(clock) + patience;
  let task = first;
  for (let wait = every; verdictOn(task).is === 'works' && monotonicOf(clock) < until; wait *= 1.5) {
    await pause(clock, Math.min(wait, 5_000, patience), settings.signal);
    task = ownTask(await taskBy(connection, first.id, settings), of, first.id);
  }
  return task;
};

/** Returns the task of a call, looked up by the conversation id that we chose. */
export const findTask = async (
  connection: Connection,
  of: Conversation,
  settings: CallSettings,
): Promise<Task | undefined> => {
  const [latest] = await tasksIn(connection, of.contextId, settings);
  return latest && ownTask(latest, of, undefined);
};

/** The JSON Pointer at which our question holds the remote message. */
const messagePointer = '/payload/message';

/** Returns the parts of a person's answer; `undefined` if its target is not in the agent's message. */
const partsOf = (answer: UpFeedback, { message, messageId }: RemoteQuestion): Part[] | undefined => {
  if (message === null) {
    const { content } = answer;
    const text = typeof content === 'string' ? content : answer.type;
    return [textPart(text), ...(typeof content === 'object' ? [dataPart(content)] : [])];
  }
  const part = partOf(answer);
  if (part !== '' && !part.startsWith(`${messagePointer}/`)) return undefined;
  const target = part === '' ? messageId : { messageId, part: part.slice(messagePointer.length) };
  return [dataPart({ ...answer, target }, 'UpFeedback')];
};

/** A person's answer, the question that it belongs to, and the source of a required approval. */
export interface Answered {
  readonly answer: UpFeedback;
  /** The digest of the question that the person saw. */
  readonly question: string;
  readonly approval: RemoteAgentOptions<never>['approval'];
}

/** Sends a person's answer once, if the question is unchanged. */
export const sendAnswer = async (
  connection: Connection,
  task: Task,
  of: Conversation,
  { answer, question, approval }: Answered,
  settings: CallSettings,
): Promise<Task> => {
  const verdict = verdictOn(task);
  if (verdict.is !== 'asks' || digestOf(verdict.asked) !== question) return task;
  const { asked } = verdict;
  const messageId = nameOf(of.contextId, asked.messageId, JSON.stringify(answer.target));
  const parts = partsOf(answer, asked);
  const wasSent = task.history.some((sent) => sent.messageId === messageId);
  if (wasSent || parts === undefined) return task;
  const token =
    asked.needsToken && asked.message !== null ? await approval?.(asked.message, answer) : undefined;
  const { contextId, id: taskId } = task;
  const sent = await send(connection, { messageId, contextId, taskId, parts, approval: token }, settings);
  const reply = ownReply(sent, of, taskId);
  return isTask(reply) ? reply : task;
};

/** Returns a request as an UpFormat message, and as plain parts for other agents. */
export const requestParts = (
  { declaresUpFormat }: Connection,
  id: string,
  { payload, explanation = '' }: ChildRequest,
  clock: Clock,
): Part[] => {
  const text = explanation === '' ? [] : [textPart(explanation)];
  if (!declaresUpFormat) return [...text, dataPart(payload)];
  const timestamp = rfc3339(clock.now());
  const message: UpFormatMessage = {
    messageId: id,
    threadId: id,
    timestamp,
    state: 'submitted',
    payload,
    explanation,
  };
  return [...text, dataPart(message, 'UpFormatMessage')];
};
