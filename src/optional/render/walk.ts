import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { actionWords, guardWords, listed, sourceName } from './names.ts';

/** An action with its parameters: `enter plan`, `fail write`. */
export type ActionName = string;

export interface State {
  /**
   * The path from the outermost state, joined by dots, with dots in names escaped. The root has the machine's
   * name.
   */
  readonly id: string;
  readonly name: string;
  readonly type: AnyStateNode['type'];
  /** The kind of history; `null` for other states. */
  readonly history: 'shallow' | 'deep' | null;
  readonly initial: string | null;
  /** The actions of the initial transition. */
  readonly begins: readonly ActionName[];
  readonly entry: readonly ActionName[];
  readonly exit: readonly ActionName[];
  /** The actors that run while the state is active. */
  readonly invokes: readonly string[];
  /** The duties in `meta.owes`, as in the states of our charts. */
  readonly owes: readonly string[];
  readonly tags: readonly string[];
  /** The citation in `meta.cites`. */
  readonly cites: string | null;
  readonly children: readonly State[];
}

export interface Transition {
  readonly from: string;
  /** `event`; `decision` without an event; `lost` for the default of a history. */
  readonly kind: 'event' | 'decision' | 'lost';
  /** The event, or `always`. */
  readonly on: string;
  readonly guard: string | null;
  /** The targets, one for each region; empty if the state stays. */
  readonly targets: readonly string[];
  /** Whether it exits and re-enters the state for an inner target. */
  readonly reenters: boolean;
  readonly actions: readonly ActionName[];
  readonly cites: string | null;
}

/** The pseudo-event of transitions without a fact: a gate's decision, or a history's default. */
export const always = 'always';
export const lost = 'no history';

export interface Walk {
  readonly root: State;
  readonly states: readonly State[];
  readonly transitions: readonly Transition[];
}

const idIn = (path: readonly string[]): string =>
  path.map((name) => name.replaceAll(/[\\.]/g, String.raw`\$&`)).join('.');

/** Returns the machine's name, made different from those of its states. */
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

/** Returns XState's internal event names with their source, for `after` and `invoke`. */
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

/** Returns the guard in the source. XState wraps the guard of a route. */
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

/** Returns the names in a target path, in which `\` escapes a dot. */
const namesIn = (path: string): readonly string[] =>
  (path.match(/(?:\\.|[^\\.])+/gs) ?? []).map((name) => name.replaceAll(/\\(.)/gs, '$1'));

/** Returns the default target of a history. A machine resolves it late, so it may not exist. */
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

/** Returns the transitions of a history without a stored state. */
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
    // from the source: XState adds its `after` timers to the entry actions
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
 * Returns every state and transition of a chart, in source order.
 *
 * Unlike XState's graph tools, it includes transitions without an event (`always`), which are most of our
 * gates.
 */
export const walk = ({ root }: AnyStateMachine): Walk => {
  const state = stateOf(root);
  return { root: state, states: within(state), transitions: transitionsOf(root) };
};
