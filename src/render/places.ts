import type { State, Walk } from './walk.ts';

/** Where the states of a chart stand in one another. */
export interface Places {
  readonly at: (id: string) => State;
  readonly parentOf: (id: string) => State | undefined;
  /** Whether the inner state stands in the outer one, or is it. */
  readonly holds: (outer: string, inner: string) => boolean;
  /** Whether one of the two holds the other. */
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

/** Whether transitions lead to states inside this one, and none to itself: their lines need the room of its title. */
export const isEnteredInside = ({ transitions }: Walk, { id, children }: State): boolean =>
  children.length > 0 && transitions.every(({ targets }) => !targets.includes(id));
