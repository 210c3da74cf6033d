import type { State, Walk } from './walk.ts';

/** The hierarchy of the states of a chart. */
export interface Places {
  readonly at: (id: string) => State;
  readonly parentOf: (id: string) => State | undefined;
  /** Returns whether the outer state contains or equals the inner one. */
  readonly holds: (outer: string, inner: string) => boolean;
  /** Returns whether one of the two contains the other. */
  readonly isInward: (from: string, to: string) => boolean;
}

export const placesIn = ({ states, root }: Walk): Places => {
  const byId = new Map(states.map((state) => [state.id, state]));
  const parents = new Map(
    states.flatMap((state) => state.children.map((child) => [child.id, state] as const)),
  );
  const parentOf = (id: string) => parents.get(id);
  const holds = (outer: string, inner: string): boolean => {
    for (let at: string | undefined = inner; at !== undefined; at = parentOf(at)?.id)
      if (at === outer) return true;
    return false;
  };
  return {
    at: (id) => byId.get(id) ?? root,
    parentOf,
    holds,
    isInward: (from, to) => holds(from, to) || holds(to, from),
  };
};

/**
 * Returns whether transitions lead to its descendants and none to itself. Their edges need the space of the
 * title.
 */
export const isEnteredInside = ({ transitions }: Walk, { id, children }: State): boolean =>
  children.length > 0 && transitions.every(({ targets }) => !targets.includes(id));
