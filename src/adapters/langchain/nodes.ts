import { isObject } from '../../base/boundary/is-object.ts';
import { isBound } from './bound-tool.ts';
import { refusalOf } from './refusal.ts';

const member = (value: unknown, name: string): unknown =>
  (typeof value === 'object' || typeof value === 'function') && value !== null
    ? (Reflect.get(value, name) as unknown)
    : undefined;

const isTool = (tool: unknown): tool is object => typeof tool === 'object' && tool !== null;

/** Returns the tools that a node calls itself. The middleware of an agent checks its own tools. */
const toolsOf = (runnable: unknown): readonly unknown[] => {
  const tools = member(runnable, 'tools');
  return Array.isArray(tools) && member(runnable, 'wrapToolCall') === undefined ? tools : [];
};

function* runnablesIn(
  graph: unknown,
  visited: Set<unknown>,
): Generator<readonly [name: string, runnable: unknown]> {
  if (visited.has(graph)) return;
  visited.add(graph);
  const nodes = member(graph, 'nodes') ?? member(member(graph, 'graph'), 'nodes'); // an agent has a graph
  if (!isObject(nodes)) return;
  for (const [name, node] of Object.entries(nodes)) {
    const runnable = member(node, 'bound');
    yield [name, runnable];
    yield* runnablesIn(runnable, visited);
  }
}

/** Throws `definition_invalid` if a node of a graph or subgraph calls tools that are not bound. */
export const checkNodes = (graph: unknown): void => {
  for (const [name, runnable] of runnablesIn(graph, new Set()))
    for (const tool of toolsOf(runnable))
      if (!isTool(tool) || !isBound(tool))
        throw refusalOf(
          'runGraph',
          `/nodes/${name}/tools/${String(member(tool, 'name'))}`,
          'bypasses the guard: expected a tool of guarded.bind',
        );
};
