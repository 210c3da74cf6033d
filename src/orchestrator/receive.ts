import type { Fact } from '../../machines/index.ts';
import { JsonObject, type UpFormatMessage } from '../../schema/index.ts';
import type { Brought } from '../ports/ledger.ts';
import { CharterError } from '../errors.ts';
import type { Environment } from './environment.ts';
import type { TaskCache } from './task-cache.ts';
import { submitOrThrow } from './outsider.ts';
import type { Task } from './task.ts';

/** The facts in another agent's message about the calls that wait for it; none if it changes nothing. */
export interface MessageFacts {
  readonly facts: readonly Fact[];
  readonly brought: Brought;
}

interface Awaited {
  readonly dependency: string;
  readonly calls: readonly string[];
}

/** The dependency of a task that an agent speaks for. */
export const dependencyOf = (task: Task, agentId: string): Awaited | undefined => {
  const found = Object.entries(task.view.context.dependencies).find(
    ([dependency]) => task.view.projection.agents[dependency] === agentId,
  );
  return found && { dependency: found[0], calls: found[1] };
};

/** A read that an agent failed at has failed; a write may have happened all the same. */
const endOf = ({ view: { context } }: Task, call: string): 'call.failed' | 'call.doubted' =>
  context.calls[call]?.tier === 'read_only' ? 'call.failed' : 'call.doubted';

/** A known agent's message as a fact: its state is read, its prose is not (UpFormat 2.1). What it delivers is untrusted. */
export const readMessage = (
  task: Task,
  { ids, redact }: Environment,
  { dependency, calls }: Awaited,
  message: UpFormatMessage,
): MessageFacts => {
  const { request, attempt } = task.view.context;
  const { explanation } = message;
  const payload = JsonObject.parse(redact(message.payload, 'result'));
  const agent = message.agentId ?? '';
  switch (message.state) {
    case 'needsHumanDecision':
      return {
        facts: calls
          .slice(0, 1) // one question, however many calls wait for its answer
          .map((call) => ({ type: 'question.raised', request, attempt, call, question: ids.uuid() })),
        brought: { explanation, payload, agent },
      };
    case 'completed':
    case 'followup':
      return {
        facts: [{ type: 'dependency.met', dependency }],
        brought: { met: payload, explanation, agent },
      };
    case 'failed':
    case 'cancelled':
      return {
        facts: calls.map((call) => ({
          type: endOf(task, call),
          request,
          attempt,
          call,
          code: 'CHILD_FAILED',
        })),
        brought: { explanation, agent },
      };
    case 'submitted':
    case 'waiting':
      return { facts: [], brought: { explanation, agent } };
  }
};

/** Submits another agent's message to the task that waits for it. Throws `message_refused` if none does. */
export const onMessage = async (
  message: UpFormatMessage,
  environment: Environment,
  cache: TaskCache,
  key: string | undefined,
): Promise<void> => {
  const { threadId, messageId, agentId: agent = '' } = message;
  for (const { taskId } of await environment.store.standings({ threadId, isSettled: false })) {
    const isTaken = await cache.use(taskId, async (task) => {
      const awaited = dependencyOf(task, agent);
      if (awaited === undefined) return false;
      const { facts, brought } = readMessage(task, environment, awaited, message);
      for (const [index, fact] of facts.entries()) {
        const isFirst = index === 0 && key !== undefined; // the key stands for all of them
        await submitOrThrow(task, fact, {
          actor: { kind: 'agent', id: agent },
          brought,
          ...(isFirst && { key }),
        });
      }
      return true;
    });
    if (isTaken) return;
  }
  const reason = `no task of thread ${threadId} waits for agent ${JSON.stringify(agent)}`;
  throw new CharterError('message_refused', reason, { messageId, reason });
};
