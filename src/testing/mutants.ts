import { StateMachine, type AnyStateMachine } from 'xstate';
import { guardsOf } from './guards.ts';

/** A chart with one fault. */
export interface Mutant<Machine extends AnyStateMachine> {
  /** The description of the fault. */
  readonly name: string;
  readonly machine: Machine;
}

type Part = Record<string, unknown>;
type Branches = readonly Part[];

/** The branches of one event in one state, and their location in the configuration. */
interface Decision {
  readonly name: string;
  readonly state: string;
  /** The keys from the root of the configuration. */
  readonly path: readonly string[];
  readonly branches: Branches;
}

const partsOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** Returns the branches of an event. A forbidden event has none. */
const branchesOf = (written: unknown): Branches =>
  (written === undefined ? [] : Array.isArray(written) ? written : [written]).map((branch: unknown) =>
    typeof branch === 'string' ? { target: branch } : (branch as Part),
  );

/** Returns the decisions of a state and its descendants: one for each event, and one for `always`. */
const decisionsOf = (config: Part, path: readonly string[], name: string): readonly Decision[] => [
  ...partsOf(config['on']).map(([event, written]) => ({
    name: `${name} ${event}`,
    state: name,
    path: [...path, 'on', event],
    branches: branchesOf(written),
  })),
  ...(config['always'] === undefined
    ? []
    : [
        {
          name: `${name} always`,
          state: name,
          path: [...path, 'always'],
          branches: branchesOf(config['always']),
        },
      ]),
  ...partsOf(config['states']).flatMap(([state, inner]) =>
    decisionsOf(inner as Part, [...path, 'states', state], `${name}.${state}`),
  ),
];

/** Returns a configuration with a replaced value. */
const replacedIn = (config: Part, [key = '', ...rest]: readonly string[], value: unknown): Part => ({
  ...config,
  [key]: rest.length === 0 ? value : replacedIn(config[key] as Part, rest, value),
});

const retargeted = ({ target: _target, ...branch }: Part, target: unknown): Part =>
  target === undefined ? branch : { ...branch, target };

interface Branch {
  readonly name: string;
  readonly of: Decision;
  readonly at: number;
  readonly target: unknown;
}

const withTarget = (config: Part, { of: { path }, at }: Branch, target: unknown): Part => {
  const written = branchesOf(path.reduce<unknown>((part, key) => (part as Part)[key], config));
  return replacedIn(
    config,
    path,
    written.map((branch, index) => (index === at ? retargeted(branch, target) : branch)),
  );
};

/** Returns the branches of each state, in source order. */
const branchesByState = (decisions: readonly Decision[]): readonly (readonly Branch[])[] => {
  const states = new Map<string, Branch[]>();
  for (const of of decisions)
    for (const [at, { target }] of of.branches.entries()) {
      states.set(of.state, [...(states.get(of.state) ?? []), { name: `${of.name}[${at}]`, of, at, target }]);
    }
  return [...states.values()];
};

/** Returns mutants with swapped targets of neighbouring branches. Branches with equal targets are skipped. */
const swapped = (config: Part, decisions: readonly Decision[]) =>
  branchesByState(decisions).flatMap((branches) =>
    branches.slice(1).flatMap((branch, before) => {
      const neighbour = branches[before];
      if (neighbour === undefined || neighbour.target === branch.target) return [];
      const half = withTarget(config, neighbour, branch.target);
      return {
        name: `${neighbour.name} and ${branch.name} go where the other went`,
        config: withTarget(half, branch, neighbour.target),
      };
    }),
  );

/** Returns mutants without the last branch of a decision, if it has no guard. */
const shortened = (config: Part, decisions: readonly Decision[]) =>
  decisions
    .filter(({ branches }) => branches.length > 0 && branches.at(-1)?.['guard'] === undefined)
    .map(({ name, path, branches }) => ({
      name: `${name} has no last branch`,
      config: replacedIn(config, path, branches.slice(0, -1)),
    }));

const forced = <Machine extends AnyStateMachine>(machine: Machine): readonly Mutant<Machine>[] =>
  guardsOf(machine).flatMap((guard) =>
    [true, false].map((verdict) => ({
      name: `${guard} is always ${verdict}`,
      machine: machine.provide({
        guards: { [guard]: () => verdict },
      }) as Machine,
    })),
  );

/**
 * Returns all mutants of a chart: each guard forced to true and false, neighbouring targets swapped, and each
 * last branch without a guard removed.
 *
 * Only named guards that the chart uses are mutated. `after`, `onDone` and `invoke` stay unchanged.
 */
export const mutantsOf = <Machine extends AnyStateMachine>(machine: Machine): readonly Mutant<Machine>[] => {
  const config: Part = machine.config;
  const decisions = decisionsOf(config, [], machine.id);
  return [
    ...forced(machine),
    ...[...swapped(config, decisions), ...shortened(config, decisions)].map((mutant) => ({
      name: mutant.name,
      machine: new StateMachine(
        mutant.config as never,
        machine.implementations as never,
      ) as AnyStateMachine as Machine,
    })),
  ];
};
