import { createActor } from 'xstate';
import type { CharterSnapshot, Context } from '../../machines/index.ts';
import {
  callOf,
  explore,
  factsIn as factsOf,
  inWorld as inWorldOf,
  type Charter,
  type World,
} from '../../src/testing/index.ts';
import { stepText, tally, type Tally } from './tally.ts';
import { mostOn, type LongLimit } from './limits.ts';
import { told } from './told.ts';

export { callOf, type Charter, type World };

/** The second model has no denial of one call: every denial ends its run. */
const modelled = (world: World): World => ({ ...world, never: [...(world.never ?? []), 'ends'] });

export const factsIn = (world: World, c: Context) => factsOf(modelled(world), c);
export const inWorld = (world: World) => inWorldOf(modelled(world));

/** How large a world is. */
export interface Size {
  readonly states: number;
  readonly settled: number;
  readonly edges: number;
  /** How many steps there are of each kind: by the fact, the states of the chart before and after it, and the reasons. */
  readonly steps: Tally;
  /** The most turns of the model, and calls, of one request on any way; more than `enough` is as good as no end. */
  readonly most: Readonly<Record<LongLimit, number>>;
}

const leafOf = ({ _nodes: active }: CharterSnapshot): string =>
  active.find(({ states }) => Object.keys(states).length === 0)?.id ?? '';

/** A chart in a world, as the TypeScript exploration counts it. */
export const explored = (machine: Charter, world: World): Size => {
  const graph = explore<Charter>(machine, inWorld(world));
  const { states, edges } = graph;
  return {
    states: states.length,
    settled: states.filter((one: CharterSnapshot) => one.status === 'done' || one.hasTag('settled')).length,
    edges: edges.length,
    most: { modelCalls: mostOn(edges, 'modelCalls'), calls: mostOn(edges, 'calls') },
    steps: tally(
      edges.map(({ from, event, to }) => {
        const { reasons } = graph.at(to).context;
        const codes = [reasons[0]?.code ?? '', reasons[1]?.code ?? ''];
        return stepText(leafOf(graph.at(from)), event, leafOf(graph.at(to)), [
          String(reasons.length),
          ...codes,
        ]);
      }),
    ),
  };
};

/** The part of a way that a chart takes in a world, fact by fact, up to the first that it refuses. */
export const takenBy = (machine: Charter, world: World, way: readonly string[]): readonly string[] => {
  const actor = createActor(machine, { input: inWorld(world).input }).start();
  const refused = way.findIndex((line) => {
    const before = actor.getSnapshot();
    const fact = factsIn(world, before.context).find((one) => told(one) === line);
    if (fact !== undefined) actor.send(fact);
    return actor.getSnapshot() === before;
  });
  return refused < 0 ? way : way.slice(0, refused);
};
