import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { isObject } from '../../base/boundary/is-object.ts';
import { refusalOf } from './refusal.ts';
import { snakeCase } from './request.ts';

/**
 * Block types, in snake_case, that a model writes itself. A block without a type is text, or in a provider's
 * own form.
 */
const written: ReadonlySet<unknown> = new Set(
  `audio compaction file function_call guard_content image image_url inline_data input_json_delta invalid_tool_call media
  non_standard output_text reasoning reasoning_content redacted_thinking refusal text text_plain thinking tool_call
  tool_call_chunk tool_use video`.split(/\s+/),
);

/** Members of a block without a type, in a provider's own form. */
const untyped: ReadonlySet<string> = new Set(
  'cache_point function_call guard_content inline_data reasoning_content text thought thought_signature tool_use'.split(
    ' ',
  ),
);

/** Citations of documents that were given to the model. */
const given: ReadonlySet<unknown> = new Set([
  'char_location',
  'content_block_location',
  'page_location',
  'search_result_location',
]);

const isLookedUp = (citation: unknown): boolean => {
  if (!isObject(citation) || given.has(citation['type'])) return false;
  return citation['type'] !== 'citation' || 'url' in citation; // a standard citation of a web page has a URL
};

const isOfTool = (block: unknown): boolean => {
  if (!isObject(block)) return false;
  const { type, value, annotations, citations } = block;
  if (typeof type === 'string' ? !written.has(snakeCase(type).replaceAll('-', '_')) : !isUntyped(block))
    return true;
  if (type === 'non_standard' && isOfTool(value)) return true;
  return [annotations, citations].some((cited) => Array.isArray(cited) && cited.some(isLookedUp));
};

const isUntyped = (block: object): boolean => Object.keys(block).every((key) => untyped.has(snakeCase(key)));

/** Keys of messages and metadata, in snake_case, that report provider tools. */
const reportingKeys: ReadonlySet<string> = new Set([
  'annotations',
  'citations',
  'container',
  'executed_tools',
  'grounding_metadata',
  'mcp_list_tools',
  'search_results',
  'server_tool_use',
  'tool_outputs',
  'url_context_metadata',
]);

const isFilled = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? true : value !== undefined && value !== null && value !== 0 && value !== false;
};

/** Returns whether a value reports use: not zero and not empty. */
const isUsed = (key: string, value: unknown): boolean =>
  key === 'server_tool_use' && isObject(value) ? Object.values(value).some(isFilled) : isFilled(value);

const isReported = (data: unknown): boolean =>
  isObject(data) &&
  Object.entries(data).some(
    ([key, value]) =>
      (reportingKeys.has(snakeCase(key)) && isUsed(snakeCase(key), value)) ||
      (key === 'usage' && isReported(value)),
  );

/** Returns whether a message holds results of provider tools. */
const isOfProvider = (message: BaseMessage): boolean => {
  if (!AIMessage.isInstance(message)) return false;
  const { content, contentBlocks, additional_kwargs: more, response_metadata: metadata } = message;
  const blocks: readonly unknown[] = [...(Array.isArray(content) ? content : []), ...contentBlocks];
  return isReported(more) || isReported(metadata) || blocks.some(isOfTool);
};

/** Throws `definition_invalid` for a message with results of provider tools. */
export const checkMessage = (message: BaseMessage): void => {
  if (isOfProvider(message))
    throw refusalOf(
      'model response',
      '',
      'contains results of a provider tool: expected calls of bound tools',
    );
};
