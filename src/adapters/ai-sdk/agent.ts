import type { ModelMessage, TextStreamPart, ToolSet } from 'ai';
import type { Delivered, Ended, Paused, Refused } from '../../guard/outcome.ts';
import type { Draft, Run } from '../../guard/run.ts';

interface TurnSettings {
  messages: ModelMessage[];
  abortSignal?: AbortSignal;
  onStepEnd: (step: { readonly response: { readonly messages: readonly ModelMessage[] } }) => void;
}

/** An agent of the SDK, such as a `ToolLoopAgent`, made with what `bind` returned. */
export interface GuardedAgent {
  readonly tools: ToolSet;
  generate(settings: TurnSettings): PromiseLike<unknown>;
  stream(settings: TurnSettings): PromiseLike<{
    readonly stream: AsyncIterable<TextStreamPart<ToolSet>>;
  }>;
}

/** One run of an agent, from its first messages or from those that it was paused with. */
export interface GuardedGeneration {
  readonly run: Run;
  readonly agent: GuardedAgent;
  /** What the model remembers, as JSON: never an authority. */
  readonly messages: readonly ModelMessage[];
  /** Reads the text that an agent ended with; left out, a JSON object is the payload, and other text its `text`. */
  readonly draft?: (text: string) => Draft;
  /** Waits for people in place instead of pausing: for an agent that is a tool of another. */
  readonly waits?: boolean;
  /** Ends the generation; the run stays as it is recorded. */
  readonly signal?: AbortSignal;
}

/** People are waited for: with these messages, as JSON, it goes on in any process. */
export interface PausedAgent extends Paused {
  readonly messages: readonly ModelMessage[];
}

/** The agent stopped by itself, by its `stopWhen` or with an answer that may not be changed any more; the run is open. */
export interface StoppedAgent {
  readonly status: 'stopped';
  readonly refusal: Refused | null;
  readonly messages: readonly ModelMessage[];
}

/** Where an agent stopped; an answer is in what was delivered, and nowhere else. */
export type GuardedStop = Delivered | PausedAgent | Ended | StoppedAgent;
