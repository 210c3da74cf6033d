import type { ModelMessage, TextStreamPart, ToolSet } from 'ai';
import type { Delivered, Ended, Paused, Refused } from '../../guard/outcome.ts';
import type { Draft, Run } from '../../guard/run.ts';
import type { SealKey } from './seal.ts';
import type { Watching } from './watch.ts';

interface TurnSettings extends Watching {
  messages: ModelMessage[];
  abortSignal: AbortSignal;
}

/**
 * An agent of the SDK, such as a `ToolLoopAgent`, created with the result of `bind`. Your own agent must pass
 * on the callbacks.
 */
export interface GuardedAgent {
  readonly tools: ToolSet;
  generate(settings: TurnSettings): PromiseLike<unknown>;
  stream(settings: TurnSettings): PromiseLike<{
    readonly stream: AsyncIterable<TextStreamPart<ToolSet>>;
  }>;
}

/** Settings of a guarded generation. */
export interface GuardedSettings {
  readonly run: Run;
  readonly agent: GuardedAgent;
  /**
   * Parses the agent's final text. By default, a JSON object is the payload; other text becomes `{ text }`.
   */
  readonly draft?: (text: string) => Draft;
  /** Waits for people instead of pausing, for an agent that is a tool of another. */
  readonly waits?: boolean;
  /** Aborts the generation. The recorded run stays. */
  readonly signal?: AbortSignal;
}

/** Starts with messages; the last one must be of the user. */
export interface FromMessages {
  readonly messages: readonly ModelMessage[];
  readonly kept?: undefined;
}

/** Continues where the agent stopped, also in another process. */
export interface FromKept {
  readonly messages?: undefined;
  /** The unchanged `kept` of the stop. */
  readonly kept: string;
}

/** Keeps the messages at the host, sealed, in place of the task. */
export interface Sealing {
  /** A secret of at least 32 bytes, shared by all processes. It seals the messages of a stopped agent. */
  readonly key: SealKey;
}

/** A run of an agent whose messages are saved with its task: it begins with `messages`, or where it stopped. */
export type SavedGeneration = GuardedSettings & FromMessages & { readonly key?: undefined };

/** A run of an agent whose messages the host keeps, from its first messages or from a stop. */
export type SealedGeneration = GuardedSettings & Sealing & (FromMessages | FromKept);

/** A run of an agent whose messages are saved with its task, or kept by the host. */
export type GuardedGeneration = SavedGeneration | SealedGeneration;

/** The state of a stopped agent. */
export interface Kept {
  /** The conversation so far, for display only. */
  readonly messages: readonly ModelMessage[];
  /** The conversation, sealed for this run: pass it as `kept`. It is signed, not encrypted. */
  readonly kept: string;
}

/** The agent waits for people. */
export interface PausedAgent extends Paused, Kept {}

/** The agent stopped, by `stopWhen` or with an answer that can no longer be changed. The run is open. */
export interface StoppedAgent extends Kept {
  readonly status: 'stopped';
  readonly refusal: Refused | null;
}

/** Where an agent stopped whose messages are saved with its task. Only `delivered` holds an answer. */
export type SavedStop = Delivered | Omit<PausedAgent, 'kept'> | Ended | Omit<StoppedAgent, 'kept'>;

/** Where an agent stopped whose messages the host keeps. */
export type GuardedStop = Delivered | PausedAgent | Ended | StoppedAgent;
