import * as z from 'zod';
import type { Fact } from '../../../machines/index.ts';
import { Identifier, JsonObject, UpFormatMessage } from '../../../schema/index.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { frozenCopy } from '../../base/canonical/freeze.ts';
import { CharterError, isCharterError } from '../../base/errors.ts';
import { messageIdOf } from '../../base/feedback/target.ts';
import type { AgentIdentity } from '../../base/ports/agent-identity.ts';
import type { RecordPayload } from '../../base/ports/ledger.ts';
import { orchestratorActor } from '../kernel/statement.ts';
import type { Environment } from '../shell/environment.ts';
import { once } from '../shell/keyed.ts';
import { submitOrThrow } from '../shell/outsider.ts';
import { recordMessage } from '../shell/record-message.ts';
import { recordedText } from '../shell/redact.ts';
import type { TaskCache } from '../shell/task-cache.ts';
import type { LiveTask } from '../shell/live-task.ts';
import type { Task } from '../shell/task.ts';

const Sender = z.object({ agent_id: Identifier, owner_id: Identifier });

/** A message of another agent, and who sent it, as the host authenticated it. */
interface Received {
  readonly message: UpFormatMessage;
  readonly from: AgentIdentity;
}

/** Returns a message as it is recorded: as it came, after `redact`. */
const recorded = (message: UpFormatMessage, { redact }: Pick<Environment, 'redact'>): UpFormatMessage =>
  deepFreeze({
    ...message,
    payload: JsonObject.parse(redact(message.payload, 'result')),
    explanation: recordedText(redact, message.explanation),
  });

/** A dependency, and the calls that wait for it. */
interface Awaited {
  readonly dependency: string;
  readonly calls: readonly string[];
}

const isAgent = (one: AgentIdentity | undefined, other: AgentIdentity): boolean =>
  one?.agent_id === other.agent_id && one.owner_id === other.owner_id;

/** Returns the dependency that an agent can meet. */
const dependencyOf = ({ view }: LiveTask, from: AgentIdentity): Awaited | undefined => {
  const found = Object.entries(view.context.dependencies).find(([dependency]) =>
    isAgent(view.projection.agents[dependency], from),
  );
  return found && { dependency: found[0], calls: found[1] };
};

/** Returns whether a message is the review of another agent: feedback on this thread, by an agent of its owner. */
const isReview = ({ view: { projection } }: LiveTask, { message, from }: Received): boolean => {
  const { upFeedback } = message;
  if (upFeedback === undefined || from.owner_id !== projection.request.identity.owner_id) return false;
  return projection.thread.some(({ messageId }) => messageId === messageIdOf(upFeedback));
};

/** Returns the outcome of a call whose agent failed: a read has failed, a write is in doubt. */
const failureFactType = ({ view: { context } }: LiveTask, call: string): 'call.failed' | 'call.doubted' =>
  context.calls[call]?.tier === 'read_only' ? 'call.failed' : 'call.doubted';

/**
 * Returns the facts in a message of an awaited agent: its state is used, its prose is not (UpFormat 2.1). Its payload
 * is untrusted.
 */
const factsIn = (
  task: LiveTask,
  { ids }: Environment,
  { dependency, calls }: Awaited,
  { state, payload, explanation, agentId: agent = '' }: UpFormatMessage,
): { readonly facts: readonly Fact[]; readonly brought: RecordPayload } => {
  const { request, attempt } = task.view.context;
  const brought = { explanation, agent };
  switch (state) {
    case 'needsHumanDecision':
      return {
        facts: calls
          .slice(0, 1) // one question for all waiting calls
          .map((call) => ({ type: 'question.raised', request, attempt, call, question: ids.uuid() })),
        brought: { ...brought, payload },
      };
    case 'completed':
    case 'followup':
      return { facts: [{ type: 'dependency.met', dependency }], brought: { ...brought, met: payload } };
    case 'failed':
    case 'cancelled':
      return {
        facts: calls.map((call) => {
          const of = { request, attempt, call, code: 'CHILD_FAILED' } as const;
          return { type: failureFactType(task, call), ...of };
        }),
        brought,
      };
    case 'submitted':
    case 'waiting':
      return { facts: [], brought };
  }
};

/** The most messages of other participants that a task takes. */
const mostReceived = 1_000;

const isFull = ({ view: { projection } }: LiveTask): boolean =>
  projection.thread.length - projection.messages.length >= mostReceived;

/** Returns why nobody may send a message under this name; `null` for a name that its sender has. */
const senderFault = (agentId: string, from: AgentIdentity): string | null => {
  if (agentId !== from.agent_id)
    return `it names agent ${quoted(agentId)}, and agent ${quoted(from.agent_id)} sent it`;
  return agentId === orchestratorActor.id ? `${quoted(agentId)} is the name of the orchestrator` : null;
};

const quoted = (text: string): string => JSON.stringify(text);

/** Submits the message of an awaited agent or a reviewer to its task, under a key. */
const take = async (
  task: Task,
  environment: Environment,
  { message: given, from }: Received,
  key: string | undefined,
): Promise<void> => {
  const awaited = dependencyOf(task, from);
  const message = recorded(given, environment);
  const actor = { kind: 'agent', id: from.agent_id } as const;
  await recordMessage(task, environment, { message, actor, owner: from.owner_id });
  if (awaited === undefined) return;
  const { facts, brought } = factsIn(task, environment, awaited, message);
  for (const [index, fact] of facts.entries()) {
    const isFirst = index === 0 && key !== undefined; // one key covers all facts
    await submitOrThrow(task, environment, fact, { actor, brought, ...(isFirst && { key }) });
  }
};

/** Returns whether a message of the engine itself has this id. */
const isTaken = async ({ store }: Environment, messageId: string): Promise<boolean> => {
  const found = await store.find({ message: messageId });
  return found !== undefined && (await store.load(found.taskId))?.records[found.seq]?.kind !== 'message';
};

/** Records in a task that a message was refused. */
const recordRefusal = (
  task: Task,
  { redact }: Environment,
  { from: { agent_id: id, owner_id: owner } }: Received,
  reason: string,
): Promise<void> =>
  task.record(
    'refusal',
    {
      actor: { kind: 'agent', id },
      code: 'IDENTITY_INVALID',
      brought: { explanation: recordedText(redact, `A message is refused: ${reason}.`), owner },
    },
    true,
  );

/** Submits another agent's message to the task that waits for it, or that it reviews; returns why it is refused. */
const offer = async (
  received: Received,
  environment: Environment,
  cache: TaskCache,
  key: string | undefined,
): Promise<string | null> => {
  const { message, from } = received;
  const { agentId = from.agent_id, threadId } = message;
  const open = await environment.store.taskIndex({ threadId, isSettled: false });
  const own = { message: { ...message, agentId }, from };
  const fault = senderFault(agentId, from);
  let reason =
    fault ??
    `no task of thread ${threadId} waits for agent ${quoted(agentId)} of ${quoted(from.owner_id)} (a tool waits with notYet({ agent })), and its upFeedback targets no message of the thread`;
  for (const { taskId } of fault === null ? open : []) {
    const hears = (task: LiveTask) => dependencyOf(task, from) !== undefined || isReview(task, own);
    if (!(await cache.use(taskId, hears))) continue;
    if (await cache.use(taskId, isFull)) {
      reason = `its task has ${mostReceived.toLocaleString('en')} messages of others`;
      break;
    }
    if (!(await isTaken(environment, message.messageId))) {
      await cache.use(taskId, (task) => take(task, environment, own, key));
      return null;
    }
    reason = 'its messageId is that of an earlier message'; // only a sender that is heard learns it
  }
  const [first] = open;
  if (first !== undefined)
    await cache.use(first.taskId, (task) => recordRefusal(task, environment, received, reason));
  return reason;
};

/** Receives another agent's message once. Throws `message_refused`. */
const receive = async (received: Received, environment: Environment, cache: TaskCache): Promise<void> => {
  const { message, from } = received;
  const { messageId, explanation } = message;
  const refusal = (reason: string): CharterError<'message_refused'> =>
    new CharterError(
      'message_refused',
      `the message is refused: ${reason}; check its thread, agent and owner, and give it a new messageId`,
      { messageId, reason },
    );
  const sent = once(environment.store, {
    key: `receive ${JSON.stringify([from.owner_id, from.agent_id, messageId])}`, // keeps other agents' message ids private
    name: messageId,
    isSame: ({ brought }) => brought.explanation === recordedText(environment.redact, explanation),
    onRepeat: () => undefined,
    send: async (key) => {
      const reason = await offer(received, environment, cache, key);
      if (reason !== null) throw refusal(reason);
    },
  });
  try {
    await sent;
  } catch (error) {
    if (!isCharterError(error, 'key_reused')) throw error;
    const reason = 'its messageId was sent before with other content';
    await cache.use(error.details.taskId, (task) => recordRefusal(task, environment, received, reason));
    throw refusal(reason);
  }
};

/**
 * Reads another agent's message, and its sender. Throws `document_invalid`. Returns what receives the message once, and
 * throws `message_refused`.
 */
export const readReceived = (given: unknown, sender: unknown) => {
  const message = parseDocument('UpFormatMessage', UpFormatMessage, frozenCopy(given, 'UpFormatMessage'));
  const from = parseDocument('from', Sender, frozenCopy(sender, 'from'));
  return (ports: Environment, cache: TaskCache): Promise<void> => receive({ message, from }, ports, cache);
};
