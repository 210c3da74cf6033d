import { conjunction, disjunction, takesObjects, type Constraints } from './constraints.ts';

/** The information of a schema about one path. */
export interface Entry {
  /** The path of its holder; `undefined` for the payload. */
  readonly parent: string | undefined;
  readonly constraints: Constraints;
  readonly isRequired: boolean;
  readonly title: string | undefined;
  /** Several, if alternatives describe it differently. */
  readonly descriptions: readonly string[];
  readonly concepts: readonly string[];
  readonly predicate: string | undefined;
  readonly unit: string | undefined;
}

export type Entries = ReadonlyMap<string, Entry>;

function gathered(parts: readonly Entries[]): ReadonlyMap<string, readonly Entry[]> {
  const byPath = new Map<string, Entry[]>();
  for (const [path, entry] of parts.flatMap((part) => [...part])) {
    const met = byPath.get(path);
    if (met === undefined) byPath.set(path, [entry]);
    else met.push(entry);
  }
  return byPath;
}

const distinct = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)];

/** Returns the value that all given ones share; `undefined` if they differ. */
const agreed = (values: readonly (string | undefined)[]): string | undefined => {
  const [one, ...others] = distinct(values.filter((value) => value !== undefined));
  return others.length === 0 ? one : undefined;
};

const merged = (
  parts: readonly Entries[],
  merge: (
    entries: readonly Entry[],
    path: string,
  ) => Pick<Entry, 'constraints' | 'isRequired' | 'descriptions'>,
): Entries =>
  new Map(
    [...gathered(parts)].map(([path, entries]) => {
      const concepts = distinct(entries.flatMap((entry) => entry.concepts));
      const common = {
        parent: entries[0]?.parent,
        title: entries.find(({ title }) => title !== undefined)?.title,
        concepts,
        predicate: agreed(entries.map(({ predicate }) => predicate)),
        unit: agreed(entries.map(({ unit }) => unit)),
      };
      return [path, { ...common, ...merge(entries, path) }] as const;
    }),
  );

const constraintsOf = (entries: readonly Entry[]): readonly Constraints[] =>
  entries.map(({ constraints }) => constraints);

/**
 * Merges entries of schemas that all apply. The first description, which is the nearest, takes precedence.
 */
export const mergeAll = (parts: readonly Entries[]): Entries =>
  merged(parts, (entries) => ({
    constraints: conjunction(constraintsOf(entries)),
    isRequired: entries.some(({ isRequired }) => isRequired),
    descriptions: entries.find(({ descriptions }) => descriptions.length > 0)?.descriptions ?? [],
  }));

const requires = (alternative: Entries, path: string, parent: string | undefined): boolean => {
  const holder = parent === undefined ? undefined : alternative.get(parent);
  if (holder === undefined || !takesObjects(holder.constraints)) return true;
  return alternative.get(path)?.isRequired === true;
};

/** Merges entries of alternatives. A path is required if every alternative that can hold it requires it. */
export const mergeAlternatives = (parts: readonly Entries[]): Entries =>
  merged(parts, (entries, path) => ({
    constraints: disjunction(constraintsOf(entries)),
    isRequired:
      entries.some(({ isRequired }) => isRequired) &&
      parts.every((part) => requires(part, path, entries[0]?.parent)),
    descriptions: distinct(entries.flatMap(({ descriptions }) => descriptions)),
  }));
