import { isAgent } from '../caller.ts';
import { Documents, FeedbackRequest, Thread } from '../documents.ts';
import { UpFormatMessage } from '../../../../schema/index.ts';
import { messageIdOf } from '../../../base/feedback/target.ts';
import { threadIn } from '../../../core/kernel/projection/thread.ts';
import type { TaskSummary } from '../../../core/kernel/summary.ts';
import { keyIn } from '../keyed.ts';
import { readsOf } from '../reads.ts';
import { json, missing } from '../../../optional/server/problem.ts';
import { get, post, type Asked, type Route } from '../route.ts';

/** Returns the tasks among these that no call of another began: what a nested one has read is not for the outer agent. */
const outermost = async (
  { guard }: Asked,
  tasks: readonly TaskSummary[],
): Promise<readonly TaskSummary[]> => {
  const families = await Promise.all(
    tasks.map(async ({ taskId }) => {
      const family = await guard.orchestrator.list({ within: taskId });
      return family.flatMap((one) => (one.taskId === taskId ? [] : one.taskId));
    }),
  );
  const nested = new Set(families.flat());
  return tasks.filter(({ taskId }) => !nested.has(taskId));
};

/** Returns the messages of a thread that a caller may read; `null` if there is no readable run. */
const messagesFor = async (asked: Asked) => {
  const { guard, access, caller, id } = asked;
  const { orchestrator } = guard;
  const tasks = await orchestrator.list({ threadId: id });
  const mayRead = await Promise.all(tasks.map(({ taskId }) => access.mayRead(caller, taskId)));
  const own = tasks.filter((_, at) => mayRead[at]);
  if (own.length === 0) return null;
  const messages = await orchestrator.thread(id);
  if (own.length === tasks.length && !isAgent(caller)) return messages;
  const readableTasks = isAgent(caller) ? await outermost(asked, own) : own;
  const documents = await Promise.all(
    readableTasks.map(async ({ taskId }) => (await readsOf(asked, taskId)).documents()),
  );
  const readable = new Map(threadIn(documents.flat()).map((message) => [message.messageId, message]));
  return messages.flatMap(({ messageId }) => readable.get(messageId) ?? []);
};

/** The routes of UpFormat messages and UAICP documents, for remote agents and people. */
export const messageRoutes: readonly Route[] = [
  post({
    path: '/messages',
    operation: 'sendMessage',
    summary:
      'Submits the message of an agent that a run waits for. Its state is evaluated; its text is not (UpFormat 2.1).',
    admits: 'agent',
    body: UpFormatMessage,
    status: 204,
    response: null,
    errorStatuses: [409],
    answer: async ({ guard, caller }, message) => {
      await guard.orchestrator.receive(message, caller.agent);
      return new Response(null, { status: 204 });
    },
  }),
  get({
    path: '/threads/{threadId}',
    operation: 'readThread',
    summary:
      'Returns the messages of a thread, in order, from the runs that the caller may read; an agent gets none of nested runs.',
    admits: 'caller',
    status: 200,
    response: Thread,
    errorStatuses: [404],
    answer: async (asked) => {
      const messages = await messagesFor(asked);
      return messages === null ? missing('thread') : json({ messages });
    },
  }),
  get({
    path: '/runs/{taskId}/envelopes',
    operation: 'readDocuments',
    summary:
      'Returns the documents of a run: UAICP envelopes, evidence, reports and messages. Only people get signed approvals and what is hidden from the model.',
    admits: 'reader',
    status: 200,
    response: Documents,
    errorStatuses: [404],
    answer: async (asked) => json({ documents: await (await readsOf(asked, asked.id)).documents() }),
  }),
  post({
    path: '/feedback',
    operation: 'respond',
    summary:
      'Answers a question in the name of the authenticated person, if they may read it and `mayRespond` allows it (UpFormat 2.2).',
    admits: 'person',
    body: FeedbackRequest,
    isKeyed: true,
    status: 204,
    response: null,
    errorStatuses: [404],
    answer: async (asked, { feedback, approval }) => {
      const { guard, access, caller } = asked;
      // the same response for every id, so that callers cannot discover the open questions of other runs
      if (!(await access.mayReadQuestion(caller, messageIdOf(feedback)))) return missing('question');
      const sent = { by: caller.person, ...keyIn(asked), ...(approval !== undefined && { approval }) };
      await guard.orchestrator.respond(feedback, sent);
      return new Response(null, { status: 204 });
    },
  }),
];
