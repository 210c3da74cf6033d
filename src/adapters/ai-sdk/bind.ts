import { wrapLanguageModel, type ToolSet } from 'ai';
import type { CallOutcome } from '../../guard/outcome.ts';
import type { Run } from '../../guard/run.ts';
import { createCalls, type SdkCall } from './calls.ts';
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

/** The seams of `ToolLoopAgent`, `generateText` and `streamText`: to be spread into their settings. */
export interface Bound {
  readonly model: ReturnType<typeof wrapLanguageModel>;
  readonly tools: ToolSet;
  /** Tells the SDK where to stand still; it decides nothing. */
  readonly toolApproval: (asked: { readonly toolCall: SdkCall }) => Promise<Approval>;
}

/** A tool as a model sees it. */
export type ShownTool = Pick<ToolSet[string], 'inputSchema'> & { readonly [key: string]: unknown };

const taskOf = new WeakMap<object, string>();

/** Whether tools are bound to this run, all of them. */
export const isBound = (tools: ToolSet, { taskId }: Run): boolean =>
  Object.values(tools).every((tool) => taskOf.get(tool) === taskId);

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

/** Binds tools to a run: whatever the SDK, or a message that it is given, says of an approval, the run is asked. */
export const bindTools = (shown: ReadonlyMap<string, ShownTool>, run: Run, options: BindOptions): Bound => {
  const { model, waits = false } = options;
  const calls = createCalls(run, waits);
  const tools: ToolSet = {};
  for (const [toolName, tool] of shown) {
    const execute: ToolSet[string]['execute'] = async (input: unknown, { toolCallId, abortSignal }) => {
      const call = { toolCallId, toolName, input };
      const outcome = await calls.begin(call, abortSignal);
      calls.forget(call);
      return resultOf(outcome);
    };
    const bound = { ...tool, execute } as ToolSet[string];
    taskOf.set(bound, run.taskId);
    tools[toolName] = bound;
  }
  const middleware = stepMiddleware(run, new Set(shown.keys()), calls);
  const toolApproval: Bound['toolApproval'] = async ({ toolCall }) => {
    const approval = approvalOf(await calls.begin(toolCall));
    if (approval.type === 'denied') calls.forget(toolCall); // it is not executed
    return approval;
  };
  return { model: wrapLanguageModel({ model, middleware }), tools, toolApproval };
};
