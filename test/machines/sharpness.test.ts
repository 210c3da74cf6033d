import { expect, test } from 'vitest';
import { taskMachine, type FactType } from '../../machines/index.ts';
import { hostile, note, read, undoable, type Configuration } from './alphabet.ts';
import { explore, type Chart, type Graph } from './explore.ts';
import { broken } from './properties/broken.ts';

const none = { corrections: 0, repairs: 0, rounds: 1, revisions: 0, refreshes: 0, pauses: 0 };
const asides = [
  'information.requested',
  'help.requested',
  'output.rejected',
  'capability.exceeded',
  'request.refused',
  'run.failed',
  'call.refused',
  'call.doubted',
  'call.failed',
  'human.responded',
  'approval.granted',
] as const satisfies readonly FactType[];
const times = ['accept', 'model', 'policy', 'call', 'verifier', 'evidence', 'rollback', 'approval'] as const;
const but = (...heard: readonly string[]): NonNullable<Configuration['never']> =>
  [...asides, ...times, 'unsure', 'needs_review', 'question.raised', 'dependency.awaited'].filter(
    (name) => !heard.includes(name),
  ) as NonNullable<Configuration['never']>;

/** Small worlds, each sharp in its own corner. */
const worlds: readonly Configuration[] = [
  {
    name: 'nothing to do, and a followup',
    taskClass: { followup: true, limits: { ...none, pauses: 1 } },
    plans: [[]],
    never: but('unsure', 'human.responded', 'accept', 'model'),
  },
  {
    name: 'a checked write that asks and waits, executed again',
    taskClass: {
      beforeWrite: { verifiers: ['check'] },
      repairTo: 'execute',
      limits: { ...none, repairs: 1, pauses: 1 },
    },
    plans: [[undoable('u')]],
    never: but('question.raised', 'dependency.awaited', 'call.failed', 'call', 'human.responded'),
  },
  {
    name: 'a write that the next plan drops',
    taskClass: { beforeDeliver: { verifiers: ['facts'] }, limits: { ...none, repairs: 1 } },
    plans: [[undoable('u')], [note('n')], []],
    never: but('call.failed'),
  },
  {
    name: 'a write that rests on a read',
    taskClass: { limits: { ...none, refreshes: 1, pauses: 1 } },
    plans: [[read('r'), note('n')]],
    never: but('evidence', 'unsure', 'needs_review', 'human.responded'),
  },
];

const guards = Object.keys(taskMachine.implementations.guards);
const placesOf = ({ states }: Graph) =>
  new Set([...states.values()].map(({ value }) => JSON.stringify(value)));
const sound = worlds.map((world) => explore(taskMachine as unknown as Chart, world));

/** How a world tells a mutant from the chart; null where it cannot. */
const faultOf = (machine: Chart, world: Configuration, of: Graph): string | null => {
  let graph: Graph;
  try {
    graph = explore(machine, world, of.edges.length * 3 + 100);
  } catch {
    return 'throws';
  }
  const places = placesOf(graph);
  if (![...placesOf(of)].every((place) => places.has(place))) return 'loses a state';
  if (Object.keys(broken(graph, world, true)).length > 0) return 'breaks a property';
  const isFooled = [...graph.states.values()].some((snapshot) =>
    hostile(world, snapshot.context).some((fact) => snapshot.can(fact)),
  );
  return isFooled ? 'takes a hostile fact' : null;
};

test('the worlds are sound', () => {
  for (const [index, world] of worlds.entries())
    expect(faultOf(taskMachine as unknown as Chart, world, sound[index]!)).toBeNull();
});

test('no guard can be forced open or shut unnoticed', () => {
  const found = new Map<string, number>();
  const survivors: string[] = [];
  for (const guard of guards)
    for (const verdict of [true, false]) {
      const machine = taskMachine.provide({
        guards: { [guard]: () => verdict },
      }) as unknown as Chart;
      let fault: string | null = null;
      for (const [index, world] of worlds.entries()) fault ??= faultOf(machine, world, sound[index]!);
      if (fault === null) survivors.push(`${guard} ${verdict}`);
      else found.set(fault, (found.get(fault) ?? 0) + 1);
    }
  const states = sound.map(({ states }) => states.size).join(' + ');
  console.log(
    `${guards.length * 2} mutants over ${states} states: ` +
      [...found].map(([fault, count]) => `${count} ${fault}`).join(', ') +
      `; ${survivors.length} survive`,
  );
  expect(guards.length).toBeGreaterThan(40);
  expect(survivors).toEqual([]);
});
