import type { AnyStateMachine } from 'xstate';
import { isObject } from '../../base/boundary/is-object.ts';
import type { Graph } from '../../testing/graph.ts';
import type { Property } from '../../testing/property.ts';
import type { World } from '../../testing/charter/world.ts';
import { countOf } from './counts.ts';
import { loadModule } from './modules.ts';
import { usage } from './stop.ts';
import type { Terminal } from './terminal.ts';

/** A chart with its properties and exploration. */
export interface Explored {
  readonly graph: Graph<AnyStateMachine>;
  readonly properties: readonly Property<AnyStateMachine>[];
}

const shipped = ['task', 'execution'] as const;

export const chartArgument = { description: `${shipped.join(' or ')}, or a module` } as const;

export const limitFlag = {
  description: 'the maximum number of states',
  value: 'N',
  default: '100000',
} as const;

/** The exports that a chart module must have. */
export const moduleShape = [
  'A module exports `world`, a task class and the facts to try (World of agentcharter/testing), to explore the task chart.',
  'Or its default export is an XState machine, and it also exports `events`, a list or a function of the snapshot, and',
  'optionally `input`, `project` (the part of the context that distinguishes states) and `properties`.',
].join('\n');

/** Returns whether a value is a machine, also of another copy of XState. */
export const isMachine = (value: unknown): value is AnyStateMachine =>
  isObject(value) && isObject(value['root']) && isObject(value['config']) && 'getInitialSnapshot' in value;

const isWorld = (value: unknown): value is World =>
  isObject(value) && isObject(value['taskClass']) && Array.isArray(value['plans']);

/** Returns a machine by name, or the default export of a module. */
export const machineOf = async (chart: string, terminal: Terminal): Promise<AnyStateMachine> => {
  const { taskMachine, executionMachine } = await import('../../../machines/index.ts');
  if (chart === 'task') return taskMachine;
  if (chart === 'execution') return executionMachine;
  const machine = (await loadModule(chart, terminal))['default'];
  if (isMachine(machine)) return machine;
  throw usage(`${chart}: expected an XState machine as default export, or ${shipped.join(' or ')}`);
};

/** Returns a small alphabet for quick exploration: one read, at most one question, no retries. */
const smallWorld = async (): Promise<World> => {
  const { callOf } = await import('../../testing/charter/call.ts');
  return {
    name: 'one read',
    taskClass: { limits: { repairs: 0, revisions: 0, pauses: 1, corrections: 0, rounds: 1 } },
    plans: [[callOf.read('read')]],
    never: ['output.rejected', 'help.requested', 'question.raised'],
  };
};

const inWorldOf = async (chart: string, world: World, limit: number): Promise<Explored> => {
  const { taskMachine, executionMachine } = await import('../../../machines/index.ts');
  const testing = await import('../../testing/index.ts');
  const exploration = { ...testing.inWorld(world), limit };
  const [graph, properties] =
    chart === 'execution'
      ? [
          testing.explore(executionMachine, exploration),
          testing.charterProperties<typeof executionMachine>(world),
        ]
      : [testing.explore(taskMachine, exploration), testing.charterProperties<typeof taskMachine>(world)];
  return { graph, properties } as Explored; // graph and properties are of the same chart
};

/** Returns whether a value is a list, for properties of a chart that only its own module types. */
const isList = (value: unknown): value is readonly never[] => Array.isArray(value);

const listOf = (value: unknown, where: string): readonly never[] => {
  if (value === undefined) return [];
  if (isList(value)) return value;
  throw usage(`${where}: expected a list`);
};

/** Explores a chart: ours with a small alphabet, a module's with its own. Throws what `explore` throws. */
export const explored = async (
  chart: string,
  { limit: most }: { readonly limit: string },
  terminal: Terminal,
): Promise<Explored> => {
  const limit = countOf('limit', most, 1);
  const progress = terminal.progress();
  progress.print(`walking ${chart}`);
  try {
    if (chart === 'task' || chart === 'execution') return await inWorldOf(chart, await smallWorld(), limit);
    const module = await loadModule(chart, terminal);
    const { world, events, input, project, default: machine } = module;
    if (isWorld(world)) return await inWorldOf('task', world, limit);
    if (!isMachine(machine)) throw usage(`${chart}: expected \`world\`, or a machine as default export`);
    const { explore } = await import('../../testing/explore.ts');
    const alphabet =
      typeof events === 'function' ? (events as () => readonly never[]) : listOf(events, `${chart} events`);
    const graph = explore(machine, {
      events: alphabet,
      limit,
      ...(input !== undefined && { input }),
      ...(typeof project === 'function' && { project: project as (context: unknown) => unknown }),
    });
    return { graph, properties: listOf(module['properties'], `${chart} properties`) };
  } finally {
    progress.end();
  }
};
