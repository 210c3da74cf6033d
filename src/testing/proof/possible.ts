import { taskMachine, type Context } from '../../../machines/index.ts';
import { TestFailure } from '../failure.ts';
import type { Graph } from '../graph.ts';
import { kindRunTo } from './kind-run.ts';
import { pathText } from './path-text.ts';
import type { Promises } from './promises.ts';
import type { ProofSubject } from './subject.ts';

/** The states of a task in a world. */
export type TaskGraph = Graph<typeof taskMachine>;

/** A result that some run must reach. Without it, properties would hold of runs that do nothing. */
export interface Possibility {
  readonly sentence: string;
  readonly isMet: (graph: TaskGraph) => boolean;
  /** Whether a run has tried it. */
  readonly isTried: (c: Context) => boolean;
}

const begins = (graph: TaskGraph, tool: string, isHeld: boolean): boolean =>
  graph.edges.some(
    ({ from, event }) =>
      event.type === 'call.started' &&
      event.call === tool &&
      (graph.at(from).context.calls[tool]?.held !== undefined) === isHeld,
  );

const callable = (tool: string): Possibility => ({
  sentence: `${tool} can be called`,
  isMet: (graph) => begins(graph, tool, false),
  isTried: ({ calls }) => calls[tool] !== undefined && calls[tool].held === undefined,
});

const endorsable = (tool: string): Possibility => ({
  sentence: `a person can endorse a call of ${tool} whose origins or tool are not accepted`,
  isMet: (graph) => begins(graph, tool, true),
  isTried: ({ calls }) => calls[tool]?.held !== undefined,
});

/** Returns the results that some run of a task class must reach: each kind of write is made, and an answer is delivered. */
export const possibilitiesOf = (
  { writes, holding, contract }: ProofSubject,
  { uncalled = [] }: Promises,
): readonly Possibility[] => [
  ...writes
    .map(({ call: { tool } }) => tool)
    .filter((tool) => !uncalled.includes(tool))
    .flatMap((tool) => [
      callable(tool),
      ...(holding.has(tool) && contract.flows !== 'refuse' ? [endorsable(tool)] : []),
    ]),
  {
    sentence: 'an answer can be delivered',
    isMet: ({ states }: TaskGraph) => states.some(({ context }) => context.outcome === 'delivered'),
    isTried: ({ plan }: Context) => plan !== null,
  },
];

const callsIn = ({ calls }: Context): number => Object.keys(calls).length;

/** Throws for a result that no run reaches, with a run that stops although nothing goes wrong. */
export const refuseImpossible = (
  id: string,
  graphs: readonly TaskGraph[],
  { sentence, isTried }: Possibility,
): never => {
  const [shortest] = graphs
    .flatMap((graph) => {
      const most = Math.max(...graph.states.map(({ context }) => callsIn(context)));
      const facts = kindRunTo(graph, (c) => c.outcome !== 'delivered' && callsIn(c) === most && isTried(c));
      return facts === null ? [] : [{ graph, facts }];
    })
    .toSorted((one, other) => one.facts.length - other.facts.length);
  const shown =
    shortest &&
    `\n\nA run that gets no further:\n${pathText(taskMachine, shortest.graph.input, shortest.facts)}`;
  throw new TestFailure(`Task class ${id} does not keep this: ${sentence}.${shown ?? ''}`);
};
