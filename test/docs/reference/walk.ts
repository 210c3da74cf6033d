import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition, UnknownAction } from 'xstate';
import type { DutyKind, Meta } from '../../../machines/index.ts';

/** An action by name, and the one parameter that it may have: `enter plan`, `fail write`. */
export type ActionName = string;

export interface State {
  /** Names from the outermost state inwards, joined by dots; the machine's own name for its root. */
  readonly id: string;
  readonly type: AnyStateNode['type'];
  readonly initial: string | null;
  readonly entry: readonly ActionName[];
  readonly owes: readonly DutyKind[];
  readonly tags: readonly string[];
  readonly cites: string | null;
  readonly children: readonly State[];
}

export interface Transition {
  readonly from: string;
  /** The fact that it takes, or what moves the chart by itself. */
  readonly on: string;
  readonly guard: string | null;
  /** Where it goes; null where the state stays. */
  readonly target: string | null;
  readonly actions: readonly ActionName[];
  readonly cites: string | null;
}

/** What moves a chart without a fact: a decision of a gate, and a history that was lost. */
export const always = 'always';
export const lost = 'no history';

export interface Walk {
  readonly root: State;
  readonly states: readonly State[];
  readonly transitions: readonly Transition[];
}

const idOf = (node: AnyStateNode): string => (node.parent === undefined ? node.key : node.path.join('.'));

const unnamed = (what: string) =>
  new TypeError(`A ${what} has no name of its own; the vocabulary gives it one.`);

const nameOf = (action: UnknownAction): ActionName => {
  if (typeof action === 'string') return action;
  if (typeof action === 'function') throw unnamed('action');
  return [action.type, ...Object.values(action.params ?? {})].join(' ');
};

const guardOf = ({ guard }: AnyTransitionDefinition): string | null => {
  if (guard === undefined) return null;
  if (typeof guard === 'string') return guard;
  throw unnamed('guard');
};

const metaOf = (meta: unknown): Partial<Meta> => meta ?? {};

const transitionOf =
  (node: AnyStateNode, on: string) =>
  (definition: AnyTransitionDefinition): Transition => {
    const [target] = definition.target ?? [];
    return {
      from: idOf(node),
      on,
      guard: guardOf(definition),
      target: target === undefined ? null : idOf(target),
      actions: definition.actions.map(nameOf),
      cites: metaOf(definition.meta).cites ?? null,
    };
  };

/** Where a parked state returns to when nothing says where it was. */
const lostHistoryOf = (node: AnyStateNode): readonly Transition[] => {
  if (node.type !== 'history') return [];
  const target = [node.parent?.path.join('.'), node.config.target].join('.');
  return [
    { from: idOf(node), on: lost, guard: null, target, actions: [], cites: metaOf(node.meta).cites ?? null },
  ];
};

const transitionsOf = (node: AnyStateNode): readonly Transition[] => [
  ...(node.always ?? []).map(transitionOf(node, always)),
  ...[...node.transitions].flatMap(([event, taken]) => taken.map(transitionOf(node, event))),
  ...lostHistoryOf(node),
  ...Object.values(node.states).flatMap(transitionsOf),
];

const stateOf = (node: AnyStateNode): State => {
  const [initial] = node.type === 'compound' ? node.initial.target : [];
  const { owes = [], cites = null } = metaOf(node.meta);
  return {
    id: idOf(node),
    type: node.type,
    initial: initial === undefined ? null : idOf(initial),
    entry: node.entry.map(nameOf),
    owes,
    tags: node.tags,
    cites,
    children: Object.values(node.states).map(stateOf),
  };
};

const listed = (state: State): readonly State[] => [state, ...state.children.flatMap(listed)];

/**
 * Every state and every transition of a chart, in the order in which the chart is written.
 *
 * The graph tools leave out what a gate decides (`always`), which is most of what there is to review.
 */
export const walk = ({ root }: AnyStateMachine): Walk => {
  const state = stateOf(root);
  return { root: state, states: listed(state), transitions: transitionsOf(root) };
};
