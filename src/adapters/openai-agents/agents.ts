import type { Agent, AgentOutputType, Handoff, Tool } from '@openai/agents';
import { definitionError } from '../../base/boundary/definition-error.ts';
import type { Issue } from '../../base/errors.ts';
import type { Run } from '../../guard/run.ts';
import { isOwnedBy } from './owners.ts';
import { promptIssue } from './request.ts';

/** An agent with any context and output. */
export type AnyAgent = Agent<unknown, AgentOutputType>;

/** A handoff to any agent. */
export type AnyHandoff = Handoff<unknown, AgentOutputType>;

/**
 * Widens an agent's type. The SDK's types are invariant, and this code does not depend on their parameters.
 */
export const anyAgent = <Context, Output extends AgentOutputType>(agent: Agent<Context, Output>): AnyAgent =>
  agent as unknown as AnyAgent;

const handoffTarget = (target: AnyAgent | AnyHandoff): AnyAgent =>
  'agent' in target ? anyAgent(target.agent) : target;

const notBound = ({ type }: { readonly type?: string }): string =>
  type === 'function' || type === undefined // such as one of another framework
    ? 'expected a tool of bind or of agentTool, bound to this run'
    : `a tool of type ${JSON.stringify(type)} bypasses the guard: expected a function tool`;

/** Returns issues of tools that would bypass the run. */
export const toolIssues = (name: string, tools: readonly Tool[], run: Run): readonly Issue[] =>
  tools
    .filter((tool) => !isOwnedBy(tool, run))
    .map((tool) => ({ path: `/${name}/tools/${tool.name}`, message: notBound(tool) }));

/** Yields issues of an agent's own settings that would bypass the run. */
export function* settingIssues(agent: AnyAgent): Generator<Issue> {
  const at = `/${agent.name}`;
  if (agent.mcpServers.length > 0)
    yield { path: `${at}/mcpServers`, message: 'expected none: guard them with agentcharter/adapters/mcp' };
  if (agent.prompt !== undefined) yield { ...promptIssue, path: `${at}/prompt` };
  if ('capabilities' in agent)
    yield { path: at, message: 'expected an Agent: a SandboxAgent adds tools that bypass the guard' };
}

function* issuesOf(agent: AnyAgent, run: Run, visited: Set<object>): Generator<Issue> {
  if (visited.has(agent)) return;
  visited.add(agent);
  yield* toolIssues(agent.name, agent.tools, run);
  yield* settingIssues(agent);
  for (const handoff of agent.handoffs) yield* issuesOf(handoffTarget(handoff), run, visited);
}

/** Throws `definition_invalid` if an agent, or one that it can hand over to, can bypass the run. */
export const checkAgent = (agent: AnyAgent, run: Run): void => {
  const issues = [...issuesOf(agent, run, new Set())];
  if (issues.length > 0) throw definitionError('agent', issues);
};
