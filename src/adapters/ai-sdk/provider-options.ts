import { isObject } from '../../boundary/is-object.ts';
import type { Issue } from '../../errors.ts';

/** Options, in snake_case, by which providers are known to take tools, or what they keep with tools in it. */
const bringing: ReadonlySet<string> = new Set([
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

/** Says which options of a call bring tools of a provider: `openai.conversation`, `anthropic.mcpServers`. */
function* issuesIn(options: unknown, at: string): Generator<Issue> {
  if (!isObject(options)) return;
  for (const [key, value] of Object.entries(options)) {
    const path = `${at}/${key}`;
    if (value === undefined || value === null || value === false) continue;
    if (bodies.has(snakeCase(key))) yield* issuesIn(value, path);
    else if (bringing.has(snakeCase(key)))
      yield { path, message: 'may bring a tool of the provider, where nothing guards it: remove it' };
  }
}

/** Says which `providerOptions` bring tools of a provider, by the name of the provider. */
export function* providerOptionIssues(options: unknown): Generator<Issue> {
  if (!isObject(options)) return;
  for (const [provider, given] of Object.entries(options))
    yield* issuesIn(given, `/providerOptions/${provider}`);
}
