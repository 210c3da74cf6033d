// oxlint-disable-next-line no-restricted-imports -- where Ajv publishes its 2020-12 class
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { deriveContext } from 'agentcharter/semantics';
import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '../../../../../../../schema/formats.ts';
import { kept } from './index.ts';

const ajv = new Ajv2020({ strict: true, strictTypes: false });
addFormats.default(ajv);
ajv.addVocabulary(['concepts', 'predicate', 'unit']);

const constraintsOf = (schema: JsonObject) =>
  Object.entries(deriveContext(schema).constraints ?? {}) as [string, JsonObject][];

const isLeaf = (path: string, paths: readonly string[]): boolean =>
  path !== '$' && !paths.some((other) => other.startsWith(`${path}.`) || other.startsWith(`${path}[`));

const holdersOf = (path: string): string[] =>
  [...path.matchAll(/\.|\[\]/g)].map(({ index }) => path.slice(0, index));

/** The leaves that a target cannot do without. */
function required(schema: JsonObject): string[] {
  const constraints = constraintsOf(schema);
  const paths = constraints.map(([path]) => path);
  const asked = new Set(constraints.filter(([, each]) => each['required'] === true).map(([path]) => path));
  const isAsked = (path: string) => path.endsWith('[]') || asked.has(path);
  return paths.filter((path) => isLeaf(path, paths) && [path, ...holdersOf(path)].every(isAsked));
}

const schemaAt = (schema: JsonObject, path: string): JsonObject => {
  let found = schema;
  for (const segment of path.replaceAll('[]', '.[]').split('.')) {
    const next = segment === '[]' ? found['items'] : (found['properties'] as JsonObject)[segment];
    found = next as JsonObject;
  }
  return found;
};

const bound = (schema: JsonObject, key: string, none: number) => Number(schema[key] ?? none);

/** What keeps a value of one schema from being one of another. */
function conflicts(from: JsonObject, to: JsonObject): string[] {
  const fits: Readonly<Record<string, boolean>> = {
    type: from['type'] === to['type'] || (from['type'] === 'integer' && to['type'] === 'number'),
    ...Object.fromEntries(
      ['unit', 'format', 'pattern'].map((key) => [
        key,
        from[key] === to[key] || (key !== 'unit' && !(key in to)),
      ]),
    ),
    enum: [from['enum'] ?? []].flat().every((value) => [to['enum'] ?? value].flat().includes(value)),
    open: !('enum' in to) || 'enum' in from,
    minimum: bound(from, 'minimum', -Infinity) >= bound(to, 'minimum', -Infinity),
    maximum: bound(from, 'maximum', Infinity) <= bound(to, 'maximum', Infinity),
    maxLength: bound(from, 'maxLength', Infinity) <= bound(to, 'maxLength', Infinity),
    minLength: bound(from, 'minLength', 0) >= bound(to, 'minLength', 0),
  };
  return Object.keys(fits).filter((key) => fits[key] !== true);
}

/** What stands at each leaf of a payload, in the order in which it is met. */
function leavesOf(
  value: unknown,
  path = '',
  met: Map<string, unknown[]> = new Map(),
): Map<string, unknown[]> {
  if (Array.isArray(value)) for (const each of value) leavesOf(each, `${path}[]`, met);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value))
      leavesOf(each, path === '' ? name : `${path}.${name}`, met);
  } else met.set(path, [...(met.get(path) ?? []), value]);
  return met;
}

describe('The held-out pairs', () => {
  test('cover each outcome, under unique names', () => {
    expect(kept.length).toBeGreaterThanOrEqual(32);
    expect(new Set(kept.map(({ name }) => name)).size).toBe(kept.length);
    for (const outcome of ['mapping', 'ambiguous', 'none'] as const)
      expect(kept.filter(({ expects }) => expects === outcome).length).toBeGreaterThanOrEqual(6);
  });

  describe.each(kept)('$name', ({ source, target, right, expects, example }) => {
    const sourcePaths = constraintsOf(source).map(([path]) => path);
    const targetPaths = constraintsOf(target).map(([path]) => path);

    it('relates leaves of both schemas, each source once', () => {
      expect(targetPaths.filter((path) => isLeaf(path, targetPaths))).toEqual(
        expect.arrayContaining(Object.keys(right)),
      );
      const sources = Object.values(right);
      expect(sourcePaths.filter((path) => isLeaf(path, sourcePaths))).toEqual(
        expect.arrayContaining(sources),
      );
      expect(new Set(sources).size).toBe(sources.length);
    });

    it('relates leaves whose types and units are compatible', () => {
      for (const [path, from] of Object.entries(right))
        expect([path, ...conflicts(schemaAt(source, from), schemaAt(target, path))]).toEqual([path]);
    });

    it('expects a mapping exactly when each required leaf has a required source', () => {
      const missing = required(target).filter((path) => !(path in right));
      expect(missing.length > 0).toBe(expects !== 'mapping');
      const sources = required(target).flatMap((path) => right[path] ?? []);
      expect(required(source)).toEqual(expect.arrayContaining(sources));
    });

    it('has an example for a mapping, which fits both schemas', () => {
      expect(example !== undefined).toBe(expects === 'mapping');
      const [readsSource, readsTarget] = [ajv.compile(source), ajv.compile(target)];
      if (example === undefined) return;
      expect(readsSource(example.payload), ajv.errorsText(readsSource.errors)).toBe(true);
      expect(readsTarget(example.result), ajv.errorsText(readsTarget.errors)).toBe(true);
    });

    it('has an example with only the values of the right sources', () => {
      if (example === undefined) return;
      const [held, made] = [leavesOf(example.payload), leavesOf(example.result)];
      expect([...made.keys()].filter((path) => !(path in right))).toEqual([]);
      for (const [path, from] of Object.entries(right))
        expect([path, ...new Set(made.get(path))]).toEqual([path, ...new Set(held.get(from))]);
    });
  });
});
