import { StateMachine, type AnyStateMachine } from 'xstate';
import { guardsOf } from './guards.ts';

/** A chart with one thing wrong. */
export interface Mutant<Machine extends AnyStateMachine> {
  /** What is wrong with it. */
  readonly name: string;
  readonly machine: Machine;
}

type Part = Record<string, unknown>;
type Branches = readonly Part[];

/** One list of branches of one state, as the chart was written: what it is on, and where it stands. */
interface Decision {
  readonly name: string;
  readonly state: string;
  /** The keys that lead to it from the root of the configuration. */
  readonly path: readonly string[];
  readonly branches: Branches;
}

const partsOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** An event that is forbidden has none. */
const branchesOf = (written: unknown): Branches =>
  (written === undefined ? [] : Array.isArray(written) ? written : [written]).map((branch: unknown) =>
    typeof branch === 'string' ? { target: branch } : (branch as Part),
  );

/** Every decision of a state and of those in it: one for each event that it hears, and one for `always`. */
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

/** A configuration with another value where a path leads. */
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

/** The branches of each state, in the order in which they are written. */
const branchesByState = (decisions: readonly Decision[]): readonly (readonly Branch[])[] => {
  const states = new Map<string, Branch[]>();
  for (const of of decisions)
    for (const [at, { target }] of of.branches.entries()) {
      states.set(of.state, [...(states.get(of.state) ?? []), { name: `${of.name}[${at}]`, of, at, target }]);
    }
  return [...states.values()];
};

/** Each branch goes where its neighbour went, and its neighbour where it went; those that go the same way are no mutants. */
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

/** Each decision without its last branch, where that has no guard. */
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
 * A chart with one thing wrong, in every way: each guard forced open and shut, each transition's target swapped with its
 * neighbour's, each last branch without a guard removed.
 *
 * Guards are those with a name that the chart asks; `after`, `onDone` and `invoke` are left as they are.
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
