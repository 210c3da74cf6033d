import { Fact, stateName } from '../../machines/index.ts';
import { JsonObject, type UpFormatMessage } from '../../schema/index.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { CharterError } from '../errors.ts';
import type { RecordPayload } from '../ports/ledger.ts';
import type { Environment } from './environment.ts';
import type { Statement } from './record.ts';
import type { TaskCache } from './task-cache.ts';
import type { Task } from './task.ts';
import { isChild } from './view.ts';

/** The ports of facts from outside. */
export type OutsiderPorts = Pick<Environment, 'store' | 'tools' | 'ids' | 'redact'>;

const outsiderFacts = ['dependency.met', 'task.cancelled'] as const;
const isOutsiderFact = (type: string): type is (typeof outsiderFacts)[number] =>
  outsiderFacts.some((allowed) => allowed === type);

const factNotYours = (fact: string, message: string): CharterError<'fact_not_yours'> =>
  new CharterError('fact_not_yours', message, { fact, accepts: outsiderFacts });

/** Reads a fact that an outsider may submit. Throws `fact_not_yours` or `document_invalid`. */
export const readOutsiderFact = (given: unknown): Fact => {
  const type = typeof given === 'object' && given !== null && 'type' in given ? String(given.type) : '';
  if (isOutsiderFact(type)) return parseDocument('Fact', Fact, given);
  throw factNotYours(
    type,
    `${JSON.stringify(type)} is not for outsiders to state: expected ${outsiderFacts.join(' or ')}`,
  );
};

/** Submits a fact. If the chart does not accept it, throws `fact_refused` with what the task waits for. */
export const submitOrThrow = async (task: Task, fact: Fact, statement: Statement): Promise<void> => {
  if (await task.submitFact(fact, statement)) return;
  const accepts = task.view.duties.map(({ kind }) => kind);
  const where = stateName(task.view.snapshot.value);
  throw new CharterError(
    'fact_refused',
    `${where} does not take ${fact.type}; it waits for ${[...new Set(accepts)].join(', ') || 'nothing'}`,
    { taskId: task.taskId, fact: fact.type, state: where, accepts: [...new Set(accepts)] },
  );
};

/** Submits a caller's fact. Throws `fact_not_yours` if it is about a child task, whose end only the child reports. */
export const submitFromOutside = async (
  task: Task,
  environment: OutsiderPorts,
  fact: Fact,
  statement: Statement,
): Promise<void> => {
  const { context } = task.view.snapshot;
  if (fact.type === 'dependency.met' && isChild(context, fact.dependency, environment))
    throw factNotYours(
      fact.type,
      `${fact.dependency} is a nested task: only that task reports its own outcome`,
    );
  await submitOrThrow(task, fact, statement);
};

/** The facts in another agent's message about the waiting calls; empty if it changes nothing. */
export interface MessageFacts {
  readonly facts: readonly Fact[];
  readonly brought: RecordPayload;
}

interface Awaited {
  readonly dependency: string;
  readonly calls: readonly string[];
}

/** Returns the dependency that an agent can meet. */
export const dependencyOf = (task: Task, agentId: string): Awaited | undefined => {
  const found = Object.entries(task.view.context.dependencies).find(
    ([dependency]) => task.view.projection.agents[dependency] === agentId,
  );
  return found && { dependency: found[0], calls: found[1] };
};

/** Returns the outcome of a call whose agent failed: a read has failed, a write is in doubt. */
const failureFactType = ({ view: { context } }: Task, call: string): 'call.failed' | 'call.doubted' =>
  context.calls[call]?.tier === 'read_only' ? 'call.failed' : 'call.doubted';

/**
 * Converts a known agent's message to facts: its state is used, its prose is not (UpFormat 2.1). Its payload is
 * untrusted.
 */
export const readMessage = (
  task: Task,
  { ids, redact }: OutsiderPorts,
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
          .slice(0, 1) // one question for all waiting calls
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
          type: failureFactType(task, call),
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
  environment: OutsiderPorts,
  cache: TaskCache,
  key: string | undefined,
): Promise<void> => {
  const { threadId, messageId, agentId: agent = '' } = message;
  for (const { taskId } of await environment.store.taskIndex({ threadId, isSettled: false })) {
    const isTaken = await cache.use(taskId, async (task) => {
      const awaited = dependencyOf(task, agent);
      if (awaited === undefined) return false;
      const { facts, brought } = readMessage(task, environment, awaited, message);
      for (const [index, fact] of facts.entries()) {
        const isFirst = index === 0 && key !== undefined; // one key covers all facts
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
