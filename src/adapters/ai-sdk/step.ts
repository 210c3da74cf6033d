import type { LanguageModelMiddleware } from 'ai';
import type { Run } from '../../guard/run.ts';
import { overIn } from '../../guard/tool-feedback.ts';
import { noteAnswer } from '../../guard/unconcluded.ts';
import { argumentsText, readArgumentsText } from './arguments.ts';
import type { Binding } from './binding.ts';
import type { Calls } from './calls.ts';
import { refuseTools } from './foreign.ts';
import { providerOptionIssues } from './provider-options.ts';

type Transform = NonNullable<LanguageModelMiddleware['transformParams']>;
type Params = Awaited<ReturnType<Transform>>;
type Generated = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapGenerate']>>>;
type Content = Generated['content'][number];
type StreamPart =
  Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>> extends {
    stream: ReadableStream<infer Part>;
  }
    ? Part
    : never;
type ModelCall = Extract<Content, { readonly type: 'tool-call' }>;

const path = '/tools';

/**
 * Returns a function that prepares the calls of one response: each gets readable arguments, and an id of its own. The SDK takes
 * calls by their ids, and model servers may give several calls one.
 */
const callPreparer = (): ((part: ModelCall) => ModelCall) => {
  const times = new Map<string, number>();
  return (part) => {
    const { toolCallId: id } = part;
    const time = (times.get(id) ?? 0) + 1;
    times.set(id, time);
    return { ...part, toolCallId: time === 1 ? id : `${id}#${time}`, input: argumentsText(part.input) };
  };
};

/** Rejects provider-executed results: they were not proposed, so they are no evidence. */
const refuseHosted = (part: Content | StreamPart): void => {
  const isHosted =
    part.type === 'source' || // search results
    part.type === 'tool-result' ||
    part.type === 'tool-approval-request' ||
    (part.type === 'tool-call' && part.providerExecuted === true);
  if (isHosted)
    refuseTools([
      { path, message: 'a provider executed a tool, or cites its own search: expected calls only' },
    ]);
};

/** Throws unless the step uses exactly the bound tools. */
const refuseUnbound = ({ tools = [], prompt, providerOptions }: Params, binding: Binding): void => {
  refuseTools([...providerOptionIssues(providerOptions)]);
  if (tools.length > 0) refuseTools(binding.issuesOfStep(prompt));
  const unbound = tools.filter(
    ({ type, name }) => type !== 'function' || !Object.hasOwn(binding.tools, name),
  );
  const message = 'is not bound to the run: expected tools of `bind` only';
  refuseTools(unbound.map(({ name }) => ({ path: `/${name}`, message })));
};

/** Returns model middleware that proposes the calls of one step together, as one round of the chart. */
export const stepMiddleware = (run: Run, binding: Binding, { begin }: Calls): LanguageModelMiddleware => {
  const propose = (calls: readonly ModelCall[], finish: string, params: Params): void => {
    const { tools = [], toolChoice, prompt, abortSignal } = params;
    if (calls.length > 0) refuseTools(binding.issuesOfStep(prompt)); // also for a model without tools
    binding.end(prompt);
    if (calls.length === 0) noteAnswer(run);
    // only the calls that the SDK makes
    if (!['stop', 'tool-calls'].includes(finish) || toolChoice?.type === 'none') return;
    for (const { toolCallId, toolName, input: text } of calls) {
      const input = readArgumentsText(text);
      if (input === undefined || !tools.some(({ name }) => name === toolName)) continue;
      // approval and `execute` get the outcome
      begin({ toolCallId, toolName, input }, abortSignal).catch(() => {});
    }
  };
  return {
    transformParams: async ({ params }) => {
      refuseUnbound(params, binding);
      if (overIn(await run.progress()) !== null) throw new Error('the run is over: no model is asked');
      return params;
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const generated = await doGenerate();
      for (const part of generated.content) refuseHosted(part);
      const prepare = callPreparer();
      const content = generated.content.map((part) => (part.type === 'tool-call' ? prepare(part) : part));
      const calls = content.filter((part) => part.type === 'tool-call');
      propose(calls, generated.finishReason.unified, params);
      return { ...generated, content };
    },
    wrapStream: async ({ doStream, params }) => {
      const streamed = await doStream();
      const calls: ModelCall[] = [];
      const prepare = callPreparer();
      const together = new TransformStream<StreamPart, StreamPart>({
        transform: (part, controller) => {
          refuseHosted(part);
          if (part.type === 'tool-call') {
            calls.push(prepare(part)); // held until the last call is known, because the SDK runs each immediately
            return;
          }
          if (part.type === 'finish') {
            propose(calls, part.finishReason.unified, params);
            for (const call of calls) controller.enqueue(call);
          }
          controller.enqueue(part);
        },
      });
      return { ...streamed, stream: streamed.stream.pipeThrough(together) };
    },
  };
};
