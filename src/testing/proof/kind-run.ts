import { ruleOf } from '../../../machines/facts/index.ts';
import type { Context, Fact, taskMachine } from '../../../machines/index.ts';
import type { Edge, Graph } from '../graph.ts';

/**
 * Returns the facts of a shortest run in which nothing goes wrong and which stops in such a state; `null` if there is none.
 */
export const kindRunTo = (
  graph: Graph<typeof taskMachine>,
  isWanted: (c: Context) => boolean,
): readonly Fact[] | null => {
  const reachedBy = new Map<number, Edge<Fact> | null>([[0, null]]);
  for (const state of reachedBy.keys()) {
    const onward = graph.leaving(state).filter(({ event }) => ruleOf(event.type).isHoped?.(event) === true);
    if (onward.length === 0 && isWanted(graph.at(state).context)) {
      const facts: Fact[] = [];
      for (let edge = reachedBy.get(state); edge; edge = reachedBy.get(edge.from)) facts.push(edge.event);
      return facts.toReversed();
    }
    for (const edge of onward) if (!reachedBy.has(edge.to)) reachedBy.set(edge.to, edge);
  }
  return null;
};
