import { isObject } from '../../boundary/is-object.ts';
import { isBound } from './bound-tool.ts';
import { refusalOf } from './refusal.ts';

const member = (value: unknown, name: string): unknown =>
  (typeof value === 'object' || typeof value === 'function') && value !== null
    ? (Reflect.get(value, name) as unknown)
    : undefined;

const isTool = (tool: unknown): tool is object => typeof tool === 'object' && tool !== null;

/** The tools of a node that calls them itself; those of an agent with middleware are asked of that. */
const toolsOf = (runnable: unknown): readonly unknown[] => {
  const tools = member(runnable, 'tools');
  return Array.isArray(tools) && member(runnable, 'wrapToolCall') === undefined ? tools : [];
};

function* runnablesIn(
  graph: unknown,
  seen: Set<unknown>,
): Generator<readonly [name: string, runnable: unknown]> {
  if (seen.has(graph)) return;
  seen.add(graph);
  const nodes = member(graph, 'nodes') ?? member(member(graph, 'graph'), 'nodes'); // an agent has a graph
  if (!isObject(nodes)) return;
  for (const [name, node] of Object.entries(nodes)) {
    const runnable = member(node, 'bound');
    yield [name, runnable];
    yield* runnablesIn(runnable, seen);
  }
}

/** Throws `definition_invalid` where a node of a graph, or of a graph in it, calls tools that were not bound. */
export const checkNodes = (graph: unknown): void => {
  for (const [name, runnable] of runnablesIn(graph, new Set()))
    for (const tool of toolsOf(runnable))
      if (!isTool(tool) || !isBound(tool))
        throw refusalOf(
          'runGraph',
          `/nodes/${name}/tools/${String(member(tool, 'name'))}`,
          'is called where nothing guards it: expected a tool of guarded.bind',
        );
};
