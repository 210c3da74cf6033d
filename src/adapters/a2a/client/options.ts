import type { Client } from '@a2a-js/sdk/client';
import type { RiskTier, UpFeedback, UpFormatMessage } from '../../../../schema/index.ts';
import type { ForeignBudget } from '../../../boundary/budget.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { StandardSchema } from '../../../ports/schema.ts';
import type { ChildRequest, Rollback, Tool } from '../../../ports/tool.ts';

/** A remote agent as a tool. */
export interface RemoteAgentOptions<Arguments> {
  /** A client, with its credentials, or the address under which the agent's card is. */
  readonly agent: Client | string;
  /**
   * Origins that the card at an address may lead to beside its own, such as `https://api.example.com`; by default none. A client
   * of yours goes where its own `fetch` goes.
   */
  readonly origins?: readonly string[];
  /** What the agent may cost: its card, and each of its answers. By default as `ForeignBudget` says. */
  readonly budget?: Partial<ForeignBudget>;
  readonly name: string;
  readonly version?: string;
  readonly description: string;
  /** Left out, it is `write_high_risk`: nobody here knows what a remote agent does. */
  readonly tier?: RiskTier;
  readonly input: StandardSchema<Arguments>;
  /** What the agent is asked for; the arguments themselves where left out. */
  readonly request?: (input: Arguments) => ChildRequest;
  readonly rollback?: Rollback<Arguments>;
  /**
   * `idempotent` where the agent declares our extension, so that it takes a message once: it is refused, and nothing is sent,
   * where it does not. Left out, a write is `reconcilable`: it is looked up among the tasks of its conversation.
   */
  readonly doubt?: 'idempotent' | 'reconcilable';
  /** The signed approval that a remote question wants beside its answer, from the host's approval desk. */
  readonly approval?: (asked: UpFormatMessage, answer: UpFeedback) => Promise<string | undefined>;
  /** Milliseconds that a call waits for the agent, before its task waits instead; 10 seconds where left out. */
  readonly patience?: number;
  /** Milliseconds between two looks at the remote task; 250 where left out, and longer as time passes. */
  readonly every?: number;
  /** The machine's own where left out. */
  readonly clock?: Clock;
}

/** A remote task as what a task here waits for: its agent chose its id, and shall name nothing of anybody else's. */
export const dependencyOf = (agent: string, taskId: string): string => `${agent} ${taskId}`;

/** The remote task behind such a dependency. */
export const taskIn = (agent: string, dependency: string): string =>
  dependency.slice(dependencyOf(agent, '').length);

/** A tool that is a remote agent; `attendRemoteAgents` looks after what takes it longer than a call. */
export interface RemoteAgent extends Tool {
  /** Whether a remote task has come to something: an end, or a question. */
  readonly hasMoved: (taskId: string, signal: AbortSignal) => Promise<boolean>;
}
