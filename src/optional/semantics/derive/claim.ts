import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../base/boundary/is-object.ts';
import { pointerTo } from '../../../base/canonical/unreadable.ts';
import type { Issue } from '../../../base/errors.ts';
import type { UpContext } from '../../../../schema/upformat/up-context.ts';

type Field = NonNullable<UpContext['fields']>[string];
type Members = Readonly<Record<string, unknown>>;

const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

const differs = (path: readonly string[], known: unknown, claimed: unknown): Issue => ({
  path: pointerTo(path),
  message: `the schema says ${shown(known)}, and not ${shown(claimed)}`,
});

const noSuchPath = (path: readonly string[]): Issue => ({
  path: pointerTo(path),
  message: 'the schema has no such path',
});

const ownMember = (members: Members, key: string): unknown =>
  Object.hasOwn(members, key) ? members[key] : undefined;

/** Returns the members of a claim that contradict the schema. */
const contradictions = (at: readonly string[], known: Members, claimed: Members): readonly Issue[] =>
  Object.entries(claimed).flatMap(([key, value]) => {
    const own = ownMember(known, key);
    return own === undefined || isDeepStrictEqual(own, value) ? [] : [differs([...at, key], own, value)];
  });

const fieldMembers = (field: Field): Exclude<Field, string> =>
  typeof field === 'string' ? { description: field } : field;

const fieldIssues = (derived: UpContext, [path, claimed]: readonly [string, Field]): readonly Issue[] => {
  const at = ['fields', path];
  if (!Object.hasOwn(derived.constraints ?? {}, path)) return [noSuchPath(at)];
  const known = derived.fields && Object.hasOwn(derived.fields, path) ? derived.fields[path] : undefined;
  return known === undefined ? [] : contradictions(at, fieldMembers(known), fieldMembers(claimed));
};

const constraintIssues = (
  derived: UpContext,
  [path, claimed]: readonly [string, unknown],
): readonly Issue[] => {
  const at = ['constraints', path];
  const known = ownMember(derived.constraints ?? {}, path);
  if (!isObject(known)) return [noSuchPath(at)];
  if (!isObject(claimed)) return [differs(at, known, claimed)];
  return Object.entries(claimed).flatMap(([key, value]) => {
    const own = ownMember(known, key) ?? (key === 'required' ? false : undefined);
    return isDeepStrictEqual(own, value) ? [] : [differs([...at, key], own, value)];
  });
};

/**
 * Returns where a claimed context contradicts the one that was derived from the schema of the same
 * payload; none if it only adds words and tags. `schemas` are the JSON Schemas that it may name. UpFormat 2.2.
 */
export const claimIssues = (
  derived: UpContext,
  claim: UpContext,
  schemas: readonly UpContext['schema'][],
): readonly Issue[] => {
  const { entity, fields = {}, constraints = {}, schema } = claim;
  const isOther = schema !== undefined && !schemas.some((known) => isDeepStrictEqual(known, schema));
  return [
    ...(entity === undefined ? [] : contradictions([], { entity: derived.entity }, { entity })),
    ...Object.entries(fields).flatMap((field) => fieldIssues(derived, field)),
    ...Object.entries(constraints).flatMap((constraint) => constraintIssues(derived, constraint)),
    ...(isOther ? [{ path: '/schema', message: 'the payload was read with another schema' }] : []),
  ];
};

/** Returns a derived context with the words and tags that a claim without contradictions adds. */
export const withClaim = (derived: UpContext, claim: UpContext): UpContext => {
  const fields = Object.entries(claim.fields ?? {}).map(([path, claimed]) => {
    const known = derived.fields && Object.hasOwn(derived.fields, path) ? derived.fields[path] : undefined;
    const isBare = typeof claimed === 'string' && (known === undefined || typeof known === 'string');
    return [
      path,
      isBare ? claimed : { ...fieldMembers(claimed), ...(known && fieldMembers(known)) },
    ] as const;
  });
  const concepts = [...new Set([...(derived.concepts ?? []), ...(claim.concepts ?? [])])];
  return {
    ...claim,
    ...derived,
    ...(fields.length > 0 && { fields: { ...derived.fields, ...Object.fromEntries(fields) } }),
    ...(concepts.length > 0 && { concepts }),
  };
};
