import type { ModelMessage, ToolSet } from 'ai';
import type { Issue } from '../../base/errors.ts';
import type { Binding, StepStart } from './binding.ts';
import { toolsError } from './foreign.ts';
import { emptyAnswer } from './messages.ts';

/** The SDK's callbacks for a generation. */
export interface Watching {
  readonly onStart: (start: { readonly tools?: ToolSet | undefined }) => PromiseLike<void> | void;
  readonly onStepStart: (step: StepStart) => PromiseLike<void> | void;
  readonly onStepEnd: (step: {
    readonly finishReason: string;
    readonly response: { readonly messages: readonly ModelMessage[] };
  }) => void;
}

/** A watched generation. */
export interface Watch extends Watching {
  /** The messages of completed steps. */
  readonly added: readonly ModelMessage[];
  /** Aborts when the generation is refused or cancelled. */
  readonly signal: AbortSignal;
  /** Awaits the SDK. Throws `definition_invalid` as soon as it uses tools that are not bound. */
  readonly orRefused: <Value>(work: PromiseLike<Value>) => Promise<Value>;
}

const notForwarded = {
  path: '/agent',
  message:
    'ended a step without onStepStart: expected an agent that passes onStart, onStepStart and onStepEnd on to the SDK',
};
const hosted = { path: '/tools', message: 'a provider executed a tool: expected calls only' };

const isHosted = ({ role, content }: ModelMessage): boolean =>
  role === 'assistant' &&
  typeof content !== 'string' &&
  content.some(
    (part) => part.type === 'tool-result' || (part.type === 'tool-call' && part.providerExecuted === true),
  );

/**
 * Watches a generation. At its start and at each step, its tools must be the bound ones.
 *
 * The SDK awaits its callbacks but ignores their errors. A callback that finds other tools never resolves,
 * which stops the generation.
 */
export const watchGeneration = (binding: Binding, outerSignal?: AbortSignal): Watch => {
  const added: ModelMessage[] = [];
  let steps = 0;
  const stop = new AbortController();
  const refused = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason as Error), { once: true });
  });
  refused.catch(() => {}); // unhandled once the SDK is done

  const refuse = (...issues: readonly Issue[]): void => stop.abort(toolsError(issues));
  const held = (issues: readonly Issue[]): Promise<never> | undefined => {
    if (issues.length === 0) return undefined;
    refuse(...issues);
    return new Promise<never>(() => {});
  };
  return {
    added,
    signal: AbortSignal.any(outerSignal === undefined ? [stop.signal] : [stop.signal, outerSignal]),
    orRefused: (work) => Promise.race([refused, work]),
    onStart: ({ tools }) => held(binding.issuesOf(tools)),
    onStepStart: (step) => {
      binding.begin(step);
      steps += 1;
      return held(binding.issuesOf(step.tools));
    },
    onStepEnd: ({ finishReason, response: { messages } }) => {
      steps -= 1;
      added.push(...(messages.length === 0 && finishReason === 'stop' ? [emptyAnswer] : messages));
      if (steps < 0) refuse(notForwarded);
      if (messages.some(isHosted)) refuse(hosted);
    },
  };
};
