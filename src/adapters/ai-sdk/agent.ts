import type { ModelMessage, TextStreamPart, ToolSet } from 'ai';
import type { Delivered, Ended, Paused, Refused } from '../../guard/outcome.ts';
import type { Draft, Run } from '../../guard/run.ts';
import type { SealKey } from './seal.ts';
import type { Watching } from './watch.ts';

interface TurnSettings extends Watching {
  messages: ModelMessage[];
  abortSignal: AbortSignal;
}

/** An agent of the SDK, such as a `ToolLoopAgent`, made with what `bind` returned; one of your own passes the callbacks on. */
export interface GuardedAgent {
  readonly tools: ToolSet;
  generate(settings: TurnSettings): PromiseLike<unknown>;
  stream(settings: TurnSettings): PromiseLike<{
    readonly stream: AsyncIterable<TextStreamPart<ToolSet>>;
  }>;
}

/** How an agent is run. */
export interface GuardedSettings {
  readonly run: Run;
  readonly agent: GuardedAgent;
  /** A secret of 32 bytes or more, the same in every process: it seals what is kept when the agent stops. */
  readonly key: SealKey;
  /** Reads the text that an agent ended with; by default a JSON object is the payload, and other text its `text`. */
  readonly draft?: (text: string) => Draft;
  /** Waits for people in place instead of pausing: for an agent that is a tool of another. */
  readonly waits?: boolean;
  /** Ends the generation; the run stays as it is recorded. */
  readonly signal?: AbortSignal;
}

/** Begins with messages that end with one of the user; what stands before it may be an earlier conversation. */
export interface FromMessages {
  readonly messages: readonly ModelMessage[];
  readonly kept?: undefined;
}

/** Goes on where the agent stopped, in this process or another. */
export interface FromKept {
  readonly messages?: undefined;
  /** The `kept` of the stop, unchanged. */
  readonly kept: string;
}

/** One run of an agent, from its first messages or from what was kept when it stopped. */
export type GuardedGeneration = GuardedSettings & (FromMessages | FromKept);

/** What a stop leaves to go on with. */
export interface Kept {
  /** The conversation so far, to be shown: it cannot be gone on with. */
  readonly messages: readonly ModelMessage[];
  /** The same, sealed for this run: `kept` of the next call. Anyone can read it, and no one can change it unseen. */
  readonly kept: string;
}

/** People are waited for. */
export interface PausedAgent extends Paused, Kept {}

/** The agent stopped by itself, by its `stopWhen` or with an answer that may not be changed any more; the run is open. */
export interface StoppedAgent extends Kept {
  readonly status: 'stopped';
  readonly refusal: Refused | null;
}

/** Where an agent stopped; an answer is in what was delivered, and nowhere else. */
export type GuardedStop = Delivered | PausedAgent | Ended | StoppedAgent;
