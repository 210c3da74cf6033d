import * as z from 'zod';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { warnWithout } from '../../base/boundary/warn-of-error.ts';
import { isCharterError } from '../../base/errors.ts';
import type { Orchestrator } from '../../core/shell/surface.ts';
import type { StandardSchema } from '../../base/ports/schema.ts';
import {
  callerOf,
  elicit,
  mayElicit,
  metaIn,
  type Caller,
  type FirstContext,
  type SecondContext,
} from './context.ts';
import { formOf } from './form.ts';
import { waitForHalt, type Halt } from './halt.ts';
import {
  begin,
  ended,
  submitAnswer,
  paused,
  sealOf,
  clientError,
  type AnswerResult,
  type Replied,
  type TaskCallOptions,
} from './task-call.ts';

/** The `McpServer` of either SDK. */
export interface TaskToolServer {
  readonly server: { getClientCapabilities(): unknown };
  registerTool(name: string, config: never, callback: never): unknown;
}

/** The request state that a client returns with its answer. */
const State = z.strictObject({ task: z.string(), question: z.string(), of: z.string() });
type State = z.infer<typeof State>;

/** Seals the request state: `createRequestStateCodec` of `@modelcontextprotocol/server`. */
export interface StateCodec {
  mint(state: unknown, context?: never): Promise<string>;
  verify(state: string, context: never): Promise<unknown>;
}

/** Options of a task class as an MCP tool. */
export interface TaskToolOptions<Input> extends TaskCallOptions<Input> {
  readonly description: string;
  /** The input schema. A version 1 server requires zod. */
  readonly input: StandardSchema<Input>;
  /** The codec of request states. By default, a version 2 server asks no one through its client. */
  readonly states?: StateCodec;
  /** Called with errors that the client did not cause; the client sees only that one occurred. By default, a Node.js warning. */
  readonly onError?: (error: unknown) => void;
}

type Waiting = Pick<FirstContext, 'signal' | '_meta'>;

const unasked: AnswerResult = { note: '', mayAskOn: true };
const inputName = 'answer';
const mostRounds = 8;

/**
 * Returns whether an abort means that the client disconnected. Over HTTP, MCP 2026-07-28 cancels in the same
 * way.
 */
const isGone = (reason: unknown): boolean =>
  reason instanceof Error && 'code' in reason && reason.code === 'CONNECTION_CLOSED';

/**
 * Registers a task class as a tool. A call begins a task and returns its result, or an error with its reasons
 * (MCP tools/call; UAICP 4.1). If `by` names the person at the client, it shows questions as forms. An answer
 * counts once.
 *
 * A cancelled call, or a disconnected client, cancels the task. A call with a key (`agentcharter/key` in
 * `_meta`) survives a disconnect: repeat it with the same key.
 */
export const registerTaskTool = <Input>(
  server: TaskToolServer,
  orchestrator: Orchestrator,
  options: TaskToolOptions<Input>,
): void => {
  const { name, description, input, states, answerAt, onError = warnWithout('a task tool failed') } = options;

  const waiting = async (taskId: string, { signal, _meta: meta }: Waiting, caller: Caller): Promise<Halt> => {
    try {
      return await waitForHalt(orchestrator, taskId, signal);
    } catch (error) {
      const mayComeBack = metaIn(meta).key !== undefined && isGone(signal.reason);
      if (!signal.aborted || mayComeBack) throw error;
      const by = options.identity(caller).agent_id;
      await orchestrator.cancel(taskId, { by }).catch((refused: unknown) => {
        if (!isCharterError(refused, 'fact_refused')) throw refused; // it settled meanwhile
      });
      throw error;
    }
  };

  const stateIn = async (context: SecondContext, of: string): Promise<State | null> => {
    const given = context.mcpReq.requestState();
    if (given === undefined) return null;
    // if the server verified it, it is already an object; if not, it is sealed text
    const opened =
      typeof given === 'string' ? await states?.verify(given, context as never).catch(() => null) : given;
    const state = parseDocument('requestState', State, opened);
    if (state.of === of) return state;
    return parseDocument(
      'requestState',
      z.never('expected the state of this caller, tool and arguments'),
      state,
    );
  };

  /** Handles a call of a version 2 client, which repeats the call with the answer. */
  const second = async (given: Input, context: SecondContext): Promise<object> => {
    const { _meta: meta, inputResponses } = context.mcpReq;
    const caller = callerOf(context);
    const by = options.by?.(caller) ?? null;
    const of = sealOf(options, given, caller);
    const state = await stateIn(context, of);
    const taskId = state?.task ?? (await begin(orchestrator, options, given, { caller, meta }));
    const response = inputResponses?.[inputName] ?? { action: 'cancel' };
    const answered =
      state === null || by === null
        ? unasked
        : await submitAnswer(orchestrator, by, response, state.question);
    const halt = await waiting(taskId, context.mcpReq, caller);
    if (halt.is !== 'asks') return ended(taskId, halt, answered.note);
    const { entry } = halt;
    const mayAsk = by !== null && answered.mayAskOn && mayElicit(server, context);
    if (!mayAsk || states === undefined)
      return paused(orchestrator, taskId, entry, { note: answered.note, answerAt });
    const asked: State = { task: taskId, question: entry.message.messageId, of };
    return {
      resultType: 'input_required',
      inputRequests: { [inputName]: { method: 'elicitation/create', params: formOf(entry, answered.note) } },
      requestState: await states.mint(asked, context as never), // a codec is typed for its own SDK's context
    };
  };

  /** Handles a call of a version 1 client. The call stays open during its questions. */
  const first = async (given: Input, context: FirstContext): Promise<Replied> => {
    const { _meta: meta } = context;
    const caller = callerOf(context);
    const by = options.by?.(caller) ?? null;
    const taskId = await begin(orchestrator, options, given, { caller, meta });
    let answered = unasked;
    for (let round = 0; ; round += 1) {
      const halt = await waiting(taskId, context, caller);
      if (halt.is !== 'asks') return ended(taskId, halt, answered.note);
      const { entry } = halt;
      const mayAsk = answered.mayAskOn && round < mostRounds && mayElicit(server, context);
      if (by === null || !mayAsk)
        return paused(orchestrator, taskId, entry, { note: answered.note, answerAt });
      const response = await elicit(context, formOf(entry, answered.note));
      answered = await submitAnswer(orchestrator, by, response, entry.message.messageId);
    }
  };

  const callback = async (given: Input, context: FirstContext | SecondContext): Promise<object> => {
    try {
      return await ('mcpReq' in context ? second(given, context) : first(given, context));
    } catch (error) {
      const shown = clientError(error);
      const { signal } = 'mcpReq' in context ? context.mcpReq : context;
      if (shown !== error && !signal.aborted) onError(error);
      throw shown;
    }
  };
  // each SDK has its own types, and accepts both
  server.registerTool(name, { description, inputSchema: input } as never, callback as never);
};
