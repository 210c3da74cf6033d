import type { Part, Task } from '@a2a-js/sdk';
import { v5 } from 'uuid';
import type { UpFeedback, UpFormatMessage } from '../../../../schema/index.ts';
import { partOf } from '../../../feedback/target.ts';
import { monotonicOf, rfc3339 } from '../../../orchestrator/clock.ts';
import { pause } from '../../../orchestrator/pause.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ChildRequest } from '../../../ports/tool.ts';
import { dataPart, textPart } from '../parts.ts';
import { digestOf } from './question.ts';
import { send, taskBy, tasksIn, type Along, type Connection } from './connection.ts';
import type { RemoteAgentOptions } from './options.ts';
import { isTask, ownReply, ownTask, type Conversation } from './own.ts';
import { verdictOn, type Asked } from './verdict.ts';

/** A name of one call, the same whenever it is made again: its conversation and its first message have it. */
export const nameOf = (...of: readonly (string | number)[]): string => v5(of.join(' '), v5.URL);

export interface Pace {
  readonly patience: number;
  readonly every: number;
  readonly clock: Clock;
}

/** Looks at a task until it has moved, or patience is over. Throws `reply_refused` if another one is shown in its place. */
export const settled = async (
  connection: Connection,
  first: Task,
  of: Conversation,
  along: Along,
  { patience, every, clock }: Pace,
): Promise<Task> => {
  const until = monotonicOf(clock) + patience;
  let task = first;
  for (let wait = every; verdictOn(task).is === 'works' && monotonicOf(clock) < until; wait *= 1.5) {
    await pause(clock, Math.min(wait, 5_000, patience), along.signal);
    task = ownTask(await taskBy(connection, first.id, along), of, first.id);
  }
  return task;
};

/** The task of a call, where its agent knows it by the conversation that we named. */
export const found = async (
  connection: Connection,
  of: Conversation,
  along: Along,
): Promise<Task | undefined> => {
  const [latest] = await tasksIn(connection, of.contextId, along);
  return latest && ownTask(latest, of, undefined);
};

/** Where our question shows the remote message, so that a part of ours is a part of theirs. */
const shownAt = '/payload/message';

/** The parts of a person's answer; `undefined` where it is about what the agent never said. */
const partsOf = (answer: UpFeedback, { message, messageId }: Asked): Part[] | undefined => {
  if (message === null) {
    const { content } = answer;
    const text = typeof content === 'string' ? content : answer.type;
    return [textPart(text), ...(typeof content === 'object' ? [dataPart(content)] : [])];
  }
  const part = partOf(answer);
  if (part !== '' && !part.startsWith(`${shownAt}/`)) return undefined;
  const target = part === '' ? messageId : { messageId, part: part.slice(shownAt.length) };
  return [dataPart({ ...answer, target }, 'UpFeedback')];
};

/** A person's answer, to what, and whence the approval comes that it may want. */
export interface Answered {
  readonly answer: UpFeedback;
  /** The digest of what the person saw. */
  readonly question: string;
  readonly approval: RemoteAgentOptions<never>['approval'];
}

/** Sends a person's answer on, once, and only where what it answers is still what is asked. */
export const answeredBy = async (
  connection: Connection,
  task: Task,
  of: Conversation,
  { answer, question, approval }: Answered,
  along: Along,
): Promise<Task> => {
  const verdict = verdictOn(task);
  if (verdict.is !== 'asks' || digestOf(verdict.asked) !== question) return task;
  const { asked } = verdict;
  const messageId = nameOf(of.contextId, asked.messageId, JSON.stringify(answer.target));
  const parts = partsOf(answer, asked);
  const wasSent = task.history.some((said) => said.messageId === messageId);
  if (wasSent || parts === undefined) return task;
  const token =
    asked.needsToken && asked.message !== null ? await approval?.(asked.message, answer) : undefined;
  const { contextId, id: taskId } = task;
  const sent = await send(connection, { messageId, contextId, taskId, parts, approval: token }, along);
  const reply = ownReply(sent, of, taskId);
  return isTask(reply) ? reply : task;
};

/** A request as an UpFormat message, and in plain parts for an agent that speaks none. */
export const requestParts = (
  { speaksUpFormat }: Connection,
  id: string,
  { payload, explanation = '' }: ChildRequest,
  clock: Clock,
): Part[] => {
  const text = explanation === '' ? [] : [textPart(explanation)];
  if (!speaksUpFormat) return [...text, dataPart(payload)];
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
