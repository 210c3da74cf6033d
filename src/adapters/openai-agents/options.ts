import type { Runner } from '@openai/agents';
import type { Delivered, Ended, Refused } from '../../guard/outcome.ts';
import type { Draft, Run } from '../../guard/run.ts';
import type { SealKey } from './seal.ts';
import type { WaitingCall } from './waiting.ts';

/** How an agent of the SDK is run under a run of a guard. */
export interface AgentRunOptions<Context = unknown> {
  readonly run: Run;
  /** The host's secret of 32 bytes or more: it seals what is kept while people are waited for. */
  readonly key: SealKey;
  /** The SDK's; one with its defaults where left out. */
  readonly runner?: Runner;
  /** The SDK's, given anew whenever an agent goes on: what the kept state holds of it is not read. */
  readonly context?: Context;
  /** The SDK's bound of each of its runs: one begins with every repair. */
  readonly maxTurns?: number;
  /** Ends the agent, and nothing else: its task waits for more. */
  readonly signal?: AbortSignal;
  /** Waits for people in place, instead of pausing; so must its tools be bound. */
  readonly waits?: boolean;
  /** Shows the text of the model while it is written, marked as unverified (UAICP 4.2). */
  readonly shows?: boolean;
  /**
   * Members of `modelSettings.providerData` that you know to start nothing at your provider, such as `thinking`; by
   * default only those that shape an answer are sent.
   */
  readonly providerKeys?: readonly string[];
  /** What a final output is as an answer; where left out, an object stands for itself and a text for `{ text }`. */
  readonly draftOf?: (output: unknown) => Draft;
}

/** The agent waits for people, or for something outside; `kept` is for `resumeAgent`, and can be read by whoever has it. */
export interface KeptAgent {
  readonly status: 'paused';
  readonly kept: string;
  /** The calls that wait; none where the answer does. */
  readonly waiting: readonly WaitingCall[];
}

/** Where an agent stopped: only `delivered` brings an answer; `refused` is another answer than the one before it. */
export type AgentStop = Delivered | KeptAgent | Ended | Refused;
