import { isObject } from '../../base/boundary/is-object.ts';
import type { Issue } from '../../base/errors.ts';

/** Options, in snake_case, by which providers are known to receive tools or stored prompts. */
const toolOptions: ReadonlySet<string> = new Set([
  'cached_content',
  'connectors',
  'container',
  'conversation',
  'conversation_id',
  'enable_search',
  'mcp_servers',
  'plugins',
  'previous_interaction_id',
  'previous_response_id',
  'prompt',
  'search_parameters',
  'tools',
  'use_search_grounding',
  'web_search',
  'web_search_options',
]);

const bodies: ReadonlySet<string> = new Set(['body', 'extra_body']);

const snakeCase = (key: string): string =>
  key.replaceAll(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/** Yields the options of a call that add provider tools: `openai.conversation`, `anthropic.mcpServers`. */
function* issuesIn(options: unknown, at: string): Generator<Issue> {
  if (!isObject(options)) return;
  for (const [key, value] of Object.entries(options)) {
    const path = `${at}/${key}`;
    if (value === undefined || value === null || value === false) continue;
    if (bodies.has(snakeCase(key))) yield* issuesIn(value, path);
    else if (toolOptions.has(snakeCase(key)))
      yield { path, message: 'may add a provider tool, which bypasses the guard: remove it' };
  }
}

/** Yields the `providerOptions` that add provider tools, by provider. */
export function* providerOptionIssues(options: unknown): Generator<Issue> {
  if (!isObject(options)) return;
  for (const [provider, given] of Object.entries(options))
    yield* issuesIn(given, `/providerOptions/${provider}`);
}
