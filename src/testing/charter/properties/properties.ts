import { ruleOf } from '../../../../machines/facts/index.ts';
import type { CharterSnapshot, Context, executionMachine, taskMachine } from '../../../../machines/index.ts';
import { everyRunEnds, inEveryState, inEveryStep, staysReachable, type Property } from '../../property.ts';
import { factsIn } from '../facts.ts';
import { hostileFactsIn } from '../hostile.ts';
import type { World } from '../world.ts';
import { isSettled } from './predicates.ts';
import * as states from './states.ts';
import * as steps from './steps.ts';
import * as approvals from './approvals.ts';
import * as origins from './origins.ts';

/** A chart of ours. */
export type Charter = typeof taskMachine | typeof executionMachine;

/** Returns a memoized function of a key. */
const memoize = <Key extends object, Value>(make: (key: Key) => Value) => {
  const made = new WeakMap<Key, Value>();
  return (key: Key): Value => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
};

/**
 * Returns the properties of a chart in a world: safety of states and steps, a reachable end, and termination,
 * unless people or the clock repeat themselves (UAICP 4.1, 5, 7; UpFormat Tables 2 and 3).
 */
export const charterProperties = <Machine extends Charter>(world: World): readonly Property<Machine>[] => {
  const whole = { ...world, never: [] };
  const hereOf = memoize((snapshot: CharterSnapshot): states.StateView => ({
    snapshot,
    c: snapshot.context,
    taken: factsIn(whole, snapshot.context).filter((fact) => snapshot.can(fact)),
    isTask: snapshot.machine.id === 'task',
  }));
  return [
    ...Object.entries({ ...states.inEveryState, ...approvals.inEveryState, ...origins.inEveryState }).map(
      ([name, holds]) =>
        inEveryState<Machine>(name, (snapshot) => holds(hereOf(snapshot as CharterSnapshot))),
    ),
    ...Object.entries({ ...steps.inEveryStep, ...approvals.inEveryStep, ...origins.inEveryStep }).map(
      ([name, holds]) =>
        inEveryStep<Machine>(name, ({ from, event, to }) => {
          const at = from as CharterSnapshot;
          const after: Context = (to as CharterSnapshot).context;
          return holds({ before: at.context, at, fact: event, after });
        }),
    ),
    staysReachable<Machine>('a settled state can be reached from every state', (snapshot) =>
      isSettled(snapshot as CharterSnapshot),
    ),
    everyRunEnds<Machine>(
      'every run ends, unless outside events repeat without end',
      ({ event }) => ruleOf(event.type).isRepeatable?.(event) === true,
    ),
  ];
};

/**
 * Returns the properties that hostile events have no effect: unrelated, repeated or late facts, and other
 * events.
 */
export const adversarialProperties = <Machine extends Charter>(
  world: World,
): readonly Property<Machine>[] => [
  inEveryState<Machine>('a fact that is not about the run is refused', (snapshot) => {
    const state = snapshot as CharterSnapshot;
    return hostileFactsIn(world, state.context).every((fact) => !state.can(fact));
  }),
];
