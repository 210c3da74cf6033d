import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate';
import { chartArgument, explored, limitFlag, moduleShape } from '../charts.ts';
import { command, jsonFlag } from '../command.ts';
import { countOf } from '../counts.ts';
import { eventLabels } from '../event-labels.ts';
import { faint } from '../printer.ts';
import { usage } from '../stop.ts';
import type { Graph } from '../../../testing/graph.ts';
import type { Path } from '../../../testing/paths/path.ts';

const kinds = ['shortest', 'simple', 'cover'] as const;
type Kind = (typeof kinds)[number];

const pathsOf = async (
  graph: Graph<AnyStateMachine>,
  kind: Kind,
  to: (snapshot: AnyMachineSnapshot) => boolean,
): Promise<Iterable<Path<AnyStateMachine>>> => {
  const { edgeCover, shortestPaths, simplePaths } = await import('../../../testing/index.ts');
  switch (kind) {
    case 'shortest':
      return shortestPaths(graph, { to });
    case 'simple':
      return simplePaths(graph, { to });
    case 'cover':
      return edgeCover(graph).filter(({ end }) => to(graph.at(end)));
  }
};

/** Returns the steps of a path in lines of at most `room` characters, unless one step is longer. */
const stepLines = (steps: readonly string[], room: number): readonly string[] => {
  const lines: string[] = [];
  for (const step of steps) {
    const line = lines.at(-1);
    const joined = line === undefined ? step : `${line} -> ${step}`;
    if (line === undefined) lines.push(step);
    else if (joined.length <= room) lines[lines.length - 1] = joined;
    else lines.push(`-> ${step}`);
  }
  return lines.length === 0 ? ['at the start'] : lines;
};

export const paths = command({
  name: 'paths',
  description: 'Explores a chart and prints paths through it: the state that each leads to, and its events.',
  details: `An event shows the members in which it differs from others of its type. --json prints all.\n${moduleShape}`,
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
    const { stateName } = await import('../../../../machines/index.ts');
    const bound = countOf('most', most, 1);
    const { graph } = await explored(chart, walk, terminal);
    const nameAt = ({ value }: AnyMachineSnapshot): string => stateName(value);
    const isWanted = (snapshot: AnyMachineSnapshot): boolean => {
      const name = nameAt(snapshot);
      return to === undefined || name === to || name.startsWith(`${to}.`);
    };
    const counted = { states: graph.states.length, steps: graph.edges.length };
    const found: { state: string; events: readonly EventObject[]; title: string }[] = [];
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
      const labelOf = eventLabels([...graph.after, ...graph.edges.map(({ event }) => event)]);
      const digits = String(found.length).length;
      const indent = ' '.repeat(digits + 2);
      for (const [at, { state, events }] of found.entries()) {
        if (out.isClosed) break;
        await out.line(`${String(at + 1).padStart(digits)}. ${state}`);
        for (const line of stepLines(events.map(labelOf), out.columns - indent.length))
          await out.line(indent, line);
      }
      await err.line(faint(`paths: ${found.length}; states: ${counted.states}; steps: ${counted.steps}`));
      if (isMore) await err.line(`There are more: --most ${bound * 10}`);
    }
    return 0;
  },
});
