import { pathOf, segmentsOf, type Segment } from '../path.ts';

/** The source and target of a value. */
export interface Route {
  readonly from: string;
  readonly to: string;
}

/** A plan for building a value from source values. */
export type Shape<Given extends Route> =
  | { readonly kind: 'value'; readonly route: Given }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Shape<Given>> }
  /**
   * An element for each combination of `over`, the source arrays from the outermost in; one element if empty.
   */
  | { readonly kind: 'array'; readonly over: readonly string[]; readonly element: Shape<Given> }
  | { readonly kind: 'tuple'; readonly elements: readonly (Shape<Given> | undefined)[] };

interface Way<Given extends Route> {
  readonly route: Given;
  readonly to: readonly Segment[];
  /** The element paths of the source's arrays. */
  readonly from: readonly string[];
}

const isEachElement = (step: Segment): boolean => step.kind === 'element' && step.index === null;

const stepsOf = (path: string): readonly Segment[] => segmentsOf(path) ?? [];

/** Returns the element paths of a path's arrays. */
export const arraysOf = (path: string): readonly string[] => {
  const steps = stepsOf(path);
  return steps.flatMap((step, at) => (isEachElement(step) ? [pathOf(steps.slice(0, at + 1))] : []));
};

/** Returns whether both segments are of the same kind: member, element, or tuple position. */
const isAlike = (one: Segment | undefined, other: Segment | undefined): boolean =>
  one?.kind === other?.kind &&
  (one?.kind !== 'element' || other?.kind !== 'element' || (one.index === null) === (other.index === null));

const isPrefix = (one: readonly string[], other: readonly string[]): boolean =>
  one.every((path, at) => other[at] === path);

const longest = (lists: readonly (readonly string[])[]): readonly string[] =>
  lists.reduce((one, other) => (other.length > one.length ? other : one), []);

/** Returns the source arrays of a target array beyond the outer ones, and the routes that conflict. */
function overOf<Given extends Route>(
  ways: readonly Way<Given>[],
  depth: number,
  bound: readonly string[],
): { readonly over: readonly string[]; readonly astray: readonly Given[] } {
  const isInner = ({ to }: Way<Given>): boolean => to.slice(depth).some(isEachElement);
  const own = ways.filter((way) => !isInner(way));
  const inner = ways.filter(isInner);
  const line = longest(own.map(({ from }) => from));
  const isLine = own.every(({ from }) => isPrefix(from, line));
  const through = own.length > 0 ? line : longest(inner.map(({ from }) => from)).slice(0, bound.length + 1);
  const isAstray = ({ from }: Way<Given>): boolean => !isPrefix(from, through) && !isPrefix(through, from);
  const astray = [
    ...(isLine ? [] : own.filter(({ from }) => from.length > bound.length)),
    ...inner.filter(isAstray),
  ];
  return { over: isLine ? through.slice(bound.length) : [], astray: astray.map(({ route }) => route) };
}

/**
 * Returns the plan for a target. `astray` are routes that would need zipping: their arrays are not nested in
 * each other.
 */
export function shapeOf<Given extends Route>(
  routes: readonly Given[],
): { readonly shape: Shape<Given>; readonly astray: readonly Given[] } {
  const astray: Given[] = [];

  const build = (ways: readonly Way<Given>[], depth: number, bound: readonly string[]): Shape<Given> => {
    const [first] = ways;
    const step = first?.to[depth];
    const alike = ways.filter(({ to }) => isAlike(to[depth], step));
    astray.push(...ways.filter((way) => !alike.includes(way)).map(({ route }) => route));
    if (first !== undefined && step === undefined) {
      astray.push(...alike.slice(1).map(({ route }) => route));
      return { kind: 'value', route: first.route };
    }
    if (step?.kind !== 'element') return object(alike, depth, bound);
    if (step.index !== null) return tuple(alike, depth, bound);
    const { over, astray: conflicting } = overOf(alike, depth + 1, bound);
    astray.push(...conflicting);
    const along = alike.filter(({ route }) => !conflicting.includes(route));
    return { kind: 'array', over, element: build(along, depth + 1, [...bound, ...over]) };
  };

  const object = (ways: readonly Way<Given>[], depth: number, bound: readonly string[]): Shape<Given> => {
    const byName = new Map<string, Way<Given>[]>();
    for (const way of ways) {
      const step = way.to[depth];
      if (step?.kind !== 'member') continue;
      byName.set(step.name, [...(byName.get(step.name) ?? []), way]);
    }
    return {
      kind: 'object',
      members: new Map([...byName].map(([name, some]) => [name, build(some, depth + 1, bound)])),
    };
  };

  const tuple = (ways: readonly Way<Given>[], depth: number, bound: readonly string[]): Shape<Given> => {
    const byIndex: (Way<Given>[] | undefined)[] = [];
    for (const way of ways) {
      const step = way.to[depth];
      if (step?.kind !== 'element' || step.index === null) continue;
      byIndex[step.index] = [...(byIndex[step.index] ?? []), way];
    }
    const hasGaps = Array.from(byIndex).includes(undefined);
    if (hasGaps) astray.push(...ways.map(({ route }) => route)); // the preceding tuple elements are unknown
    return { kind: 'tuple', elements: Array.from(byIndex, (some) => some && build(some, depth + 1, bound)) };
  };

  const ways = routes.map((route) => ({ route, to: stepsOf(route.to), from: arraysOf(route.from) }));
  return { shape: build(ways, 0, []), astray };
}
