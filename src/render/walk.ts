import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { actionWords, guardWords, listed, sourceName } from './names.ts';

/** An action by name, and the values of its parameters: `enter plan`, `fail write`. */
export type ActionName = string;

export interface State {
  /** Names from the outermost state inwards, joined by dots, a dot in a name escaped; the machine's own name for its root. */
  readonly id: string;
  readonly name: string;
  readonly type: AnyStateNode['type'];
  /** What a history remembers: the state inside its parent, or all inside that too. */
  readonly history: 'shallow' | 'deep' | null;
  readonly initial: string | null;
  /** What is done on the way to the initial state. */
  readonly begins: readonly ActionName[];
  readonly entry: readonly ActionName[];
  readonly exit: readonly ActionName[];
  /** What runs while the state lasts. */
  readonly invokes: readonly string[];
  /** What `meta.owes` lists, as the states of a charter do. */
  readonly owes: readonly string[];
  readonly tags: readonly string[];
  /** What `meta.cites` says. */
  readonly cites: string | null;
  readonly children: readonly State[];
}

export interface Transition {
  readonly from: string;
  /** An event is taken; a decision needs none; a history that is lost leads on. */
  readonly kind: 'event' | 'decision' | 'lost';
  /** The event that it takes, or what moves the chart by itself. */
  readonly on: string;
  readonly guard: string | null;
  /** Where it goes, one state for each region that it names; empty where the state stays. */
  readonly targets: readonly string[];
  /** Leaves the state and enters it again even where it leads inside it. */
  readonly reenters: boolean;
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

const idIn = (path: readonly string[]): string =>
  path.map((name) => name.replaceAll(/[\\.]/g, String.raw`\$&`)).join('.');

/** The machine's own name, which none of its states has. */
const rootId = ({ key, states }: AnyStateNode): string =>
  Object.hasOwn(states, key) ? rootId({ key: `#${key}`, states } as AnyStateNode) : key;

const idOf = (node: AnyStateNode): string => (node.parent === undefined ? rootId(node) : idIn(node.path));

const metaOf = (meta: unknown): { readonly cites: string | null; readonly owes: readonly string[] } => {
  const { cites, owes } = (typeof meta === 'object' && meta !== null ? meta : {}) as Record<string, unknown>;
  return {
    cites: typeof cites === 'string' ? cites : null,
    owes: listed(owes).filter((duty) => typeof duty === 'string'),
  };
};

/** What XState calls the ends of what a state waits for, and what its author wrote. */
const endsOf = (node: AnyStateNode): ReadonlyMap<string, string> =>
  new Map([
    [`xstate.done.state.${node.id}`, 'onDone'],
    ...node.invoke.flatMap(({ id }, index): readonly (readonly [string, string])[] => {
      const written = listed(node.config.invoke)[index] as { id?: string; src: unknown };
      const name = written.id ?? sourceName(written.src);
      return [
        [`xstate.done.actor.${id}`, `onDone ${name}`],
        [`xstate.error.actor.${id}`, `onError ${name}`],
        [`xstate.snapshot.${id}`, `onSnapshot ${name}`],
      ];
    }),
  ]);

const nameOfEvent = (ends: ReadonlyMap<string, string>, definition: AnyTransitionDefinition): string => {
  if ('delay' in definition)
    return `after ${String(definition.delay)}${typeof definition.delay === 'number' ? ' ms' : ''}`;
  return ends.get(definition.eventType) ?? definition.eventType;
};

/** The guard that its author wrote: on the way by a route XState asks first whether it is meant. */
const guardOf = ({ guard, eventType, target }: AnyTransitionDefinition): unknown =>
  eventType === 'xstate.route' ? listed(target?.map(({ config }) => config.route?.guard)).flat()[0] : guard;

const transitionOf =
  (node: AnyStateNode, kind: Transition['kind'], nameOf: (definition: AnyTransitionDefinition) => string) =>
  (definition: AnyTransitionDefinition): Transition => {
    const guard = guardOf(definition);
    return {
      from: idOf(node),
      kind,
      on: nameOf(definition),
      guard: guard === undefined ? null : guardWords(guard),
      targets: (definition.target ?? []).map(idOf),
      reenters: definition.reenter,
      actions: definition.actions.map(actionWords),
      cites: metaOf(definition.meta).cites,
    };
  };

/** The names in a path as a target is written, where `\` keeps a dot. */
const namesIn = (path: string): readonly string[] =>
  (path.match(/(?:\\.|[^\\.])+/gs) ?? []).map((name) => name.replaceAll(/\\(.)/gs, '$1'));

/** Where the default of a history leads; a machine looks it up when it is first wanted, so it may lead nowhere. */
const foundFrom = (node: AnyStateNode, target: unknown): readonly string[] => {
  if (typeof target !== 'string') return [];
  if (!target.startsWith('#')) {
    const found = namesIn(target).reduce<AnyStateNode | undefined>((at, name) => at?.states[name], node);
    return found === undefined ? [] : [idOf(found)];
  }
  try {
    return [idOf(node.machine.getStateNodeById(target))];
  } catch {
    return [];
  }
};

/** Where a parked state returns to when nothing says where it was. */
const lostHistoryOf = (node: AnyStateNode): readonly Transition[] => {
  if (node.type !== 'history' || node.parent === undefined) return [];
  const { parent } = node;
  const targets = listed(node.config.target).flatMap((target) => foundFrom(parent, target));
  if (targets.length === 0) return [];
  return [
    {
      from: idOf(node),
      kind: 'lost',
      on: lost,
      guard: null,
      targets,
      reenters: false,
      actions: [],
      cites: metaOf(node.meta).cites,
    },
  ];
};

const transitionsOf = (node: AnyStateNode): readonly Transition[] => {
  const ends = endsOf(node);
  return [
    ...(node.always ?? []).map(transitionOf(node, 'decision', () => always)),
    ...[...node.transitions.values()]
      .flat()
      .map(transitionOf(node, 'event', (definition) => nameOfEvent(ends, definition))),
    ...lostHistoryOf(node),
    ...Object.values(node.states).flatMap(transitionsOf),
  ];
};

const stateOf = (node: AnyStateNode): State => {
  const first = node.type === 'compound' ? node.initial : null;
  const [initial] = first?.target ?? [];
  return {
    id: idOf(node),
    name: node.key,
    type: node.type,
    history: node.type === 'history' ? node.history || 'shallow' : null,
    initial: initial === undefined ? null : idOf(initial),
    begins: (first?.actions ?? []).map(actionWords),
    // as they are written: XState adds the timers of `after` to a node's own
    entry: listed(node.config.entry).map(actionWords),
    exit: listed(node.config.exit).map(actionWords),
    invokes: listed(node.config.invoke).map((invoked) => sourceName((invoked as { src: unknown }).src)),
    ...metaOf(node.meta),
    tags: node.tags,
    children: Object.values(node.states).map(stateOf),
  };
};

const within = (state: State): readonly State[] => [state, ...state.children.flatMap(within)];

/**
 * Every state and every transition of a chart, in the order in which the chart is written.
 *
 * The graph tools leave out what a gate decides (`always`), which is most of what there is to review.
 */
export const walk = ({ root }: AnyStateMachine): Walk => {
  const state = stateOf(root);
  return { root: state, states: within(state), transitions: transitionsOf(root) };
};
