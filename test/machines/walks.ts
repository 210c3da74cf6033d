import { expect, test } from 'vitest';
import {
  adversarialProperties,
  charterProperties,
  check,
  edgeCover,
  explore,
  inWorld,
  replay,
  replaySaved,
  type Charter,
  type World,
} from 'agentcharter/testing';
import { once } from './once.ts';

/** A chart, with every state and every step that it can come to in a world. */
export const graphIn = <Machine extends Charter>(machine: Machine, world: World, limit = 20_000) =>
  explore<Machine>(machine, { ...inWorld(world), limit } as never);

/** Everything that is asked of a chart in a world. */
export const asked = <Machine extends Charter>(world: World) => [
  ...charterProperties<Machine>(world),
  ...adversarialProperties<Machine>(world),
];

/** Asks everything of a chart in each of these worlds, and leads live actors along all of it. */
export const walk = (machine: Charter, worlds: readonly World[]): void => {
  const graphOf = once((world: World) => graphIn(machine, world));
  const walked = { states: 0, steps: 0, paths: 0, replayed: 0 };

  test.each(worlds)('$name: every property holds, in every state and of every step', (world) => {
    const graph = graphOf(world);
    expect(check(graph, asked(world)).map(({ trace }) => trace)).toEqual([]);
    walked.states += graph.states.length;
    walked.steps += graph.edges.length;
  });

  test.each(worlds)(
    '$name: actors show these states, live or saved and restored after every step',
    (world) => {
      const graph = graphOf(world);
      const paths = edgeCover(graph);
      for (const path of paths) replay(path);
      walked.paths += paths.length;
      walked.replayed += new Set(paths.flatMap(({ steps }) => steps)).size;
      expect(replaySaved(graph)).toBe(graph.edges.length);
    },
  );

  test('was walked to its ends', () => {
    const { states, steps, paths, replayed } = walked;
    console.log(
      `${machine.id}: ${states} states, ${steps} steps in ${worlds.length} worlds; ${paths} paths replayed, live and restored`,
    );
    expect(states).toBeGreaterThan(4000);
    expect(replayed).toBe(steps);
  });
};
