import type { Message, Task } from '@a2a-js/sdk';
import * as z from 'zod';
import { declaredTerms } from '../../../base/define/labels.ts';
import { parseTool } from '../../../base/define/tool.ts';
import { allowanceOf, budgetOf } from '../../../base/boundary/budget.ts';
import { refuseDefinition } from '../../../base/define/definition.ts';
import { causeOf, isCharterError } from '../../../base/errors.ts';
import type { CallContext, ChildRequest, Found, LookupContext } from '../../../base/ports/tool.ts';
import { systemClock } from '../../../core/shell/clock.ts';
import { upFormatUri } from '../extension.ts';
import { connectionTo, send, taskBy, type CallSettings, type Connection } from './connection.ts';
import { sendAnswer, findTask, nameOf, requestParts, pollUntilChanged } from './conversation.ts';
import { dependencyOf, type RemoteAgent, type RemoteAgentOptions } from './options.ts';
import { isTask, ownReply, ownTask, type Conversation } from './own.ts';
import { storedQuestionIn, needOf } from './question.ts';
import { partsIn, verdictOn } from './verdict.ts';

/** The payload of the fact that `attendRemoteAgents` submits. */
const Met = z.object({ taskId: z.string() });

const isWeb = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** Returns the allowed origins. Throws `definition_invalid` for an invalid URL. */
const originsOf = ({
  name,
  agent,
  origins = [],
}: Pick<RemoteAgentOptions<never>, 'name' | 'agent' | 'origins'>): readonly string[] => {
  const issues = [
    ...(typeof agent !== 'string' || isWeb(agent)
      ? []
      : [
          {
            path: '/agent',
            message: 'expected a client of the SDK, or an address that begins with https:// or http://',
          },
        ]),
    ...origins.flatMap((one, at) =>
      isWeb(one)
        ? []
        : [{ path: `/origins/${at}`, message: 'expected an origin, such as https://api.example.com' }],
    ),
  ];
  refuseDefinition('agent', name, issues);
  return origins.map((one) => new URL(one).origin);
};

/**
 * Creates a tool that calls a remote A2A agent. You set tier, policy and approval. Its results are untrusted
 * (UpFormat 4).
 */
export const remoteAgent = <Arguments>(options: RemoteAgentOptions<Arguments>): RemoteAgent => {
  const { name, tier = 'write_high_risk', request, patience = 10_000, every = 250 } = options;
  const isRead = tier === 'read_only';
  const doubt = options.doubt ?? (isRead ? 'idempotent' : 'reconcilable');
  const allowance = allowanceOf(`agent ${name}`, budgetOf(`agent ${name}`, options.budget));
  const reach = connectionTo({ agent: options.agent, name, origins: originsOf(options), allowance });
  const { clock = systemClock } = options;
  const pace = { patience, every, clock };
  const conversationOf = (...of: readonly (string | number)[]): Conversation => ({
    agent: name,
    contextId: nameOf(name, ...of),
  });

  /**
   * Returns the parts that an agent delivered, for evidence. Throws `budget_exceeded` or `input_unreadable`.
   */
  const delivered = (taskId: string | null, parts: readonly unknown[]) => ({
    agent: name,
    taskId,
    parts: allowance.read(`result of ${name}`, parts, 'resultBytes').value,
  });

  const begin = async (
    connection: Connection,
    of: Conversation,
    asked: ChildRequest,
    settings: CallSettings,
  ) => {
    const { contextId } = of;
    const parts = requestParts(connection, contextId, asked, clock);
    return ownReply(
      await send(connection, { messageId: contextId, contextId, parts }, settings),
      of,
      undefined,
    );
  };

  /** Returns the remote task of this call: the known one, or a new one. */
  const own = async (
    connection: Connection,
    of: Conversation,
    asked: ChildRequest,
    context: CallContext,
  ): Promise<Task | Message> => {
    const settings = { signal: context.signal, at: context };
    const taskId = Met.safeParse(context.met).data?.taskId ?? storedQuestionIn(context.asked)?.taskId;
    // the fact names a task; the agent must confirm that it belongs to this call
    if (taskId !== undefined) return ownTask(await taskBy(connection, taskId, settings), of, taskId);
    const isAgain = context.met !== null || context.answer !== null;
    const before = isAgain ? await findTask(connection, of, settings) : undefined;
    if (before === undefined && isAgain && !isRead && !connection.declaresUpFormat)
      throw new Error(`the task of this call is no longer known to ${name}`);
    return before ?? begin(connection, of, asked, settings);
  };

  const conclude = (task: Task, context: CallContext): unknown => {
    const verdict = verdictOn(task);
    switch (verdict.is) {
      case 'works':
        return context.notYet({
          dependency: dependencyOf(name, task.id),
          agent: name,
          explanation: `${name} works on it.`,
        });
      case 'asks':
        allowance.read(`question of ${name}`, verdict.asked, 'resultBytes');
        return context.needsHuman(needOf(name, task.id, verdict.asked));
      case 'done':
        return delivered(task.id, verdict.parts);
      case 'failed':
        if (verdict.isUndone) return context.notDone(verdict.explanation);
        throw new Error(verdict.explanation);
    }
  };

  const call = async (input: Arguments, context: CallContext): Promise<unknown> => {
    const settings = { signal: context.signal, at: context };
    const of = conversationOf(context.key, ...(isRead ? [context.attempt] : []));
    let connection: Connection;
    try {
      connection = await reach(context.signal);
    } catch (error) {
      return context.notDone(`${name} was not reached: ${causeOf(error)}`);
    }
    if (!isRead && doubt === 'idempotent' && !connection.declaresUpFormat)
      return context.notDone(`${name} does not declare ${upFormatUri}: a message might be executed twice`);
    // without `request`, arguments must be an object: a payload schema rejects anything else
    const asked = request?.(input) ?? { payload: input as ChildRequest['payload'] };
    const sent = await own(connection, of, asked, context);
    if (!isTask(sent)) return delivered(null, partsIn(sent));
    const { answer } = context;
    const kept = storedQuestionIn(context.asked);
    const task =
      answer === null || kept === null
        ? sent
        : await sendAnswer(
            connection,
            sent,
            of,
            { answer, question: kept.question, approval: options.approval },
            settings,
          );
    return conclude(await pollUntilChanged(connection, task, of, settings, pace), context);
  };

  /** Looks up a call by its conversation id. */
  const lookup = async (key: string, { signal }: LookupContext): Promise<Found> => {
    const connection = await reach(signal);
    const of = conversationOf(key);
    const task = await findTask(connection, of, { signal });
    if (task === undefined) return { found: 'unknown' }; // the message may still be in transit
    const verdict = verdictOn(await pollUntilChanged(connection, task, of, { signal }, pace));
    if (verdict.is === 'done') return { found: 'done', result: delivered(task.id, verdict.parts) };
    return { found: verdict.is === 'failed' && verdict.isUndone ? 'absent' : 'unknown' };
  };

  const tool = parseTool({
    name,
    description: options.description,
    tier,
    input: options.input,
    doubt,
    call,
    ...(options.version !== undefined && { version: options.version }),
    ...(options.rollback !== undefined && { rollback: options.rollback }),
    ...declaredTerms(options),
    ...(doubt === 'reconcilable' && { lookup }),
  });
  return Object.freeze({
    ...tool,
    hasMoved: async (taskId: string, signal: AbortSignal) => {
      try {
        const task = await taskBy(await reach(signal), taskId, { signal });
        return task.id !== taskId || verdictOn(task).is !== 'works';
      } catch (error) {
        if (isCharterError(error)) return true; // the call itself records the refusal
        throw error;
      }
    },
  });
};
