import { CharterError } from '../../../base/errors.ts';
import type { JsonObject } from '../../../../schema/formats.ts';
import { isScalar, valueOf } from './literal.ts';
import { termName } from './name.ts';
import { elementOf, memberOf, type Place } from './places.ts';
import type { Links } from './links.ts';

/** The term of a member in the objects of one place. */
interface Term {
  /** The escaped name. */
  readonly name: string;
  readonly iri: string;
  readonly place: Place | undefined;
  /**
   * Whether all its values are arrays without inner arrays. `jsonld` ignores the container of inner arrays.
   */
  isList: boolean;
  /** The terms inside its values. */
  readonly scope: Scope;
}
export type Scope = Map<string, Term>;

/** The functions that link values. */
export type Linking = Pick<Links, 'iriOf' | 'classesAt'>;

/** Returns the terms in a value and its contents. Arrays are transparent, as in JSON-LD. */
export function scopeOf(root: unknown, start: Place | undefined, { iriOf }: Linking): Scope {
  const termAt = (
    scope: Scope,
    holder: Place | undefined,
    names: readonly string[],
    around: string | undefined,
  ): Term => {
    const name = names.at(-1) ?? '';
    const place = memberOf(holder, name);
    const met = scope.get(name);
    if (met !== undefined && met.place === place) return met;
    const iri = iriOf(holder, names);
    if (met !== undefined && met.iri !== iri) {
      const issues = [{ path: '/fields', message: `expected one predicate for the elements of one array` }];
      const text = `context is not valid: one array holds two meanings of ${JSON.stringify(name.slice(0, 200))}`;
      throw new CharterError('document_invalid', text, { document: 'context', issues });
    }
    const term: Term = met ?? { name: termName(name, around), iri, place, isList: true, scope: new Map() };
    scope.set(name, term);
    return term;
  };

  const visit = (
    value: unknown,
    place: Place | undefined,
    names: readonly string[],
    scope: Scope,
    around?: string,
  ): void => {
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries())
        visit(element, elementOf(place, index), names, scope, around);
    } else if (!isScalar(value)) {
      for (const [name, member] of Object.entries(value as JsonObject)) {
        const below = [...names, name];
        const term = termAt(scope, place, below, around);
        term.isList &&= Array.isArray(member) && !member.some((element) => Array.isArray(element));
        visit(member, memberOf(place, name), below, term.scope, term.name);
      }
    }
  };

  const scope: Scope = new Map();
  visit(root, start, [], scope);
  return scope;
}

/** Returns the scope as a JSON-LD context. */
export const contextOf = (scope: Scope): JsonObject =>
  Object.fromEntries(
    [...scope.values()].map((term) => [
      term.name,
      {
        '@id': term.iri,
        ...(term.isList && { '@container': '@list' }),
        ...(term.scope.size > 0 && { '@context': [null, contextOf(term.scope)] }),
      },
    ]),
  );

const typed = (classes: readonly string[]): JsonObject =>
  classes.length === 0 ? {} : { '@type': classes.length === 1 ? classes[0] : classes };

/** Returns a value as JSON-LD, with the terms of its context. */
export function documentOf(
  value: unknown,
  scope: Scope,
  { classesAt }: Linking,
  start: Place | undefined,
): unknown {
  const write = (value: unknown, place: Place | undefined, scope: Scope, isList: boolean): unknown => {
    if (isScalar(value)) return valueOf(value);
    if (Array.isArray(value)) {
      const elements = value.map((element, index) => write(element, elementOf(place, index), scope, isList));
      return isList ? elements : { '@list': elements };
    }
    const members = Object.entries(value as JsonObject).map(([name, member]) => {
      const term = scope.get(name);
      if (term === undefined) throw new TypeError('the scope is of another value');
      return [term.name, write(member, memberOf(place, name), term.scope, term.isList)];
    });
    return { ...typed(classesAt(place)), ...Object.fromEntries(members) };
  };
  return write(value, start, scope, false);
}
