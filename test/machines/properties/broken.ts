import type { Fact } from '../../../machines/index.ts';
import { alphabet, type Configuration } from '../alphabet.ts';
import type { Edge, Graph } from '../explore.ts';
import { isSettled } from './predicates.ts';
import { inEveryState } from './states.ts';
import { inEveryStep } from './steps.ts';
import * as word from './word.ts';

const ofState = { ...inEveryState, ...word.inEveryState };
const ofStep = { ...inEveryStep, ...word.inEveryStep };
/** How many properties are asked of a graph; the last is of all its states together. */
export const asked = Object.keys(ofState).length + Object.keys(ofStep).length + 1;

const written = ({ type, ...rest }: Fact): string => {
  const about = Object.entries(rest)
    .filter(([key]) => key !== 'request' && key !== 'attempt')
    .map(([, value]) => (typeof value === 'object' ? JSON.stringify(value) : String(value)));
  return `${type}(${about.join(', ')})`;
};

export const tell = (way: readonly Pick<Edge, 'fact'>[]): string =>
  way.map(({ fact }) => written(fact)).join(' ');

/** The properties that do not hold, each with the shortest way to where it does not. */
export const broken = (
  graph: Graph,
  configuration: Configuration,
  isTask: boolean,
): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {};
  const note = (property: string, way: readonly Pick<Edge, 'fact'>[], value: unknown) => {
    const told = `${way.length}: ${tell(way)} => ${JSON.stringify(value)}`;
    const known = found[property];
    if (known === undefined || Number.parseInt(known, 10) > way.length) found[property] = told;
  };
  for (const [key, way] of graph.ways) {
    const snapshot = graph.states.get(key);
    if (snapshot === undefined) continue;
    const leaving = graph.leaving.get(key) ?? [];
    const taken = alphabet({ ...configuration, never: [] }, snapshot.context).filter((fact) =>
      snapshot.can(fact),
    );
    const here = { snapshot, c: snapshot.context, leaving, taken, isTask };
    for (const [property, holds] of Object.entries(ofState))
      if (!holds(here)) note(property, way, snapshot.value);
    for (const edge of leaving) {
      const after = graph.states.get(edge.to);
      if (after === undefined) continue;
      const step = { before: snapshot.context, at: snapshot, fact: edge.fact, after: after.context };
      for (const [property, holds] of Object.entries(ofStep))
        if (!holds(step)) note(property, [...way, edge], after.value);
    }
  }
  const ending = new Set([...graph.states].flatMap(([key, state]) => (isSettled(state) ? [key] : [])));
  const into = new Map<string, string[]>();
  for (const { from, to } of graph.edges) into.set(to, [...(into.get(to) ?? []), from]);
  for (const key of ending) for (const from of into.get(key) ?? []) ending.add(from);
  for (const [key, way] of graph.ways)
    if (!ending.has(key))
      note('a settled state can be reached from every state', way, graph.states.get(key)?.value);
  return found;
};
