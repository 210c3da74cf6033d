import type { z } from 'zod';
import { pointerTo } from '../canonical/unreadable.ts';
import type { Issue } from '../errors.ts';

/** The maximum number of issues of one document. */
export const issueLimit = 1_000;

type Path = readonly PropertyKey[];

function* flatten(issue: z.core.$ZodIssue, parent: Path): Generator<Issue> {
  const path = [...parent, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    // One issue for each key: zod's own message joins all of them, whatever their number and content.
    for (const key of issue.keys) {
      yield { path: pointerTo([...path, key]), message: 'unknown key: check its spelling, or remove it' };
    }
  } else if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    yield* flattenUnion(issue.errors, path);
  } else if (issue.code === 'invalid_key') {
    for (const nested of issue.issues) yield* flatten(nested, path);
  } else {
    yield { path: pointerTo(path), message: issue.message };
  }
}

/** Yields the issues of the closest alternative, or what each alternative accepts if none fits the type. */
function* flattenUnion(alternatives: readonly z.core.$ZodIssue[][], path: Path): Generator<Issue> {
  const entered = alternatives.filter((issues) => issues.some((issue) => issue.path.length > 0));
  const [closest] = entered.toSorted((one, other) => one.length - other.length);
  if (closest === undefined) {
    const messages = new Set(alternatives.flat().map((issue) => issue.message));
    yield { path: pointerTo(path), message: [...messages].join(', or ') };
  } else {
    for (const issue of closest) yield* flatten(issue, path);
  }
}

/** Returns the issues of a zod error with JSON Pointers, at most `issueLimit` of them. */
export function issuesOf(error: z.core.$ZodError): Issue[] {
  const found: Issue[] = [];
  for (const issue of error.issues) {
    for (const flat of flatten(issue, [])) {
      if (found.length === issueLimit) return found;
      found.push(flat);
    }
  }
  return found;
}
