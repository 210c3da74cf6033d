import type { z } from 'zod';
import { pointerTo, shownPointer } from '../canonical/unreadable.ts';
import type { Issue } from '../errors.ts';
import { didYouMean } from './did-you-mean.ts';
import { oneLine, shownName } from '../text/foreign-text.ts';
import { foundAfter, issueWords } from './issue-words.ts';

/** The maximum number of issues of one document. */
export const issueLimit = 1_000;

type Path = readonly PropertyKey[];

/** Returns the keys that a schema accepts at a path. */
export type KeysAt = (path: Path) => readonly string[];

/** The start of a message about a key that no schema has; its path ends in the key. */
const unknownKey = 'unknown key ';

/** Returns whether an issue is about a key that no schema has. */
export const isUnknownKey = ({ message }: Issue): boolean => message.startsWith(unknownKey);

const unknown = (key: string, known: readonly string[]): string => {
  const accepted =
    known.length === 0 ? '. Check its spelling, or remove it' : `. Accepted: ${known.join(', ')}`;
  return `${unknownKey}${shownName(key)}${didYouMean(key, known) || accepted}`;
};

function* flatten(issue: z.core.$ZodIssue, parent: Path, keysAt: KeysAt): Generator<Issue> {
  const path = [...parent, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    // One issue for each key: zod's own message joins all of them, whatever their number and content.
    const known = keysAt(path);
    for (const key of issue.keys) yield { path: pointerTo([...path, key]), message: unknown(key, known) };
  } else if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    yield* flattenUnion(issue.errors, path, keysAt);
  } else if (issue.code === 'invalid_key') {
    for (const nested of issue.issues) yield* flatten(nested, path, keysAt);
  } else {
    yield { path: pointerTo(path), message: issue.message };
  }
}

/** Joins what each alternative accepts: `must be a string or null, was a number`. */
const joined = (messages: readonly string[]): string => {
  const parts = messages.map((message) => message.split(foundAfter));
  const accepts = [...new Set(parts.map(([accepted = '']) => accepted))];
  if (!accepts.every((one) => one.startsWith('must be '))) return accepts.join(', or ');
  const [found] = parts.flatMap(([, ...rest]) => rest);
  const names = accepts.map((one) => one.slice('must be '.length));
  const all = [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((one) => one !== '').join(' or ');
  return `must be ${all}${found === undefined ? '' : `, ${found}`}`;
};

/** Returns whether an issue is within a value of the right type: in a member of it, or about its keys. */
const isWithin = ({ code, path }: z.core.$ZodIssue): boolean =>
  path.length > 0 || code === 'unrecognized_keys';

/** Yields the issues of the closest alternative, or what each alternative accepts if none fits the type. */
function* flattenUnion(
  alternatives: readonly z.core.$ZodIssue[][],
  path: Path,
  keysAt: KeysAt,
): Generator<Issue> {
  const entered = alternatives.filter((issues) => issues.some(isWithin));
  const [closest] = entered.toSorted((one, other) => one.length - other.length);
  if (closest === undefined) {
    const flat = alternatives.flat().flatMap((issue) => [...flatten(issue, [], keysAt)]);
    yield { path: pointerTo(path), message: joined(flat.map(({ message }) => message)) };
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

/** A parsed value, or the issues in our words, with the error of the schema's library as `cause`. */
export type Checked<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly Issue[]; readonly cause: unknown };

const parserIn =
  (words: (typeof issueWords)['data']) =>
  <Schema extends z.ZodType>(schema: Schema, value: unknown, keysAt?: KeysAt): Checked<z.output<Schema>> => {
    const result = schema.safeParse(value, words);
    return result.success
      ? { value: result.data }
      : { issues: issuesOf(result.error, keysAt), cause: result.error };
  };

/** Parses data with a schema. Its issues quote no value, because data may be confidential. */
export const checkData = parserIn(issueWords.data);

/** Parses what an author writes in code. Its issues quote short values, and offer the nearest known key. */
export const checkCode = parserIn(issueWords.definition);

const isPredicate = (message: string): boolean => /^(?:must|is|has|fits) /.test(message);

/** Returns a place and a message as one clause: `limits.rounds must be a number`. */
export const clause = (place: string, message: string): string =>
  isPredicate(message) ? `${place} ${message}` : `${place}: ${message}`;

/** Returns the path without the unknown key, which the message names; otherwise the path as it is. */
const placeOf = (issue: Issue): string =>
  isUnknownKey(issue) ? issue.path.slice(0, issue.path.lastIndexOf('/')) : issue.path;

/** Returns the clause of an issue in a document, with its JSON Pointer. */
export const issueInDocument = (issue: Issue): string => {
  const place = placeOf(issue);
  if (place !== '') return clause(shownPointer(place), issue.message);
  return isPredicate(issue.message) ? `it ${issue.message}` : issue.message;
};

const step = (key: string, at: number): string => {
  if (/^\d+$/.test(key)) return `[${key}]`;
  return /^[\w$-]+$/.test(key) ? `${at === 0 ? '' : '.'}${key}` : `[${shownName(key)}]`;
};

/** Returns the decoded members of a JSON Pointer (RFC 6901 4); none for the root. */
export const membersOf = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Returns a JSON Pointer as an author writes it in code: `beforeWrite.evidence[0].type`. */
export const memberPath = (path: string): string => oneLine(membersOf(path).map(step).join(''));

/** Returns the clause of an issue in code, with the member as its author wrote it. */
export const issueInCode = (issue: Issue): string => {
  const place = placeOf(issue);
  return place === '' ? issue.message : clause(memberPath(place), issue.message);
};
