import { isObject } from '../../boundary/is-object.ts';

/** Members of a request, in snake_case, that shape an answer and start nothing at a provider. */
const shaping: ReadonlySet<string> = new Set(
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

/** What LangChain and LangGraph pass along, and how a request is sent. */
const transport: ReadonlySet<string> = new Set(
  `callbacks configurable context control execution_info extra_headers extra_query fetch_options headers heartbeat http_agent
  idempotency_key interrupt ls_structured_output_format max_concurrency max_retries path prompt_index query recursion_limit
  run_id run_name server_info signal stream_writer tags timeout writer`.split(/\s+/),
);

/** Members that hold members of a request in turn. */
const holding: ReadonlySet<string> = new Set([
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

const deepest = 8;

/** Providers and LangChain write the same member in either case. */
export const snakeCase = (key: string): string =>
  key.replaceAll(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/** The names under which providers take the schema of a function that is called here. */
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

/** What else is said of such a function. */
const described: ReadonlySet<string> = new Set([
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

/** Of what types a tool is that is called here; one without a type is told by its schema. */
const ours: ReadonlySet<unknown> = new Set([undefined, 'function', 'custom']);

/** A tool of LangChain's that was not put into the words of a provider yet; it may bring those words along. */
const isUnwritten = (tool: Readonly<Record<string, unknown>>): boolean =>
  typeof tool['invoke'] === 'function' && 'schema' in tool;

/** Whether a tool, as a request shows it to a provider, is run by that provider. */
export const isElsewhere = (tool: unknown): boolean => {
  if (!isObject(tool) || !ours.has(tool['type'])) return true;
  if (isUnwritten(tool)) {
    const extras: unknown = tool['extras'];
    const written: unknown = isObject(extras) ? extras['providerToolDefinition'] : undefined;
    return written !== undefined && isElsewhere(written);
  }
  const keys = Object.keys(tool).map(snakeCase);
  const isMarker = keys.length === 1 && keys[0] === 'cache_point';
  return !isMarker && !(keys.some((key) => schemas.has(key)) && keys.every(isDescribing));
};

const isDescribing = (key: string): boolean => schemas.has(key) || described.has(key);

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

const startedByTools = (tools: unknown, at: string): string | null => {
  if (!Array.isArray(tools)) return at;
  const index = tools.findIndex(isElsewhere);
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
  if (known.has(key) || shaping.has(name) || transport.has(name)) return null;
  if (name === 'tools') return startedByTools(value, at);
  return holding.has(name) && isObject(value) && depth < deepest
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
 * What of a request a provider may run by itself; `null` where nothing is.
 *
 * Only members that are known to shape an answer are taken, and those in `known`.
 */
export const startedBy = (request: unknown, known: ReadonlySet<string> = new Set()): string | null =>
  isObject(request) ? startedIn(request, known, '', 0) : null;
