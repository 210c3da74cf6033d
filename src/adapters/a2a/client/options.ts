import type { Client } from '@a2a-js/sdk/client';
import type { RiskTier, UpFeedback, UpFormatMessage } from '../../../../schema/index.ts';
import type { ForeignBudget } from '../../../base/boundary/budget.ts';
import type { ToolBasics } from '../../../base/define/tool.ts';
import type { Clock } from '../../../base/ports/clock.ts';
import type { Labels } from '../../../base/ports/origin.ts';
import type { StandardSchema } from '../../../base/ports/schema.ts';
import type { RollbackDeclaration } from '../../../base/define/rollback.ts';
import type { ChildRequest, Tool } from '../../../base/ports/tool.ts';

/** Options of a remote agent as a tool. */
export interface RemoteAgentOptions<Arguments> extends Pick<
  ToolBasics<Arguments>,
  'name' | 'version' | 'formerly' | 'description' | 'flows' | 'isHidden'
> {
  /** A client with its credentials, or the URL below which the agent card is. */
  readonly agent: Client | string;
  /**
   * Further origins that the card may refer to, such as `https://api.example.com`. By default, only the
   * card's origin. A client of your own uses its own `fetch`.
   */
  readonly origins?: readonly string[];
  /** The size limits of its card and each response. By default those of `ForeignBudget`. */
  readonly budget?: Partial<ForeignBudget>;
  /** The risk tier. By default `write_high_risk`, because the effects of a remote agent are unknown. */
  readonly tier?: RiskTier;
  readonly input: StandardSchema<Arguments>;
  /** Returns the request for the agent. By default, the arguments are the payload. */
  readonly request?: (input: Arguments) => ChildRequest;
  readonly rollback?: RollbackDeclaration<Arguments>;
  /**
   * The labels of its results, by JSON Pointer into `{ agent, taskId, parts }`. By default they are untrusted; what the
   * agent says of its own data raises none.
   */
  readonly labels?: Labels;
  /** Whether the agent, and not you, wrote the description, as on its card. By default `false`. */
  readonly isForeign?: boolean;
  /**
   * `idempotent`: the agent must declare our extension, which deduplicates messages; otherwise nothing is
   * sent. By default, a write is `reconcilable`: it is looked up among the tasks of its conversation.
   */
  readonly doubt?: 'idempotent' | 'reconcilable';
  /** Returns the signed approval that a remote question requires, from your approval service. */
  readonly approval?: (asked: UpFormatMessage, answer: UpFeedback) => Promise<string | undefined>;
  /** Milliseconds that a call waits before its task becomes a dependency. By default 10 seconds. */
  readonly patience?: number;
  /** Initial polling interval in milliseconds. By default 250; it increases. */
  readonly every?: number;
  /** The clock. By default the system clock. */
  readonly clock?: Clock;
}

/**
 * Returns the dependency id of a remote task. The agent's name is part of it, because the agent chose the
 * task id.
 */
export const dependencyOf = (agent: string, taskId: string): string => `${agent} ${taskId}`;

/** Returns the remote task id in a dependency id. */
export const taskIn = (agent: string, dependency: string): string =>
  dependency.slice(dependencyOf(agent, '').length);

/** A remote agent as a tool. `attendRemoteAgents` polls tasks that outlast a call. */
export interface RemoteAgent extends Tool {
  /** Returns whether a remote task has ended or asks a question. */
  readonly hasMoved: (taskId: string, signal: AbortSignal) => Promise<boolean>;
}
