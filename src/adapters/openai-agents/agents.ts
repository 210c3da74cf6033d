import type { Agent, AgentOutputType, Handoff, Tool } from '@openai/agents';
import { CharterError, type Issue } from '../../errors.ts';
import type { Run } from '../../guard/run.ts';
import { isOwnedBy, owned } from './owners.ts';

/** An agent, whatever its context and its output are. */
export type AnyAgent = Agent<unknown, AgentOutputType>;

/** The SDK's types of agents are invariant, and nothing here depends on what they differ in. */
export const anyAgent = <Context, Output extends AgentOutputType>(agent: Agent<Context, Output>): AnyAgent =>
  agent as unknown as AnyAgent;

const handedTo = (target: AnyAgent | Handoff<unknown, AgentOutputType>): AnyAgent =>
  'agent' in target ? anyAgent(target.agent) : target;

const unowned = ({ type }: { readonly type: string }): string =>
  type === 'function'
    ? 'expected a tool of bind or of agentTool, bound to this run'
    : `a tool of type ${JSON.stringify(type)} is called where nothing guards it: expected a function tool`;

function* issuesOf(agent: AnyAgent, run: Run, seen: Set<object>): Generator<Issue> {
  if (seen.has(agent)) return;
  seen.add(agent);
  const at = `/${agent.name}`;
  for (const tool of agent.tools)
    if (!isOwnedBy(tool, run)) yield { path: `${at}/tools/${tool.name}`, message: unowned(tool) };
  if (agent.mcpServers.length > 0)
    yield { path: `${at}/mcpServers`, message: 'expected none: guard them with agentcharter/adapters/mcp' };
  for (const handoff of agent.handoffs) yield* issuesOf(handedTo(handoff), run, seen);
}

/** Throws `definition_invalid` where an agent, or one that it may hand over to, can act past the run. */
export const checkAgent = (agent: AnyAgent, run: Run): void => {
  const issues = [...issuesOf(agent, run, new Set())];
  if (issues.length === 0) return;
  const message = `agent ${JSON.stringify(agent.name)}: ${issues.map((issue) => `${issue.path} ${issue.message}`).join('; ')}`;
  throw new CharterError('definition_invalid', message, { definition: 'agent', issues });
};

/** How an agent is shown to another as a tool. */
export interface AgentToolOptions {
  readonly toolName?: string;
  readonly toolDescription?: string;
}

/**
 * An agent as a tool of another one, in the same run: what its tools call is proposed there as well, and what they ask
 * stops the outer agent. In place of the SDK's `agent.asTool`.
 *
 * Throws `definition_invalid` where the inner agent can act past the run.
 */
export const agentTool = <Context, Output extends AgentOutputType>(
  agent: Agent<Context, Output>,
  run: Run,
  options: AgentToolOptions,
): Tool => {
  const inner = anyAgent(agent);
  checkAgent(inner, run);
  return owned(inner.asTool({ ...options }), run);
};
