import type { z } from 'zod';
import { pointerTo } from '../canonical/unreadable.ts';
import type { Issue } from '../errors.ts';
import { didYouMean } from './did-you-mean.ts';

/** The maximum number of issues of one document. */
export const issueLimit = 1_000;

type Path = readonly PropertyKey[];

/** Returns the keys that a schema accepts at a path. */
export type KeysAt = (path: Path) => readonly string[];

function* flatten(issue: z.core.$ZodIssue, parent: Path, keysAt: KeysAt): Generator<Issue> {
  const path = [...parent, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    // One issue for each key: zod's own message joins all of them, whatever their number and content.
    const known = keysAt(path);
    for (const key of issue.keys) {
      const remedy = didYouMean(key, known) || ': check its spelling, or remove it';
      yield { path: pointerTo([...path, key]), message: `unknown key${remedy}` };
    }
  } else if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    yield* flattenUnion(issue.errors, path, keysAt);
  } else if (issue.code === 'invalid_key') {
    for (const nested of issue.issues) yield* flatten(nested, path, keysAt);
  } else {
    yield { path: pointerTo(path), message: issue.message };
  }
}

/** Yields the issues of the closest alternative, or what each alternative accepts if none fits the type. */
function* flattenUnion(
  alternatives: readonly z.core.$ZodIssue[][],
  path: Path,
  keysAt: KeysAt,
): Generator<Issue> {
  const entered = alternatives.filter((issues) => issues.some((issue) => issue.path.length > 0));
  const [closest] = entered.toSorted((one, other) => one.length - other.length);
  if (closest === undefined) {
    const messages = new Set(alternatives.flat().map((issue) => issue.message));
    yield { path: pointerTo(path), message: [...messages].join(', or ') };
  } else {
    for (const issue of closest) yield* flatten(issue, path, keysAt);
  }
}

const noKeys: KeysAt = () => [];

/**
 * Returns the issues of a zod error with JSON Pointers, at most `issueLimit` of them. With `keysAt`, an unknown key is
 * compared with those that are accepted.
 */
export function issuesOf(error: z.core.$ZodError, keysAt: KeysAt = noKeys): Issue[] {
  const found: Issue[] = [];
  for (const issue of error.issues) {
    for (const flat of flatten(issue, [], keysAt)) {
      if (found.length === issueLimit) return found;
      found.push(flat);
    }
  }
  return found;
}
