import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { chartArgument, explored, limitFlag, moduleShape } from '../charts.ts';
import { command, jsonFlag } from '../command.ts';
import { countOf } from '../counts.ts';
import { faint } from '../printer.ts';
import { usage } from '../stop.ts';
import type { Graph } from '../../testing/graph.ts';
import type { Path } from '../../testing/paths/path.ts';

const kinds = ['shortest', 'simple', 'cover'] as const;
type Kind = (typeof kinds)[number];

const pathsOf = async (
  graph: Graph<AnyStateMachine>,
  kind: Kind,
  to: (snapshot: AnyMachineSnapshot) => boolean,
): Promise<Iterable<Path<AnyStateMachine>>> => {
  const { edgeCover, shortestPaths, simplePaths } = await import('../../testing/index.ts');
  switch (kind) {
    case 'shortest':
      return shortestPaths(graph, { to });
    case 'simple':
      return simplePaths(graph, { to });
    case 'cover':
      return edgeCover(graph).filter(({ end }) => to(graph.at(end)));
  }
};

export const paths = command({
  name: 'paths',
  description: 'Explores a chart and prints paths through it: the events, and the state that each leads to.',
  details: moduleShape,
  args: { chart: chartArgument },
  flags: {
    to: { description: 'only paths to this state, or to a state within it', value: 'STATE' },
    kind: {
      description:
        'a shortest path to each state, all paths without a cycle, or paths that cover every transition',
      value: 'KIND',
      choices: kinds,
      default: 'shortest',
    },
    most: { description: 'the maximum number of paths to print', value: 'N', default: '100' },
    limit: limitFlag,
    json: jsonFlag,
  },
  example: 'paths invoice.js --to paid',
  run: async ({ flags: { to, kind, most, json, ...walk }, args: { chart } }, terminal) => {
    const { stateName } = await import('../../../machines/index.ts');
    const bound = countOf('most', most, 1);
    const { graph } = await explored(chart, walk, terminal);
    const nameAt = ({ value }: AnyMachineSnapshot): string => stateName(value);
    const isWanted = (snapshot: AnyMachineSnapshot): boolean => {
      const name = nameAt(snapshot);
      return to === undefined || name === to || name.startsWith(`${to}.`);
    };
    const counted = { states: graph.states.length, steps: graph.edges.length };
    const found: { state: string; events: readonly unknown[]; title: string }[] = [];
    let isMore = false;
    for (const path of await pathsOf(graph, kind, isWanted)) {
      if ((isMore = found.length === bound)) break;
      found.push({ state: nameAt(graph.at(path.end)), events: path.events, title: path.text });
    }
    if (to !== undefined && found.length === 0) {
      const known = [...new Set(graph.states.map(nameAt))].toSorted();
      throw usage(`no path leads to ${to}: the states are ${known.slice(0, 40).join(', ')}`);
    }
    const { out, err } = terminal;
    if (json) await out.json({ ...counted, isMore, paths: found });
    else {
      for (const { title } of found) {
        if (out.isClosed) break;
        await out.line(title);
      }
      await err.line(faint(`paths: ${found.length}; states: ${counted.states}; steps: ${counted.steps}`));
      if (isMore) await err.line(`There are more: --most ${bound * 10}`);
    }
    return 0;
  },
});
