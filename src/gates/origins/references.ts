import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../base/boundary/is-object.ts';
import { referencesIn } from '../../base/canonical/blobs.ts';
import { pointerTo } from '../../base/canonical/unreadable.ts';
import { isCharterError, type Issue } from '../../base/errors.ts';
import { valueAt } from '../../base/feedback/place.ts';
import { leavesOf } from './leaves.ts';
import { isHiddenSource, type Source } from './sources.ts';

/** A value that the model referred to: where it stands in the arguments, and where it was taken from. */
export interface Reference {
  /** A JSON Pointer into the arguments. */
  readonly at: string;
  /** The JSON Pointer to the reference itself: the value below it is taken whole. */
  readonly base: string;
  readonly source: string;
  /** A JSON Pointer into the source. */
  readonly pointer: string;
}

interface Written {
  readonly $from: string;
  readonly pointer: string;
}

const isWritten = (value: unknown): value is Written =>
  isObject(value) &&
  Object.keys(value).length === 2 &&
  typeof value['$from'] === 'string' &&
  typeof value['pointer'] === 'string';

/** Returns whether a value is a reference, or has one in it. */
export const hasReference = (value: unknown): boolean =>
  isWritten(value) ||
  (typeof value === 'object' && value !== null && Object.values(value).some((one) => hasReference(one)));

/** Arguments with every reference replaced by its value. */
export interface ResolvedArguments {
  readonly value: unknown;
  readonly references: readonly Reference[];
  /** JSON Pointers to the values that the model is not shown. */
  readonly hidden: readonly string[];
}

/** What is wrong with references. */
export interface UnresolvedArguments {
  readonly issues: readonly Issue[];
}

/** The most names that an issue lists. */
const mostNames = 20;

class Resolver {
  readonly #sources: readonly Source[];
  readonly references: Reference[] = [];
  readonly hidden: string[] = [];
  readonly issues: Issue[] = [];

  constructor(sources: readonly Source[]) {
    this.#sources = sources;
  }

  resolve(value: unknown, path: readonly string[]): unknown {
    if (isWritten(value)) return this.#take(value, pointerTo(path));
    if (Array.isArray(value)) return value.map((one, at) => this.resolve(one, [...path, String(at)]));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, this.resolve(one, [...path, name])]),
    );
  }

  #take({ $from, pointer }: Written, at: string): unknown {
    const source = this.#sources.find(({ alias }) => alias === $from);
    if (source === undefined) return this.#fail(`${at}/$from`, this.#unknown($from));
    if (pointer !== '' && !pointer.startsWith('/'))
      return this.#fail(`${at}/pointer`, 'expected a JSON Pointer: "" or one that begins with /');
    try {
      const value = valueAt(source.value, pointer, '');
      if (referencesIn(value).length > 0)
        return this.#fail(
          `${at}/pointer`,
          'names a value that is too large for arguments: write what you need of it',
        );
      for (const leaf of leavesOf(value))
        this.references.push({
          at: at + leaf.pointer,
          base: at,
          source: $from,
          pointer: pointer + leaf.pointer,
        });
      if (isHiddenSource(source)) this.hidden.push(at);
      return value;
    } catch (error) {
      if (!isCharterError(error, 'feedback_inapplicable')) throw error;
      // the names beside the place would tell what the model is not shown
      const message = isHiddenSource(source) ? 'names no value of this result' : error.details.reason;
      return this.#fail(`${at}/pointer`, message);
    }
  }

  #fail(path: string, message: string): null {
    this.issues.push({ path, message });
    return null;
  }

  #unknown(alias: string): string {
    const names = this.#sources.map((source) => source.alias).slice(-mostNames);
    return `${JSON.stringify(alias)} names nothing of this run: expected one of ${names.join(', ')}`;
  }
}

/** Replaces every `{ "$from": alias, "pointer": "/…" }` in a call's arguments by the value that it names. */
export const resolveReferences = (
  given: unknown,
  sources: readonly Source[],
): ResolvedArguments | UnresolvedArguments => {
  const resolver = new Resolver(sources);
  const value = resolver.resolve(given, []);
  const { issues, references, hidden } = resolver;
  if (issues.length > 0) return { issues };
  return { value: references.length === 0 ? given : value, references, hidden };
};

const valueIn = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(leavesOf(value).map((leaf) => [leaf.pointer, leaf.value]));

/** Returns the references whose value a schema left as it was. */
export const keptReferences = (
  references: readonly Reference[],
  resolved: unknown,
  read: unknown,
): readonly Reference[] => {
  if (references.length === 0 || resolved === read) return references;
  const [was, is] = [valueIn(resolved), valueIn(read)];
  return references.filter(({ at }) => is.has(at) && isDeepStrictEqual(was.get(at), is.get(at)));
};
