import { deepStrictEqual } from 'node:assert/strict';
import { createActor, type AnyActorLogic, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import { stateName } from '../../../machines/index.ts';
import type { EventOf, SnapshotOf } from '../chart.ts';
import type { Graph } from '../graph.ts';
import type { Path } from './path.ts';

/** Options of `replay`. */
export interface Replay {
  /** Whether to save the actor as JSON and restore it after every step. */
  readonly restored?: boolean;
}

const shown = (snapshot: AnyMachineSnapshot, key: string): string => `${stateName(snapshot.value)} ${key}`;

/** Sends each event of a path to a live actor. Throws if its states differ from those of the graph. */
export const replay = <Machine extends AnyStateMachine>(
  { graph, steps }: Path<Machine>,
  { restored = false }: Replay = {},
): void => {
  const { machine, input, after } = graph;
  const logic: AnyActorLogic = machine;
  let actor = createActor(logic, { input }).start();
  const send = (event: EventOf<Machine>): void => {
    actor.send(event);
    if (!restored) return;
    const saved: unknown = JSON.parse(JSON.stringify(actor.getPersistedSnapshot()));
    actor.stop();
    actor = createActor(logic, { input, snapshot: saved as never }).start();
  };
  const shows = (state: number): void => {
    const snapshot = actor.getSnapshot() as SnapshotOf<Machine>;
    const expected = graph.at(state);
    deepStrictEqual(shown(snapshot, graph.keyOf(snapshot)), shown(expected, graph.keyOf(expected)));
  };
  for (const event of after) send(event);
  shows(0);
  for (const { event, to } of steps) {
    send(event);
    shows(to);
  }
  actor.stop();
};

/**
 * Takes every step of a graph from a saved state: each shortest path plus one step. The actor is saved as
 * JSON and restored after every step. Returns the number of steps.
 */
export const replaySaved = <Machine extends AnyStateMachine>(graph: Graph<Machine>): number => {
  const logic: AnyActorLogic = graph.machine;
  const begin = (saved?: string) =>
    createActor(logic, {
      input: graph.input,
      ...(saved !== undefined && { snapshot: JSON.parse(saved) as never }),
    }).start();
  const first = begin();
  for (const event of graph.after) first.send(event);
  const saved = new Map([[0, JSON.stringify(first.getPersistedSnapshot())]]);
  for (const { from, event, to } of graph.edges) {
    const actor = begin(saved.get(from));
    actor.send(event);
    const snapshot = actor.getSnapshot() as SnapshotOf<Machine>;
    deepStrictEqual(shown(snapshot, graph.keyOf(snapshot)), shown(graph.at(to), graph.keyOf(graph.at(to))));
    if (!saved.has(to)) saved.set(to, JSON.stringify(actor.getPersistedSnapshot()));
    actor.stop();
  }
  return graph.edges.length;
};

/** Declares a test, as vitest's `test` does. */
export type DeclareTest = (title: string, run: () => void | Promise<void>) => unknown;

/**
 * Declares a test for each path, with a numbered title of at most 100 characters. By default, it replays the path on
 * a live actor. Throws if there is no path.
 */
export const testPaths = <Machine extends AnyStateMachine>(
  test: DeclareTest,
  paths: Iterable<Path<Machine>>,
  run: (path: Path<Machine>) => void | Promise<void> = replay,
): void => {
  let declared = 0;
  for (const path of paths) {
    declared += 1;
    test(`${declared}. ${path.title}`, () => run(path));
  }
  if (declared === 0) throw new RangeError('There is no path to test: the graph or its filter is empty.');
};
