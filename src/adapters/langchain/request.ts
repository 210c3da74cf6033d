import { isObject } from '../../base/boundary/is-object.ts';

/** Members of a request, in snake_case, that affect only the answer and start no provider tool. */
const answerMembers: ReadonlySet<string> = new Set(
  `_type allowed_function_names audio betas cache_control candidate_count context_management format frequency_penalty
  function_call function_calling_config functions guardrail_config include include_reasoning inference_config inference_geo
  json_mode keep_alive labels logit_bias logprobs max_completion_tokens max_new_tokens max_output_tokens max_tokens
  max_tokens_to_sample metadata min_p modalities model model_id model_name n num_ctx num_predict output_config output_format
  output_version parallel_tool_calls performance_config prediction presence_penalty prompt_cache_key prompt_cache_options
  prompt_cache_retention random_seed reasoning reasoning_effort reasoning_format repeat_penalty repetition_penalty
  request_metadata response_format response_logprobs response_mime_type response_modalities response_schema safe_prompt
  safety_identifier safety_settings seed service_tier stop stop_sequences store stream stream_mode stream_options stream_usage
  streaming strict system system_instruction temperature text think thinking thinking_budget thinking_config tool_choice
  top_k top_logprobs top_p truncation typical_p user user_id verbosity`.split(/\s+/),
);

/** Transport options of LangChain and LangGraph. */
const transport: ReadonlySet<string> = new Set(
  `callbacks configurable context control execution_info extra_headers extra_query fetch_options headers heartbeat http_agent
  idempotency_key interrupt ls_structured_output_format max_concurrency max_retries path prompt_index query recursion_limit
  run_id run_name server_info signal stream_writer tags timeout writer`.split(/\s+/),
);

/** Members that contain further members of a request. */
const containerKeys: ReadonlySet<string> = new Set([
  'additional_kwargs',
  'additional_model_request_fields',
  'body',
  'config',
  'extra_body',
  'generation_config',
  'kwargs',
  'model_kwargs',
  'options',
  'request_options',
  'tool_config',
]);

const maxDepth = 8;

/** Returns a key in snake_case. Providers and LangChain use both cases. */
export const snakeCase = (key: string): string =>
  key.replaceAll(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/** The members in which providers expect the schema of a local function. */
const schemas: ReadonlySet<string> = new Set([
  'custom',
  'function',
  'function_declarations',
  'input_schema',
  'parameter_definitions',
  'parameters',
  'schema',
  'tool_spec',
]);

/** Other members that describe a local function. */
const functionMembers: ReadonlySet<string> = new Set([
  'cache_control',
  'description',
  'eager_input_streaming',
  'format',
  'input_examples',
  'name',
  'strict',
  'title',
  'type',
]);

/** The tool types of local functions. Without a type, the schema decides. */
const localTypes: ReadonlySet<unknown> = new Set([undefined, 'function', 'custom']);

/** Returns whether a tool is a LangChain tool, not yet in a provider's form; it may contain that form. */
const isLangChainTool = (tool: Readonly<Record<string, unknown>>): boolean =>
  typeof tool['invoke'] === 'function' && 'schema' in tool;

/** Returns whether a provider executes a tool of its request. */
export const isProviderTool = (tool: unknown): boolean => {
  if (!isObject(tool) || !localTypes.has(tool['type'])) return true;
  if (isLangChainTool(tool)) {
    const extras: unknown = tool['extras'];
    const written: unknown = isObject(extras) ? extras['providerToolDefinition'] : undefined;
    return written !== undefined && isProviderTool(written);
  }
  const keys = Object.keys(tool).map(snakeCase);
  const isMarker = keys.length === 1 && keys[0] === 'cache_point';
  return !isMarker && !(keys.some((key) => schemas.has(key)) && keys.every(isFunctionMember));
};

const isFunctionMember = (key: string): boolean => schemas.has(key) || functionMembers.has(key);

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

const startedByTools = (tools: unknown, at: string): string | null => {
  if (!Array.isArray(tools)) return at;
  const index = tools.findIndex(isProviderTool);
  return index === -1 ? null : `${at}/${index}`;
};

const startedByMember = (
  key: string,
  value: unknown,
  known: ReadonlySet<string>,
  at: string,
  depth: number,
): string | null => {
  const name = snakeCase(key);
  if (known.has(key) || answerMembers.has(name) || transport.has(name)) return null;
  if (name === 'tools') return startedByTools(value, at);
  return containerKeys.has(name) && isObject(value) && depth < maxDepth
    ? startedIn(value, known, `${at}/`, depth + 1)
    : at;
};

const startedIn = (
  request: object,
  known: ReadonlySet<string>,
  before: string,
  depth: number,
): string | null => {
  for (const [key, value] of Object.entries(request)) {
    const found = isGiven(value) ? startedByMember(key, value, known, `${before}${key}`, depth) : null;
    if (found !== null) return found;
  }
  return null;
};

/**
 * Returns the part of a request that a provider may execute; `null` if there is none.
 *
 * Only members that are known to affect the answer alone are allowed, and those in `known`.
 */
export const startedBy = (request: unknown, known: ReadonlySet<string> = new Set()): string | null =>
  isObject(request) ? startedIn(request, known, '', 0) : null;
