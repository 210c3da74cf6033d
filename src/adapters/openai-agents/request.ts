import type { ModelRequest, ModelResponse } from '@openai/agents';
import { isObject } from '../../base/boundary/is-object.ts';
import type { Issue } from '../../base/errors.ts';
import type { Run } from '../../guard/run.ts';
import { inputIssues } from './input.ts';
import { isOwnedBy } from './owners.ts';

/** Members of a request that affect only the answer and start no provider tool. */
const shaping: ReadonlySet<string> = new Set([
  'context_management',
  'frequency_penalty',
  'include',
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'max_output_tokens',
  'max_tokens',
  'metadata',
  'min_p',
  'parallel_tool_calls',
  'presence_penalty',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning',
  'reasoning_effort',
  'repetition_penalty',
  'response_format',
  'safety_identifier',
  'seed',
  'service_tier',
  'stop',
  'store',
  'stream_options',
  'temperature',
  'text',
  'top_k',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
  'verbosity',
]);

/** Transport members of a request. */
const transport: ReadonlySet<string> = new Set([
  'extra_headers',
  'extraHeaders',
  'extra_query',
  'extraQuery',
]);
const bodies: ReadonlySet<string> = new Set(['extra_body', 'extraBody']);

const settings = '/modelSettings/providerData';

function* providerIssues(data: unknown, known: ReadonlySet<string>, at: string): Generator<Issue> {
  if (!isObject(data)) return;
  for (const [key, value] of Object.entries(data))
    if (bodies.has(key)) yield* providerIssues(value, known, `${at}/${key}`);
    else if (!shaping.has(key) && !transport.has(key) && !known.has(key))
      yield {
        path: `${at}/${key}`,
        message:
          'may start a provider tool, which bypasses the guard: remove it, or add it to providerKeys if it starts none',
      };
}

function* toolIssues(tools: ModelRequest['tools'], run: Run): Generator<Issue> {
  for (const tool of tools)
    if (tool.type !== 'function' || tool.providerData !== undefined || !isOwnedBy(tool.parameters, run))
      yield {
        path: `/tools/${tool.name}`,
        message: 'expected a tool of bind or of agentTool, bound to this run',
      };
}

/** The issue of a stored prompt, which may contain provider tools. */
export const promptIssue = {
  path: '/prompt',
  message:
    'expected none: a stored prompt may add provider tools, which bypass the guard; use instructions instead',
};

const chosen: ReadonlySet<unknown> = new Set([undefined, 'auto', 'required', 'none']);

/**
 * Yields issues of a request that starts provider tools. `known` are `providerData` members that you declared
 * as harmless.
 */
export function* requestIssues(
  { input, prompt, tools, handoffs, modelSettings }: ModelRequest,
  run: Run,
  known: ReadonlySet<string>,
): Generator<Issue> {
  if (prompt !== undefined) yield promptIssue;
  yield* inputIssues(input);
  yield* toolIssues(tools, run);
  yield* providerIssues(modelSettings.providerData, known, settings);
  const { toolChoice } = modelSettings;
  const offered = [...tools.map(({ name }) => name), ...handoffs.map(({ toolName }) => toolName)];
  if (!chosen.has(toolChoice) && !offered.includes(toolChoice ?? ''))
    yield {
      path: '/modelSettings/toolChoice',
      message: 'expected auto, required, none or a tool of this agent',
    };
}

/** Output items of a model, and function calls. */
const allowedOutput: ReadonlySet<string> = new Set(['message', 'function_call', 'reasoning', 'compaction']);

const isCited = (content: unknown): boolean => {
  const data: unknown = isObject(content) ? content['providerData'] : undefined;
  const cited: unknown = isObject(data) ? data['annotations'] : undefined;
  return Array.isArray(cited) && cited.length > 0;
};

/** Yields issues of a response that shows use of provider tools. */
export function* responseIssues({ output }: Pick<ModelResponse, 'output'>): Generator<Issue> {
  for (const [at, item] of output.entries()) {
    const type = item.type ?? 'message';
    if (!allowedOutput.has(type))
      yield {
        path: `/output/${at}`,
        message: `${type} is of a tool that the provider ran: expected calls of bound tools`,
      };
    else if (item.type === 'message' && Array.isArray(item.content) && item.content.some(isCited))
      yield {
        path: `/output/${at}`,
        message: 'cites a search of the provider: expected calls of bound tools',
      };
  }
}
