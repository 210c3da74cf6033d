import { wrapLanguageModel, type JSONValue, type ToolSet } from 'ai';
import { definitionError } from '../../base/boundary/definition-error.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { warnOfError } from '../../base/boundary/warn-of-error.ts';
import { kept } from '../../base/canonical/kept.ts';
import type { CallOutcome } from '../../guard/outcome.ts';
import type { Run } from '../../guard/run.ts';
import { isNoted, shownResult } from '../../guard/tool-feedback.ts';
import { createBinding, type StepStart } from './binding.ts';
import { createCalls, type SdkCall } from './calls.ts';
import { refuseTools } from './foreign.ts';
import { returnedBy } from './returned.ts';
import { stepMiddleware } from './step.ts';
import { whyNot } from './words.ts';

type Wrapped = Parameters<typeof wrapLanguageModel>[0]['model'];

/** Options of `bind`. */
export interface BindOptions {
  /** The model, with any middleware; of a gateway, the model object and not its name. */
  readonly model: Wrapped;
  /** Waits for people instead of pausing, for an agent that is a tool of another. */
  readonly waits?: boolean;
}

type Approval = { readonly type: 'approved' | 'denied' | 'user-approval'; readonly reason?: string };

/** A call and the tools, in the SDK's approval callback. */
export interface Asked {
  readonly toolCall: SdkCall;
  readonly tools?: ToolSet | undefined;
}

/** The settings that guard a `ToolLoopAgent`, `generateText` or `streamText`. Spread all of them. */
export interface Bound {
  readonly model: ReturnType<typeof wrapLanguageModel>;
  /** Frozen. A copy is refused; use `activeTools` to show fewer tools. */
  readonly tools: ToolSet;
  /** Pauses the SDK when the run waits. It decides nothing. */
  readonly toolApproval: (asked: Asked) => Promise<Approval>;
  /** Checks the tools of each step. Without it no model is called. Call it from your own callback. */
  readonly onStepStart: (step: StepStart) => void;
}

/** A tool as shown to a model. */
export type ShownTool = Pick<ToolSet[string], 'inputSchema'> & { readonly [key: string]: unknown };

/**
 * Returns the SDK's approval for an outcome. The call starts before this, and may pause. The SDK pauses with
 * it.
 */
const approvalOf = (outcome: CallOutcome): Approval => {
  switch (outcome.status) {
    case 'done':
    case 'repairing':
      return { type: 'approved' }; // its `execute` returns the outcome
    case 'paused':
      return { type: 'user-approval', reason: whyNot(outcome) };
    case 'refused':
    case 'ended':
      return { type: 'denied', reason: whyNot(outcome) };
  }
};

/** Returns the result of a call, or throws, as an `execute` does. */
const resultOf = (run: Run, tool: ShownTool, outcome: CallOutcome): unknown => {
  if (outcome.status !== 'done') throw new Error(whyNot(outcome));
  return tool['toModelOutput'] === undefined ? shownResult(outcome) : returnedBy(run, outcome);
};

type Words = NonNullable<ToolSet[string]['toModelOutput']>;

/**
 * Returns a tool whose own words for a model never throw, and are not asked about a result with a note: they expect the
 * tool's result. The model gets JSON instead.
 */
const withWords = (name: string, tool: ShownTool): ShownTool => {
  const words = tool['toModelOutput'] as Words | undefined; // as its author typed it
  if (words === undefined) return tool;
  const toModelOutput = async (given: Parameters<Words>[0]): Promise<Awaited<ReturnType<Words>>> => {
    try {
      if (!isNoted(given.output)) return await words(given);
    } catch (error) {
      const callback = `toModelOutput of tool ${JSON.stringify(name)}`;
      warnOfError(callback, 'the model got JSON; after a restart `output` is the recorded JSON', error);
    }
    return { type: 'json', value: kept(given.output, name).value as JSONValue };
  };
  return { ...tool, toModelOutput };
};

const refusal = (path: string, message: string) => definitionError('bind', [{ path, message }]);

/** Returns the model. Throws `definition_invalid` if untyped code passes none or a name. */
const modelIn = (options: unknown): Wrapped => {
  const model: unknown = isObject(options) ? options['model'] : undefined;
  if (isObject(model) && typeof model['specificationVersion'] === 'string') return model as Wrapped; // the SDK checks the rest
  const got =
    { string: 'the name of a model', undefined: 'none' }[typeof model as string] ?? 'no model of the AI SDK';
  const message = `got ${got}: expected { model } with a model object, such as bind(run, { model: openai('gpt-5') })`;
  throw refusal('/model', message);
};

/** Throws `definition_invalid` if untyped code passes no run. */
const checkRun = (run: unknown): void => {
  if (!isObject(run) || typeof run['taskId'] !== 'string')
    throw refusal('/run', 'expected a run, such as what `guard.begin` returns');
};

/** Binds tools to a run. The run decides, whatever approval the SDK or its messages contain. */
export const bindTools = (shown: ReadonlyMap<string, ShownTool>, run: Run, options: BindOptions): Bound => {
  checkRun(run);
  const model = modelIn(options);
  const { waits = false } = options;
  const calls = createCalls(run, waits);
  const boundTool = (toolName: string, tool: ShownTool): ToolSet[string] => {
    const execute: ToolSet[string]['execute'] = async (input: unknown, { toolCallId, abortSignal }) => {
      const call = { toolCallId, toolName, input };
      const outcome = await calls.begin(call, abortSignal);
      calls.remove(call);
      return resultOf(run, tool, outcome);
    };
    return Object.freeze({ ...withWords(toolName, tool), execute });
  };
  const tools = Object.fromEntries([...shown].map(([name, tool]) => [name, boundTool(name, tool)]));
  const binding = createBinding(Object.freeze(tools), run);
  const toolApproval: Bound['toolApproval'] = async ({ toolCall, tools: called }) => {
    // calls approved in messages run before the first step
    if (called !== undefined) refuseTools(binding.issuesOfTool(called, toolCall.toolName));
    const approval = approvalOf(await calls.begin(toolCall));
    if (approval.type === 'denied') calls.remove(toolCall); // it is not executed
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
