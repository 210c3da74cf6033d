import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { nodesOf, transitionsOf, type Transition } from '../machines/transitions.ts';
import { once } from './once.ts';

/** A name as Promela takes it. */
export const token = (name: string): string => name.replaceAll('.', '_');

export const isLeaf = ({ states, type }: AnyStateNode): boolean =>
  Object.keys(states).length === 0 && type !== 'history';

/** The states that a chart can rest in, in the order in which they are numbered. */
export const leavesOf = (machine: AnyStateMachine): readonly AnyStateNode[] =>
  nodesOf(machine.root).filter(isLeaf);

/** A state and the states that it stands in, from inside. */
export const ancestry = (node: AnyStateNode): readonly AnyStateNode[] => [
  node,
  ...(node.parent === undefined ? [] : ancestry(node.parent)),
];

/** A chart takes nothing any more where a final state of its root is entered. */
export const isEnd = ({ type, parent }: AnyStateNode): boolean =>
  type === 'final' && parent?.parent === undefined;

/** The state of the task chart in which the phases stand: a phase has the same name in both charts. */
const aroundPhases = 'submitted';

/** The name of a state in Promela: the id that the chart gives it, or the way to it. */
export const labelOf = ({ id, path, machine }: AnyStateNode): string => {
  if (path.length === 0 || id !== [machine.id, ...path].join('.')) return token(id);
  return (path.length > 1 && path[0] === aroundPhases ? path.slice(1) : path).join('_');
};

/** The states that are entered below a state, and the leaf that they lead to. */
export const descent = (node: AnyStateNode): readonly AnyStateNode[] => {
  if (isLeaf(node)) return [node];
  const { target, actions } = node.initial;
  const [first] = target ?? [];
  if (first?.parent !== node || actions.length > 0) throw new Error(`${node.id} begins in no plain way`);
  return [node, ...descent(first)];
};

/** Where a transition leads; nowhere if it stays. */
const targetOf = ({ source, definition }: Transition): AnyStateNode | undefined => {
  const [target, ...others] = definition.target ?? [];
  if (others.length > 0 || definition.reenter || target === source)
    throw new Error(`${source.id} is left in no plain way`);
  return target;
};

/** The states that are entered on the way to another, outermost first; every state below the first one's parent is left before. One that the way leads up to is entered anew. */
const entered = (source: AnyStateNode, target: AnyStateNode): readonly AnyStateNode[] => {
  const above = new Set(ancestry(source));
  const outer = ancestry(target).filter((node) => !above.has(node));
  return [...outer.slice(1).toReversed(), ...descent(target)];
};

/** A deep history: what it may hold, and where it leads if it holds nothing. */
export interface History {
  readonly parent: AnyStateNode;
  readonly held: readonly AnyStateNode[];
  readonly otherwise: AnyStateNode;
  /** Where it is kept: the states outside from which a chart may come back, without its parent entered on the way. */
  readonly outside: ReadonlySet<AnyStateNode>;
}

const isWithin = (node: AnyStateNode, outer: AnyStateNode): boolean => ancestry(node).includes(outer);

const defaultOf = ({ id, parent, config }: AnyStateNode): AnyStateNode => {
  const { target } = config as { readonly target?: unknown };
  const found =
    typeof target === 'string'
      ? target.split('.').reduce<AnyStateNode | undefined>((node, key) => node?.states[key], parent)
      : undefined;
  if (found === undefined) throw new Error(`no Promela for the default of ${id}`);
  return descent(found).at(-1)!;
};

const leadsTo = (leaf: AnyStateNode, transitions: readonly Transition[]): readonly AnyStateNode[] =>
  transitions.flatMap((transition) => {
    const target = isWithin(leaf, transition.source) ? targetOf(transition) : undefined;
    if (target === undefined) return [];
    return target.type === 'history' ? [target] : descent(target).slice(-1);
  });

/** The history of a chart; null if it has none. */
export const historyOf = once((machine: AnyStateMachine): History | null => {
  const [node, ...others] = nodesOf(machine.root).filter(({ type }) => type === 'history');
  if (node === undefined) return null;
  const { parent, history } = node;
  if (others.length > 0 || parent === undefined || history !== 'deep')
    throw new Error(`no Promela for ${node.id}`);
  const transitions = transitionsOf(machine);
  const isFromAbove = (transition: Transition): boolean => {
    const target = isWithin(parent, transition.source) ? targetOf(transition) : undefined;
    return transition.source !== parent && target !== undefined && !isWithin(target, parent);
  };
  if (transitions.some(isFromAbove)) throw new Error(`${parent.id} is left from above`);
  const leaves = leavesOf(machine).filter((leaf) => !isWithin(leaf, parent));
  const back = new Set<AnyStateNode>([node]);
  for (let size = 0; size !== back.size;) {
    size = back.size;
    for (const leaf of leaves) if (leadsTo(leaf, transitions).some((to) => back.has(to))) back.add(leaf);
  }
  back.delete(node);
  const held = leavesOf(machine).filter((leaf) => isWithin(leaf, parent));
  return { parent, held, otherwise: defaultOf(node), outside: back };
});

/** One way on which a transition may lead. */
export interface Way {
  /** The state that history holds; null if the way does not depend on it. */
  readonly held: AnyStateNode | null;
  /** The states that are entered, outermost first; none if the transition stays. */
  readonly entered: readonly AnyStateNode[];
}

/** The ways of a transition: one, or one for each state that history may hold, its default last. */
export const waysOf = (transition: Transition, history: History | null): readonly Way[] => {
  const { source } = transition;
  const target = targetOf(transition);
  if (target === undefined) return [{ held: null, entered: [] }];
  if (target.type !== 'history' || history === null)
    return [{ held: null, entered: entered(source, target) }];
  return [
    ...history.held.map((held) => ({ held, entered: entered(source, held) })),
    { held: null, entered: entered(source, history.otherwise) },
  ];
};

/** What a transition does to history: it is kept outside, and nowhere else. */
export const keepsOf = (
  { source }: Transition,
  way: Way,
  history: History | null,
): 'kept' | 'forgotten' | null => {
  const leaf = way.entered.at(-1);
  if (history === null || leaf === undefined) return null;
  const isInside = isWithin(source, history.parent);
  if (history.outside.has(leaf)) return isInside ? 'kept' : null;
  return isInside ? null : 'forgotten';
};
