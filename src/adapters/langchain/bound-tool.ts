import type { RunnableConfig } from '@langchain/core/runnables';
import { ToolMessage } from '@langchain/core/messages';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { isObject } from '../../boundary/is-object.ts';
import type { Tool } from '../../ports/tool.ts';
import { jsonSchemaOf } from '../../define/json-schema-of.ts';
import { madeUnder, type Waiting } from './calls.ts';
import { runOf, type RunSource } from './source.ts';
import { starting } from './started.ts';

const calledIn = (config: object): string | undefined => {
  const call: unknown = 'toolCall' in config ? config.toolCall : undefined;
  return isObject(call) && typeof call['id'] === 'string' ? call['id'] : undefined;
};

const bound = new WeakSet<object>();

/** Whether a tool is one that was bound to a run, and no copy of it. */
export const isBound = (tool: object): boolean => bound.has(tool);

/** A tool of LangChain's whose calls are proposed to a run; nothing of it can be replaced. */
export class BoundTool extends DynamicStructuredTool {
  constructor({ name, description, input }: Tool, source: RunSource, options: Waiting) {
    super({
      name,
      description,
      schema: structuredClone(jsonSchemaOf(input)), // its validator writes into it
      func: async (args: unknown, _, config: RunnableConfig = {}) => {
        const { configurable, signal } = config;
        const id = calledIn(config);
        const run = await runOf(source, configurable);
        const said = await madeUnder(run, { ...(id !== undefined && { id }), name, args }, options, signal);
        return new ToolMessage({ ...said, name, tool_call_id: id ?? '' });
      },
    });
    bound.add(this);
    Object.freeze(this);
  }

  override call(
    ...[args, given, tags]: Parameters<DynamicStructuredTool['call']>
  ): ReturnType<DynamicStructuredTool['call']> {
    const config = isObject(given) && !('handlers' in given) ? given : { callbacks: given };
    return starting((runId) => super.call(args, { ...config, runId }, tags));
  }
}
