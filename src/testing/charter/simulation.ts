import { assign, type AnyMachineSnapshot, type AnyStateMachine, type AnyStateNode } from 'xstate';
import type { Context, Fact, FactType } from '../../../machines/index.ts';
import { guardText } from '../../optional/render/guard-text.ts';
import type { Facts, Simulation } from '../../optional/render/simulation.ts';
import { stepper, type OnMicrostep } from '../chart.ts';
import { callOf } from './call.ts';
import { factsIn } from './facts.ts';
import { changesOf } from './outcomes.ts';
import { otherOutcomes, usualChanges, type Sample } from './samples.ts';
import { inputIn, type World } from './world.ts';

const taskClass = {
  followup: true,
  beforeDeliver: { evidence: [], verifiers: ['check'] },
  limits: { repairs: 5 },
} as const;
const checked = { ...taskClass, beforeWrite: { evidence: [], verifiers: ['check'] } } as const;

/** The world whose usual changes count, where it has any. */
const plain: World = { name: 'one write', taskClass, plans: [[callOf.undoable('write')]] };
/** Worlds in which a run can reach every state. */
const worlds: readonly World[] = [
  plain,
  {
    name: 'another write',
    taskClass: checked,
    plans: [[callOf.undoable('one')], [callOf.undoable('other')]],
  },
  {
    name: 'reads and approvals',
    taskClass: { followup: true, limits: taskClass.limits },
    plans: [[callOf.read('read'), callOf.send('send')], []],
    further: [callOf.note('note')],
  },
];

/** Facts that end or hinder a run. Runs that take one of them at every step end early. */
const hindering: ReadonlySet<FactType> = new Set<FactType>([
  'request.refused',
  'capability.exceeded',
  'run.failed',
  'task.cancelled',
  'deadline.passed',
  'evidence.changed',
  'output.changed',
  'output.rejected',
  'help.requested',
  'information.requested',
  'question.raised',
  'dependency.awaited',
  'call.refused',
  'call.failed',
  'call.doubted',
]);

/** Returns a generator of numbers below a bound, the same at each run. */
const dice = (): ((bound: number) => number) => {
  let last = 1;
  return (bound) => (last = (last * 48_271) % 2_147_483_647) % bound;
};

interface Args {
  readonly context: Context;
  readonly event: Fact;
}
type Assigned = (args: Args, params: unknown) => Partial<Context>;
type Member = (args: Args, params: unknown) => unknown;

/** Returns the change of an `assign` action. */
const changeOf = (action: unknown): Assigned => {
  const { assignment } = action as { readonly assignment: Assigned | Readonly<Record<string, unknown>> };
  if (typeof assignment === 'function') return assignment;
  return (args, params) =>
    Object.fromEntries(
      Object.entries(assignment).map(([name, value]) => [
        name,
        typeof value === 'function' ? (value as Member)(args, params) : value,
      ]),
    );
};

/** A simulation of a chart, and the other outcomes of each event: the facts that it brings then. */
export interface Sampled {
  readonly simulation: Simulation;
  readonly outcomes: Readonly<Record<string, readonly Facts[]>>;
}

type Guard = (args: Partial<Args>) => boolean;

const nodesOf = (node: AnyStateNode): readonly AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
];

/** Returns the facts of the guards that decide without an event. */
const decisionsOf = (machine: AnyStateMachine): ReadonlySet<string> =>
  new Set(
    nodesOf(machine.root).flatMap(({ always }) =>
      (always ?? []).flatMap(({ guard }) => (guard === undefined ? [] : guardText(machine, guard).facts)),
    ),
  );

type Branches = readonly string[];

/** Returns the guards of branches among which an event chooses, by its type. */
const choicesOf = (machine: AnyStateMachine): ReadonlyMap<string, readonly Branches[]> => {
  const choices = new Map<string, Branches[]>();
  for (const { transitions } of nodesOf(machine.root))
    for (const [type, branches] of transitions) {
      const guards = branches.flatMap(({ guard }) => (typeof guard === 'string' ? [guard] : []));
      if (guards.length > 1) choices.set(type, [...(choices.get(type) ?? []), guards]);
    }
  return choices;
};

/** Returns the actions of events, which differ by the event; the others differ by their parameters. */
const actionsOfEvents = (machine: AnyStateMachine): ReadonlySet<string> =>
  new Set(
    nodesOf(machine.root).flatMap(({ transitions }) =>
      [...transitions.values()].flat().flatMap(({ actions }) => actions.map(actionName)),
    ),
  );

const actionName = (action: unknown): string =>
  typeof action === 'string' ? action : String((action as { readonly type?: unknown }).type);

const runsOf = 250;
const longest = 60;

/** Sends random facts to a chart, and tells before each which states are active. Hindering facts are rare. */
const sampleRuns = (
  machine: AnyStateMachine,
  worlds: readonly World[],
  onStep: (active: readonly AnyStateNode[]) => void,
  onMicrostep: OnMicrostep,
): void => {
  const below = dice();
  const oneOf = <Item>(items: readonly Item[]): Item | undefined => items[below(Math.max(1, items.length))];
  for (const world of worlds)
    for (let run = 0; run < runsOf; run += 1) {
      const { initial, step } = stepper(machine, inputIn(world), onMicrostep);
      let snapshot: AnyMachineSnapshot = initial();
      for (let length = 0; length < longest && snapshot.status === 'active'; length += 1) {
        const accepted = factsIn(world, snapshot.context as Context).filter((fact) => snapshot.can(fact));
        const types = [...new Set(accepted.map(({ type }) => type))];
        const type = oneOf(types.filter((one) => !hindering.has(one) || below(12) === 0));
        const facts = accepted.filter((one) => one.type === type);
        const fact = below(3) === 0 ? oneOf(facts) : facts[0]; // the first is the one that leads on: pass, approve
        if (fact === undefined) continue;
        onStep(snapshot._nodes);
        snapshot = step(snapshot, fact);
      }
    }
};

/** Reads the facts of a chart. Those of events are the guards that other branches of the same event follow. */
const factsReader = (machine: AnyStateMachine) => {
  const guards = machine.implementations.guards as unknown as Readonly<Record<string, Guard>>;
  const decisions = decisionsOf(machine);
  const choices = choicesOf(machine);
  const passes = (name: string, args: Partial<Args>): boolean => guards[name]?.(args) === true;
  return {
    ofContext: (context: Context): Facts =>
      Object.fromEntries([...decisions].map((name) => [name, passes(name, { context })])),
    ofEvent: (args: Args): Facts =>
      Object.fromEntries(
        (choices.get(args.event.type) ?? [])
          .filter((branches) => branches.some((name) => passes(name, args)))
          .flatMap((branches) => branches.slice(0, -1).map((name) => [name, passes(name, args)])),
      ),
  };
};

/** Returns the samples of random runs in these worlds. */
const samplesOf = (machine: AnyStateMachine, worlds: readonly World[]): readonly Sample[] => {
  const byEvent = actionsOfEvents(machine);
  const { ofContext, ofEvent } = factsReader(machine);
  const samples: Sample[] = [];
  let left = new Set<string>();
  let entered = new Set<string>();
  const actions = Object.entries(machine.implementations.actions as Readonly<Record<string, unknown>>).map(
    ([action, implementation]) => {
      const change = changeOf(implementation);
      const watch = (args: Args, params: unknown): Partial<Context> => {
        const changed = change(args, params);
        const { type: event } = args.event;
        const isByEvent = byEvent.has(action);
        samples.push({
          action,
          key: isByEvent ? event : JSON.stringify(params ?? null),
          event,
          before: ofContext(args.context),
          after: {
            ...ofContext({ ...args.context, ...changed }),
            ...(isByEvent && ofEvent(args)),
          },
          entered,
        });
        return changed;
      };
      return [action, assign(watch as never)] as const;
    },
  );
  sampleRuns(
    machine.provide({ actions: Object.fromEntries(actions) as never }),
    worlds,
    (active) => {
      left = new Set(active.map(({ id }) => id));
      entered = new Set();
    },
    (_, { _nodes: active }) => {
      for (const { id } of active) if (!left.has(id)) entered.add(id);
    },
  );
  return samples;
};

/** Returns the guards of branches that others follow: such a guard passes if it mostly does. */
const usualChoices = (samples: readonly Sample[], choices: ReadonlySet<string>): Facts =>
  Object.fromEntries(
    [...choices].map((name) => {
      const made = samples.flatMap(({ after }) => after[name] ?? []);
      return [name, made.filter((passes) => passes).length * 2 >= made.length];
    }),
  );

/** Runs one of our charts with random facts. Returns what its actions usually change, as facts of its guards. */
export const sampleSimulation = (machine: AnyStateMachine): Sampled => {
  const all = samplesOf(machine, worlds);
  const byEvent = actionsOfEvents(machine);
  const usually = usualChanges(samplesOf(machine, [plain]), all);
  const begins = stepper(machine, inputIn(plain)).initial().context as Context;
  const choices = usualChoices(
    all,
    new Set([...choicesOf(machine).values()].flat().flatMap((branches) => branches.slice(0, -1))),
  );
  const facts = { ...factsReader(machine).ofContext(begins), ...choices };
  const changes = changesOf(usually, { samples: all, choices, byEvent });
  return { simulation: { facts, changes }, outcomes: otherOutcomes(all, usually, facts) };
};
