import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { factTypes, type Meta } from '../../machines/index.ts';
import { nameOf, nodesOf, transitionsOf, type Transition } from '../machines/transitions.ts';
import {
  ancestry,
  descent,
  historyOf,
  isEnd,
  isLeaf,
  keepsOf,
  labelOf,
  leavesOf,
  token,
  waysOf,
  type History,
  type Way,
} from './tree.ts';
import { once } from './once.ts';
import { any, define } from './printed.ts';

/** The names that a chart's control structure leaves to be said by hand. */
export interface Vocabulary {
  /** Guards that read the context alone. */
  readonly guards: ReadonlySet<string>;
  /** Guards that read the fact too. */
  readonly acceptance: ReadonlySet<string>;
  readonly actions: ReadonlySet<string>;
  /** Facts that some transition takes. */
  readonly facts: ReadonlySet<string>;
}

interface NamedAction {
  readonly type: string;
  readonly params?: Readonly<Record<string, string>>;
}

const actionOf = (action: unknown): NamedAction =>
  typeof action === 'string' ? { type: action } : (action as NamedAction);

/** An action as Promela calls it: what applies a fact with its type, another with what the chart gives it. */
const call = (action: unknown, on: string): string => {
  const { type, params = {} } = actionOf(action);
  const given = Object.entries(params).map(([name, value]) => `${name}_${value}`);
  return `${type}(${type === 'applyFact' || type === 'applyTurn' ? token(on) : given.join(', ')})`;
};

const actionsOf = (transition: Transition, history: History | null): readonly unknown[] => [
  ...transition.definition.actions,
  ...waysOf(transition, history).flatMap(({ entered }) => entered.flatMap(({ entry }) => entry)),
];

/** Entering: the entries of what is entered, and the leaf that this comes to. */
const entering = ({ entered }: Way, on: string): readonly string[] => {
  const leaf = entered.at(-1);
  const steps = entered.flatMap(({ entry }) => entry.map((action) => call(action, on)));
  return [...steps, ...(leaf === undefined ? [] : [`state = S_${labelOf(leaf)}`])];
};

/** The way back: to the state that history holds, or to its default. */
const returning = (ways: readonly Way[], on: string): string => {
  const options = ways.map((way) => {
    const condition = way.held === null ? 'else' : `resumed == S_${labelOf(way.held)}`;
    return `:: ${condition} -> ${entering(way, on).join('; ')}`;
  });
  return ['if', ...options, 'fi'].join('\n');
};

/** What a transition does: what it keeps of where the chart was, its actions, and where it leads. */
const effectOf = (transition: Transition, history: History | null): string => {
  const { definition, on } = transition;
  const ways = waysOf(transition, history);
  const keeps = new Set(ways.map((way) => keepsOf(transition, way, history)));
  const steps = [
    ...(keeps.has('kept') ? ['resumed = state'] : []),
    ...definition.actions.map((action) => call(action, on)),
    ...(ways.length > 1 ? [returning(ways, on)] : ways.flatMap((way) => entering(way, on))),
    ...(keeps.has('forgotten') ? ['resumed = 0'] : []),
  ];
  return steps.join('; ') || 'skip';
};

/** Spin keeps no more than 64 KB of an inline: a decision of more branches goes on in another. */
const mostBranches = 9;

/** An inline that takes the first branch that is open; where none is, none. */
const firstOpen = (
  name: string,
  branches: readonly Transition[],
  condition: (branch: Transition) => string,
  number: (branch: Transition) => number,
): string => {
  const further = branches.slice(mostBranches);
  const choice = branches
    .slice(0, mostBranches)
    .reduceRight(
      (otherwise, branch) =>
        `if\n:: ${condition(branch)} -> step = ${number(branch)}\n:: else -> ${otherwise}\nfi`,
      further.length === 0 ? 'step = 0' : `${name}_further()`,
    );
  const rest = further.length === 0 ? '' : `${firstOpen(`${name}_further`, further, condition, number)}\n`;
  return `${rest}inline ${name}() {\n${choice}\n}`;
};

const isIn = (node: AnyStateNode): string => `in_${labelOf(node)}`;

const depth = (node: AnyStateNode): number => ancestry(node).length;

/** The transitions on each fact, the innermost state's first: what XState asks first. */
const onEach = (transitions: readonly Transition[]): ReadonlyMap<string, readonly Transition[]> => {
  const taking = transitions
    .filter(({ on }) => on !== 'always')
    .toSorted((one, other) => depth(other.source) - depth(one.source));
  return new Map(taking.map(({ on: type }) => [type, taking.filter(({ on }) => on === type)]));
};

const onEachOf = once((machine: AnyStateMachine) => onEach(transitionsOf(machine)));

/** Whether a chart takes a fact where it stands, as an expression. */
export const takes = (
  machine: AnyStateMachine,
  type: string,
  about: readonly (number | string)[],
): string => {
  const ways = (onEachOf(machine).get(type) ?? []).map(({ source, guard }) => {
    const said = guard === undefined ? '' : ` && ${guard}(${[token(type), ...about].join(', ')})`;
    return `(${isIn(source)}${said})`;
  });
  return `(${ways.join(' || ')})`;
};

const oneOf = (leaves: readonly AnyStateNode[]): string =>
  any(leaves.map((leaf) => `state == S_${labelOf(leaf)}`));

const owes = (leaf: AnyStateNode): boolean =>
  ancestry(leaf).some(({ meta }) => ((meta as Meta | undefined)?.owes ?? []).length > 0);

const states = (machine: AnyStateMachine): string => {
  const leaves = leavesOf(machine);
  const running = leaves.filter((leaf) => !isEnd(leaf));
  const nodes = nodesOf(machine.root).filter(({ type }) => type !== 'history');
  const start = descent(machine.root).at(-1)!;
  return [
    ...leaves.map((leaf, index) => `#define S_${labelOf(leaf)} ${index + 1}`),
    ...nodes.map((node) => {
      const below = isLeaf(node) ? [node] : running.filter((leaf) => ancestry(leaf).includes(node));
      return define(isIn(node), oneOf(below));
    }),
    define('isSettled', oneOf(leaves.filter((leaf) => isEnd(leaf) || leaf.tags.includes('settled')))),
    define('owesSomething', oneOf(leaves.filter(owes))),
    `byte state = S_${labelOf(start)};`,
    'byte resumed; /* the state that history holds, while the chart may come back to it */',
  ].join('\n');
};

const onFact = ({ source, guard, on }: Transition): string =>
  isIn(source) + (guard === undefined ? '' : ` && ${guard}(${token(on)}, x, y, z)`);

/** Which transition is taken next, and what taking one does; transitions that do the same do it in one place. */
const stepsOf = (machine: AnyStateMachine): string => {
  const transitions = transitionsOf(machine);
  const history = historyOf(machine);
  const effects = transitions.map((transition) => effectOf(transition, history));
  const number = (transition: Transition): number => transitions.indexOf(transition) + 1;
  const after = (leaf: AnyStateNode): readonly Transition[] =>
    isEnd(leaf)
      ? []
      : ancestry(leaf).flatMap((node) =>
          transitions.filter(({ source, on }) => source === node && on === 'always'),
        );
  return [
    'byte step; /* the transition that is taken next */',
    ...[...onEach(transitions)].map(([type, branches]) =>
      firstOpen(`chooseOn_${token(type)}`, branches, onFact, number),
    ),
    'inline chooseOnFact() {\nif',
    ...[...onEach(transitions).keys()].map(
      (type) => `:: fact == F_${token(type)} -> chooseOn_${token(type)}()`,
    ),
    'fi\n}',
    ...leavesOf(machine).map((leaf) =>
      firstOpen(`chooseIn_${labelOf(leaf)}`, after(leaf), ({ guard }) => guard ?? 'true', number),
    ),
    'inline chooseAlways() {\nif',
    ...leavesOf(machine).map((leaf) => `:: state == S_${labelOf(leaf)} -> chooseIn_${labelOf(leaf)}()`),
    'fi\n}',
    'inline takeStep() {\nif',
    ...[...new Set(effects)].map((effect) => {
      const alike = transitions.filter((_, at) => effects[at] === effect);
      const isNext = alike.map((transition) => `step == ${number(transition)}`).join(' || ');
      return `/* ${alike.map(nameOf).join('; ')} */\n:: ${isNext} -> d_step { ${effect}; step = 0 }`;
    }),
    'fi\n}',
  ].join('\n');
};

interface Combined {
  readonly name: string;
  readonly guards: readonly unknown[];
}

const isCombined = (guard: unknown): guard is Combined =>
  typeof guard === 'function' && 'guards' in guard && Array.isArray(guard.guards);

/** A guard that is made of others, as XState keeps it: `and`, `or` and `not` are functions of those names. */
const combined = (guard: Combined): string => {
  const parts = guard.guards.map((part) => (isCombined(part) ? combined(part) : String(part)));
  switch (guard.name) {
    case 'not':
      return `(!${parts.join('')})`;
    case 'and':
      return `(${parts.join(' && ')})`;
    case 'or':
      return `(${parts.join(' || ')})`;
    default:
      throw new Error(`a guard is combined by ${guard.name}`);
  }
};

const implementation = (machine: AnyStateMachine, name: string): unknown =>
  (machine.implementations.guards as Readonly<Record<string, unknown>>)[name];

/** The guards that a combined one reads, also where a part has a name and is combined itself. */
const atoms = (machine: AnyStateMachine, guard: unknown): readonly string[] => {
  const combination = isCombined(guard) ? guard : implementation(machine, String(guard));
  return isCombined(combination)
    ? combination.guards.flatMap((part) => atoms(machine, part))
    : [String(guard)];
};

const named = (machine: AnyStateMachine, which: (on: string) => boolean): readonly string[] => [
  ...new Set(
    transitionsOf(machine).flatMap(({ guard, on }) => (guard !== undefined && which(on) ? [guard] : [])),
  ),
];

/** The guards that the chart combines of others, as macros of their parts. */
const combinations = (machine: AnyStateMachine): string =>
  named(machine, () => true)
    .map((name) => [name, implementation(machine, name)] as const)
    .flatMap(([name, guard]) => (isCombined(guard) ? [`#define ${name} ${combined(guard)}`] : []))
    .join('\n');

/** What has to be said by hand of a chart. */
export const vocabularyOf = once((machine: AnyStateMachine): Vocabulary => ({
  guards: new Set(
    named(machine, (on) => on === 'always').flatMap((name) => {
      const guard = implementation(machine, name);
      return isCombined(guard) ? atoms(machine, guard) : [name];
    }),
  ),
  acceptance: new Set(named(machine, (on) => on !== 'always')),
  actions: new Set(
    transitionsOf(machine)
      .flatMap((transition) => actionsOf(transition, historyOf(machine)))
      .map((action) => actionOf(action).type),
  ),
  facts: new Set(onEachOf(machine).keys()),
}));

/** A chart's control structure in Promela: its states, its transitions in their order, and run to completion. */
export const control = (machine: AnyStateMachine): { readonly states: string; readonly steps: string } => {
  const odd = nodesOf(machine.root).filter(({ type, exit }) => exit.length > 0 || type === 'parallel');
  if (odd.length > 0) throw new Error(`no Promela for ${odd.map(({ id }) => id).join(', ')}`);
  return {
    states: [
      ...factTypes.map((type, at) => define(`F_${token(type)}`, at + 1)),
      `#define MOST_MICROSTEPS ${machine.options?.maxIterations ?? Infinity}`,
      states(machine),
    ].join('\n'),
    steps: [combinations(machine), stepsOf(machine)].join('\n'),
  };
};
