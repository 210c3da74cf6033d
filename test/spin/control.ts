import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { nameOf, nodesOf, transitionsOf, type Transition } from '../machines/transitions.ts';

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

/** A name as Promela takes it. */
export const token = (name: string): string => name.replaceAll('.', '_');

const isLeaf = (node: AnyStateNode): boolean => Object.keys(node.states).length === 0;

/** The states that a chart can rest in, in the order in which they are numbered. */
export const leavesOf = (machine: AnyStateMachine): readonly AnyStateNode[] =>
  nodesOf(machine.root).filter(isLeaf);

const ancestry = (node: AnyStateNode): readonly AnyStateNode[] => [
  node,
  ...(node.parent === undefined ? [] : ancestry(node.parent)),
];

/** The leaf that a state is entered at, and the states that are entered on the way down to it. */
const descent = (node: AnyStateNode): readonly AnyStateNode[] => {
  if (isLeaf(node)) return [node];
  const { target, actions } = node.initial;
  const [first] = target ?? [];
  if (first?.parent !== node || actions.length > 0) throw new Error(`${node.id} begins in no plain way`);
  return [node, ...descent(first)];
};

/** The states that a transition enters, outermost first; every state below the first one's parent is left before. */
const enteredBy = ({ source, definition }: Transition): readonly AnyStateNode[] => {
  const [target, ...others] = definition.target ?? [];
  if (target === undefined) return [];
  if (others.length > 0 || definition.reenter || target === source)
    throw new Error(`${source.id} is left in no plain way`);
  const above = new Set(ancestry(source));
  const outer = ancestry(target).filter((node) => !above.has(node));
  if (outer.length === 0) throw new Error(`${source.id} is entered anew from below`);
  return [...outer.slice(1).toReversed(), ...descent(target)];
};

interface NamedAction {
  readonly type: string;
  readonly params?: Readonly<Record<string, string>>;
}

const actionOf = (action: unknown): NamedAction =>
  typeof action === 'string' ? { type: action } : (action as NamedAction);

/** An action as Promela calls it: `record` with the fact's type, another with what the chart gives it. */
const call = (action: unknown, on: string): string => {
  const { type, params = {} } = actionOf(action);
  const given = Object.entries(params).map(([name, value]) => `${name}_${value}`);
  return `${type}(${type === 'record' ? token(on) : given.join(', ')})`;
};

const actionsOf = (transition: Transition): readonly unknown[] => [
  ...transition.definition.actions,
  ...enteredBy(transition).flatMap(({ entry }) => entry),
];

/** What a transition does: its actions, the entries of what it enters, and the leaf that it comes to. */
const effectOf = (transition: Transition): string => {
  const leaf = enteredBy(transition).at(-1);
  const steps = actionsOf(transition).map((action) => call(action, transition.on));
  return [...steps, ...(leaf === undefined ? [] : [`state = S_${token(leaf.id)}`])].join('; ') || 'skip';
};

/** The first branch that is open is taken; where none is, none. */
const firstOpen = (
  branches: readonly Transition[],
  condition: (branch: Transition) => string,
  number: (branch: Transition) => number,
): string =>
  branches.reduceRight(
    (otherwise, branch) =>
      `if\n:: ${condition(branch)} -> step = ${number(branch)}\n:: else -> ${otherwise}\nfi`,
    'step = 0',
  );

const isWithin = (node: AnyStateNode): string => `in_${token(node.id)}`;

const depth = (node: AnyStateNode): number => ancestry(node).length;

/** The transitions on each fact, the innermost state's first: what XState asks first. */
const onEach = (transitions: readonly Transition[]): ReadonlyMap<string, readonly Transition[]> => {
  const taking = transitions
    .filter(({ on }) => on !== 'always')
    .toSorted((one, other) => depth(other.source) - depth(one.source));
  return new Map(taking.map(({ on: type }) => [type, taking.filter(({ on }) => on === type)]));
};

/** Whether a chart takes a fact where it stands, as an expression. */
export const takes = (
  machine: AnyStateMachine,
  type: string,
  about: readonly (number | string)[],
): string => {
  const ways = (onEach(transitionsOf(machine)).get(type) ?? []).map(({ source, guard }) => {
    const said = guard === undefined ? '' : ` && ${guard}(${[token(type), ...about].join(', ')})`;
    return `(${isWithin(source)}${said})`;
  });
  return `(${ways.join(' || ')})`;
};

const states = (machine: AnyStateMachine): string => {
  const leaves = leavesOf(machine);
  const running = leaves.filter(({ type }) => type !== 'final');
  const start = descent(machine.root).at(-1)!;
  return [
    ...leaves.map(({ id }, index) => `#define S_${token(id)} ${index + 1}`),
    ...nodesOf(machine.root).map((node) => {
      const below = isLeaf(node) ? [node] : running.filter((leaf) => ancestry(leaf).includes(node));
      return `#define ${isWithin(node)} (${below.map(({ id }) => `state == S_${token(id)}`).join(' || ')})`;
    }),
    `byte state = S_${token(start.id)};`,
  ].join('\n');
};

const onFact = ({ source, guard, on }: Transition): string =>
  isWithin(source) + (guard === undefined ? '' : ` && ${guard}(${token(on)}, x, y, z)`);

/** Which transition is taken next, and what taking one does; transitions that do the same do it in one place. */
const stepsOf = (machine: AnyStateMachine): string => {
  const transitions = transitionsOf(machine);
  const number = (transition: Transition): number => transitions.indexOf(transition) + 1;
  const after = (leaf: AnyStateNode): readonly Transition[] =>
    leaf.type === 'final'
      ? []
      : ancestry(leaf).flatMap((node) =>
          transitions.filter(({ source, on }) => source === node && on === 'always'),
        );
  return [
    'byte step; /* the transition that is taken next */',
    // an inline each: Spin keeps no more than 64 KB of one
    ...[...onEach(transitions)].map(
      ([type, branches]) => `inline chooseOn_${token(type)}() {\n${firstOpen(branches, onFact, number)}\n}`,
    ),
    'inline chooseOnFact() {\nif',
    ...[...onEach(transitions).keys()].map(
      (type) => `:: fact == F_${token(type)} -> chooseOn_${token(type)}()`,
    ),
    'fi\n}',
    ...leavesOf(machine).map(
      (leaf) =>
        `inline chooseIn_${token(leaf.id)}() {\n${firstOpen(after(leaf), ({ guard }) => guard ?? 'true', number)}\n}`,
    ),
    'inline chooseAlways() {\nif',
    ...leavesOf(machine).map(({ id }) => `:: state == S_${token(id)} -> chooseIn_${token(id)}()`),
    'fi\n}',
    'inline takeStep() {\nif',
    ...[...new Set(transitions.map(effectOf))].map((effect) => {
      const alike = transitions.filter((transition) => effectOf(transition) === effect);
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

const atoms = (guard: unknown): readonly string[] =>
  isCombined(guard) ? guard.guards.flatMap(atoms) : [String(guard)];

const implementation = (machine: AnyStateMachine, name: string): unknown =>
  (machine.implementations.guards as Readonly<Record<string, unknown>>)[name];

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
export const vocabularyOf = (machine: AnyStateMachine): Vocabulary => ({
  guards: new Set(
    named(machine, (on) => on === 'always').flatMap((name) => {
      const guard = implementation(machine, name);
      return isCombined(guard) ? atoms(guard) : [name];
    }),
  ),
  acceptance: new Set(named(machine, (on) => on !== 'always')),
  actions: new Set(
    transitionsOf(machine)
      .flatMap(actionsOf)
      .map((action) => actionOf(action).type),
  ),
  facts: new Set(onEach(transitionsOf(machine)).keys()),
});

/** A chart's control structure in Promela: its states, its transitions in their order, and run to completion. */
export const control = (machine: AnyStateMachine): { readonly states: string; readonly steps: string } => {
  const odd = nodesOf(machine.root).filter(
    ({ type, exit, history }) => exit.length > 0 || history || type === 'parallel',
  );
  if (odd.length > 0) throw new Error(`no Promela for ${odd.map(({ id }) => id).join(', ')}`);
  const facts = [...onEach(transitionsOf(machine)).keys()].map((type) => `F_${token(type)}`);
  return {
    states: [
      ...facts.map((name, at) => `#define ${name} ${at + 1}`),
      `#define MOST_MICROSTEPS ${machine.options?.maxIterations ?? Infinity}`,
      states(machine),
    ].join('\n'),
    steps: [combinations(machine), stepsOf(machine)].join('\n'),
  };
};
