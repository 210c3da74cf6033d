import type { RunnableConfig } from '@langchain/core/runnables';
import { ToolMessage } from '@langchain/core/messages';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { isObject } from '../../base/boundary/is-object.ts';
import type { Tool } from '../../base/ports/tool.ts';
import { jsonSchemaOf } from '../../base/define/json-schema-of.ts';
import { withReferences } from '../../gates/origins/referable.ts';
import { callThrough, type Waiting } from './calls.ts';
import { runOf, type RunSource } from './source.ts';
import { startTool } from './started-tools.ts';

const calledIn = (config: object): string | undefined => {
  const call: unknown = 'toolCall' in config ? config.toolCall : undefined;
  return isObject(call) && typeof call['id'] === 'string' ? call['id'] : undefined;
};

const bound = new WeakSet<object>();

/** Returns whether a tool was bound to a run. A copy was not. */
export const isBound = (tool: object): boolean => bound.has(tool);

/** A LangChain tool that proposes its calls to a run. It is frozen. */
export class BoundTool extends DynamicStructuredTool {
  constructor(tool: Tool, source: RunSource, options: Waiting) {
    const { name, description, input } = tool;
    super({
      name,
      description,
      schema: structuredClone(withReferences(tool, jsonSchemaOf(input, 'input', true))), // its validator mutates the schema
      func: async (args: unknown, _, config: RunnableConfig = {}) => {
        const { configurable, signal } = config;
        const id = calledIn(config);
        const run = await runOf(source, configurable);
        const content = await callThrough(
          run,
          { ...(id !== undefined && { id }), name, args },
          options,
          signal,
        );
        return new ToolMessage({ ...content, name, tool_call_id: id ?? '' });
      },
    });
    bound.add(this);
    Object.freeze(this);
  }

  override call(
    ...[args, given, tags]: Parameters<DynamicStructuredTool['call']>
  ): ReturnType<DynamicStructuredTool['call']> {
    const config = isObject(given) && !('handlers' in given) ? given : { callbacks: given };
    return startTool((runId) => super.call(args, { ...config, runId }, tags));
  }
}
