import { wrapLanguageModel, type ToolSet } from 'ai';
import { isObject } from '../../boundary/is-object.ts';
import { CharterError } from '../../errors.ts';
import type { CallOutcome } from '../../guard/outcome.ts';
import type { Run } from '../../guard/run.ts';
import { createBinding, type StepStart } from './binding.ts';
import { createCalls, type SdkCall } from './calls.ts';
import { refuseTools } from './foreign.ts';
import { stepMiddleware } from './step.ts';
import { whyNot } from './words.ts';

type Wrapped = Parameters<typeof wrapLanguageModel>[0]['model'];

/** How an agent is bound to a run. */
export interface BindOptions {
  /** The model, with whatever middleware it has; of a gateway, its object and not its name. */
  readonly model: Wrapped;
  /** Waits for people in place instead of pausing: for an agent that is a tool of another. */
  readonly waits?: boolean;
}

type Approval = { readonly type: 'approved' | 'denied' | 'user-approval'; readonly reason?: string };

/** What the SDK asks before it calls a tool, and the tools of which it calls one. */
export interface Asked {
  readonly toolCall: SdkCall;
  readonly tools?: ToolSet | undefined;
}

/** The settings of `ToolLoopAgent`, `generateText` and `streamText` that guard an agent: spread all of them. */
export interface Bound {
  readonly model: ReturnType<typeof wrapLanguageModel>;
  /** Frozen, and used as it is: a copy is refused. `activeTools` shows fewer. */
  readonly tools: ToolSet;
  /** Tells the SDK where to stand still; it decides nothing. */
  readonly toolApproval: (asked: Asked) => Promise<Approval>;
  /** Sees which tools the SDK calls in a step: without it no model is asked. A callback of your own calls it. */
  readonly onStepStart: (step: StepStart) => void;
}

/** A tool as a model sees it. */
export type ShownTool = Pick<ToolSet[string], 'inputSchema'> & { readonly [key: string]: unknown };

/** A call is under way before it is approved, and may pause while it is made: where it stands still, so does the SDK. */
const approvalOf = (outcome: CallOutcome): Approval => {
  switch (outcome.status) {
    case 'done':
    case 'repairing':
      return { type: 'approved' }; // its `execute` says what it brought, or how it failed
    case 'paused':
      return { type: 'user-approval', reason: whyNot(outcome) };
    case 'refused':
    case 'ended':
      return { type: 'denied', reason: whyNot(outcome) };
  }
};

/** A failed call is what an `execute` throws, in the SDK's terms. */
const resultOf = (outcome: CallOutcome): unknown => {
  if (outcome.status === 'done') return outcome.result;
  throw new Error(whyNot(outcome));
};

/** Hosts without types leave the model out, or name it. Throws `definition_invalid`. */
const modelIn = (options: unknown): Wrapped => {
  const model: unknown = isObject(options) ? options['model'] : undefined;
  if (typeof model === 'object' && model !== null) return model as Wrapped; // the SDK says what else it lacks
  const got = typeof model === 'string' ? 'the name of a model' : 'none';
  const message = `got ${got}: bind wants { model }, the object of a model, such as bind(run, { model: openai('gpt-5') })`;
  throw new CharterError('definition_invalid', `bind: /model ${message}`, {
    definition: 'bind',
    issues: [{ path: '/model', message }],
  });
};

/** Binds tools to a run: whatever the SDK, or a message that it is given, says of an approval, the run is asked. */
export const bindTools = (shown: ReadonlyMap<string, ShownTool>, run: Run, options: BindOptions): Bound => {
  const model = modelIn(options);
  const { waits = false } = options;
  const calls = createCalls(run, waits);
  const boundTool = (toolName: string, tool: ShownTool): ToolSet[string] => {
    const execute: ToolSet[string]['execute'] = async (input: unknown, { toolCallId, abortSignal }) => {
      const call = { toolCallId, toolName, input };
      const outcome = await calls.begin(call, abortSignal);
      calls.forget(call);
      return resultOf(outcome);
    };
    return Object.freeze({ ...tool, execute });
  };
  const tools = Object.fromEntries([...shown].map(([name, tool]) => [name, boundTool(name, tool)]));
  const binding = createBinding(Object.freeze(tools), run);
  const toolApproval: Bound['toolApproval'] = async ({ toolCall, tools: called }) => {
    // calls that messages approve are made before the first step
    if (called !== undefined) refuseTools(binding.issuesOfTool(called, toolCall.toolName));
    const approval = approvalOf(await calls.begin(toolCall));
    if (approval.type === 'denied') calls.forget(toolCall); // it is not executed
    return approval;
  };
  const middleware = stepMiddleware(run, binding, calls);
  return Object.freeze({
    model: Object.freeze(wrapLanguageModel({ model, middleware })),
    tools,
    toolApproval,
    onStepStart: binding.begin,
  });
};
