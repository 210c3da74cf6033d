import type { Runner } from '@openai/agents';
import type { Delivered, Ended, Refused } from '../../guard/outcome.ts';
import type { Draft, Run } from '../../guard/run.ts';
import type { SealKey } from './seal.ts';
import type { WaitingCall } from './waiting.ts';

/** Options of a guarded agent run. */
export interface AgentRunOptions<Context = unknown> {
  readonly run: Run;
  /** A secret of at least 32 bytes. It seals the state of a paused agent. */
  readonly key: SealKey;
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

/** The agent waits for people or a dependency. Pass `kept` to `resumeAgent`. It is signed, not encrypted. */
export interface KeptAgent {
  readonly status: 'paused';
  readonly kept: string;
  /** The waiting calls; empty if the answer waits. */
  readonly waiting: readonly WaitingCall[];
}

/**
 * Where an agent stopped. Only `delivered` holds an answer. `refused`: the answer differs from the earlier
 * one.
 */
export type AgentStop = Delivered | KeptAgent | Ended | Refused;
