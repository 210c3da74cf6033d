import type { Agent, AgentOutputType, Tool } from '@openai/agents';
import type { Run } from '../../guard/run.ts';
import { agentGuardOf } from './agent-guard.ts';
import { anyAgent, checkAgent } from './agents.ts';
import { owned } from './owners.ts';

/** Options of an agent as a tool. */
export interface AgentToolOptions {
  readonly toolName?: string;
  readonly toolDescription?: string;
}

/**
 * Returns an agent as a tool of another, in the same run. Its calls are proposed there, and its questions
 * pause the outer agent. Replaces the SDK's `agent.asTool`.
 *
 * Throws `definition_invalid` if the inner agent can bypass the run. The run repeats this check at each turn.
 */
export const agentTool = <Context, Output extends AgentOutputType>(
  agent: Agent<Context, Output>,
  run: Run,
  { toolName, toolDescription }: AgentToolOptions = {},
): Tool => {
  const inner = anyAgent(agent);
  checkAgent(inner, run);
  const shown = {
    ...(toolName !== undefined && { toolName }),
    ...(toolDescription !== undefined && { toolDescription }),
  };
  return owned(agentGuardOf(run).agent(inner).asTool(shown), run);
};
