import type { Agent, AgentOutputType, Tool } from '@openai/agents';
import type { Run } from '../../guard/run.ts';
import { agentGuardOf } from './agent-guard.ts';
import { anyAgent, checkAgent } from './agents.ts';
import { owned } from './owners.ts';

/** How an agent is shown to another as a tool. */
export interface AgentToolOptions {
  readonly toolName?: string;
  readonly toolDescription?: string;
}

/**
 * An agent as a tool of another one, in the same run: what its tools call is proposed there as well, and what they ask
 * stops the outer agent. In place of the SDK's `agent.asTool`.
 *
 * Throws `definition_invalid` where the inner agent can act past the run; so does the run, for what it is given later.
 */
export const agentTool = <Context, Output extends AgentOutputType>(
  agent: Agent<Context, Output>,
  run: Run,
  { toolName, toolDescription }: AgentToolOptions,
): Tool => {
  const inner = anyAgent(agent);
  checkAgent(inner, run);
  const shown = {
    ...(toolName !== undefined && { toolName }),
    ...(toolDescription !== undefined && { toolDescription }),
  };
  return owned(agentGuardOf(run).agent(inner).asTool(shown), run);
};
