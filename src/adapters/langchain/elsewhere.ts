import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { isObject } from '../../boundary/is-object.ts';
import { refusalOf } from './refusal.ts';

/** The names under which providers take the schema of a function that is called here. */
const schemas = [
  'function',
  'parameters',
  'input_schema',
  'inputSchema',
  'schema',
  'toolSpec',
  'functionDeclarations',
];

/** Of what types a tool is that is called here; one without a type is told by its schema. */
const ours: ReadonlySet<unknown> = new Set([undefined, 'function', 'custom']);

/** Whether a tool, as a request shows it to a provider, is run by that provider. */
export const isElsewhere = (tool: unknown): boolean => {
  if (!isObject(tool)) return true;
  if ('invoke' in tool) return false; // it was not put into the words of a provider yet
  return (
    !ours.has(tool['type']) ||
    !schemas.some((key) => key in tool || (key === 'schema' && 'parameterDefinitions' in tool))
  );
};

/** Members of a request by which providers take tools of their own. */
const starting = ['web_search_options', 'mcp_servers', 'plugins', 'connectors', 'search_parameters'];

/** What of a request a provider would run by itself; `null` where nothing is. */
export const startedBy = (request: unknown): string | null => {
  if (!isObject(request)) return null;
  const member = starting.find((key) => request[key] !== undefined && request[key] !== null);
  if (member !== undefined) return member;
  const { tools } = request;
  const at = Array.isArray(tools) ? tools.findIndex(isElsewhere) : -1;
  return at === -1 ? null : `tools/${at}`;
};

/** How a message shows a call that its provider made, in the standard's words or in those of a provider. */
const made = /^(server_tool|mcp_tool|mcp_call|.*_tool_result$|.*(search|interpreter|generation|shell)_call$)/;

const typesIn = (content: unknown): readonly unknown[] =>
  Array.isArray(content)
    ? content.map((block: unknown) => (isObject(block) ? block['type'] : undefined))
    : [];

/** Whether a message holds what a tool of its provider brought. */
const isOfProvider = (message: BaseMessage): boolean => {
  if (!AIMessage.isInstance(message)) return false;
  const { content, contentBlocks, additional_kwargs: given, response_metadata: metadata } = message;
  const outputs: unknown = given['tool_outputs'];
  const grounded: unknown = metadata['groundingMetadata'];
  return (
    (Array.isArray(outputs) && outputs.length > 0) ||
    isObject(grounded) ||
    [...typesIn(content), ...typesIn(contentBlocks)].some(
      (type) => typeof type === 'string' && made.test(type),
    )
  );
};

/** Throws `definition_invalid` for a message that holds what a tool of its provider brought. */
export const checkMessage = (message: BaseMessage): void => {
  if (isOfProvider(message))
    throw refusalOf(
      'model response',
      '',
      'holds what a tool of the provider brought: expected calls of bound tools',
    );
};
