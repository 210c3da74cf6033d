import type { Runner } from '@openai/agents';
import type { Delivered, Ended, Refused } from '../../guard/outcome.ts';
import type { Draft, Run } from '../../guard/run.ts';
import type { SealKey } from './seal.ts';
import type { WaitingCall } from './waiting.ts';

/** Options of a guarded agent run. */
export interface AgentRunOptions<Context = unknown> {
  readonly run: Run;
  /**
   * Keeps the state of a paused agent at the host, sealed with this secret of at least 32 bytes. By default the state is
   * saved with the task.
   */
  readonly key?: SealKey;
  /** The SDK's runner. By default a new one. */
  readonly runner?: Runner;
  /** The SDK's context. Pass it at each resume: the sealed state does not restore it. */
  readonly context?: Context;
  /** The SDK's limit of turns for each of its runs. A repair starts another SDK run. */
  readonly maxTurns?: number;
  /** Stops only the agent. Its task stays open. */
  readonly signal?: AbortSignal;
  /** Waits for people instead of pausing. Bind its tools with the same option. */
  readonly waits?: boolean;
  /** Streams the model's text, marked as unverified (UAICP 4.2). */
  readonly shows?: boolean;
  /**
   * Members of `modelSettings.providerData` that start no tool at your provider, such as `thinking`. By
   * default, only known members that affect the answer are allowed.
   */
  readonly providerKeys?: readonly string[];
  /**
   * Converts the final output to an answer. By default, an object is the payload and text becomes `{ text }`.
   */
  readonly draftOf?: (output: unknown) => Draft;
}

/** Options of a guarded agent run whose paused state the host keeps. */
export interface SealedRunOptions<Context = unknown> extends AgentRunOptions<Context> {
  readonly key: SealKey;
}

/** The agent waits for people or a dependency. Its state is saved with the task: call `runAgent` again. */
export interface PausedAgent {
  readonly status: 'paused';
  /** The waiting calls; empty if the answer waits. */
  readonly waiting: readonly WaitingCall[];
}

/** A paused agent whose state the host keeps. Pass `kept` to `resumeAgent`. It is signed, not encrypted. */
export interface KeptAgent extends PausedAgent {
  readonly kept: string;
}

/**
 * Where an agent stopped. Only `delivered` holds an answer. `refused`: the answer differs from the earlier
 * one.
 */
export type AgentStop<Pause extends PausedAgent = PausedAgent> = Delivered | Pause | Ended | Refused;
