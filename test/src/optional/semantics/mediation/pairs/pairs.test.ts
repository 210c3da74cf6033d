import formats from 'ajv-formats';
// oxlint-disable-next-line no-restricted-imports -- where Ajv publishes its 2020-12 class
import { Ajv2020 } from 'ajv/dist/2020.js';
import { deriveContext } from 'agentcharter/semantics';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../../schema/formats.ts';
import { elementPath, memberPath, rootPath } from '../../../../../../src/optional/semantics/path.ts';
import { pairs, type Pair } from './index.ts';

const faultsOf = (schema: JsonObject, value: unknown): unknown => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  const validate = ajv.compile(schema);
  return validate(value) ? [] : validate.errors;
};

type Constraints = ReadonlyMap<string, JsonObject>;

const constraintsOf = (schema: JsonObject): Constraints =>
  new Map(Object.entries(deriveContext(schema).constraints as Record<string, JsonObject>));

const unitAt = (schema: JsonObject, path: string): unknown => {
  const field = deriveContext(schema).fields?.[path];
  return typeof field === 'object' ? field['unit'] : undefined;
};

const isBelow = (path: string, holder: string): boolean =>
  path.startsWith(holder) && ['.', '['].includes(path.charAt(holder.length));

/** The paths that hold no others: what can be carried over. */
const leavesOf = (constraints: Constraints): readonly string[] =>
  [...constraints.keys()].filter(
    (path) => path !== '$' && ![...constraints.keys()].some((other) => isBelow(other, path)),
  );

const isElement = (path: string): boolean => /\[\d*\]$/.test(path);

/** Each text, number and truth value of a payload, at each path that it has. */
function* scalarsOf(value: unknown, path = rootPath): Generator<readonly [string, unknown]> {
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      yield* scalarsOf(element, elementPath(path));
      yield* scalarsOf(element, elementPath(path, index));
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, held] of Object.entries(value)) yield* scalarsOf(held, memberPath(path, name));
  } else yield [path, value];
}

const valuesAt = (payload: JsonObject, path: string): ReadonlySet<unknown> =>
  new Set([...scalarsOf(payload)].flatMap(([at, value]) => (at === path ? [value] : [])));

/** Whether it is there in every payload, or the array is that it would be in. */
const isRequired = (path: string, constraints: Constraints): boolean =>
  [...constraints]
    .filter(([other]) => (other === path || isBelow(path, other)) && !isElement(other))
    .every(([, { required }]) => required === true);

const requiredOf = (schema: JsonObject): readonly string[] => {
  const constraints = constraintsOf(schema);
  return leavesOf(constraints).filter((path) => isRequired(path, constraints));
};

/** Keywords of the target that the source does not promise. */
const broken = (from: JsonObject, to: JsonObject): readonly string[] => {
  const isInside: Readonly<Record<string, boolean>> = {
    type: to['type'] === from['type'] || (to['type'] === 'number' && from['type'] === 'integer'),
    enum: [from['enum']].flat().every((value) => [to['enum']].flat().includes(value)),
    minimum: Number(from['minimum'] ?? -Infinity) >= Number(to['minimum']),
    maximum: Number(from['maximum'] ?? Infinity) <= Number(to['maximum']),
    maxLength: Number(from['maxLength'] ?? Infinity) <= Number(to['maxLength']),
  };
  const constraintNames = Object.keys(to).filter((key) => key !== 'required');
  return constraintNames.filter((key) => !(isInside[key] ?? from[key] === to[key]));
};

describe.each(pairs)('$name', ({ source, target, prefixes = {}, right, expects, example }) => {
  const [from, to] = [constraintsOf(source), constraintsOf(target)];

  it('names fields of both schemas', () => {
    expect(leavesOf(to)).toEqual(expect.arrayContaining(Object.keys(right)));
    expect(leavesOf(from)).toEqual(expect.arrayContaining([...new Set(Object.values(right))]));
  });

  it('has a source for each required target exactly when it expects a mapping', () => {
    const lacking = requiredOf(target).filter((path) => !Object.hasOwn(right, path));
    expect(lacking.length === 0).toBe(expects === 'mapping');
  });

  it('has required sources for required targets, with compatible constraints', () => {
    const sources = requiredOf(target).flatMap((path) => right[path] ?? []);
    expect(requiredOf(source)).toEqual(expect.arrayContaining(sources));
    const unfit = Object.entries(right).flatMap(([path, of]) => {
      const keywords = broken(from.get(of) ?? {}, to.get(path) ?? {});
      return keywords.map((keyword) => `${path} ${keyword}`);
    });
    expect(unfit).toEqual([]);
  });

  it('uses terms with known prefixes', () => {
    const terms = JSON.stringify([source, target]).matchAll(/"(?:concepts":\[|predicate":)"(\w+):/g);
    const known = ['schema', ...Object.keys(prefixes)];
    expect([...terms].map(([, prefix = '']) => prefix).filter((prefix) => !known.includes(prefix))).toEqual(
      [],
    );
  });

  it('has an example for a mapping only, which fits both schemas', () => {
    expect(example !== undefined).toBe(expects === 'mapping');
    if (example === undefined) return;
    expect(faultsOf(source, example.payload)).toEqual([]);
    expect(faultsOf(target, example.result)).toEqual([]);
  });

  it('has an example with all values of the right sources, and no other', () => {
    const { payload, result } = example ?? { payload: {}, result: {} };
    const carried = Object.entries(right).filter(([, of]) => valuesAt(payload, of).size > 0);
    const paths = new Set([...scalarsOf(result)].map(([path]) => path.replaceAll(/\[\d+\]/g, '[]')));
    expect([...paths].toSorted()).toEqual(carried.map(([path]) => path).toSorted());
    const asTheyAre = carried.filter(([path, of]) => unitAt(target, path) === unitAt(source, of));
    for (const [path, of] of asTheyAre) expect(valuesAt(result, path)).toEqual(valuesAt(payload, of));
  });
});

const isFormal = (schema: JsonObject): boolean => /"(concepts|predicate)":/.test(JSON.stringify(schema));

const formalSidesOf = ({ source, target }: Pair): number => [source, target].filter(isFormal).length;

describe('The development pairs', () => {
  it('have unique names', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(34);
    expect(new Set(pairs.map(({ name }) => name)).size).toBe(pairs.length);
  });

  it.each(['mapping', 'ambiguous', 'none'])('expect %s in at least a fifth of the cases', (outcome) => {
    const count = pairs.filter(({ expects }) => expects === outcome).length;
    expect(count).toBeGreaterThanOrEqual(pairs.length / 5);
  });

  it.each([0, 1, 2])('have formal terms on %i sides in at least a quarter of the cases', (sides) => {
    const count = pairs.filter((pair) => formalSidesOf(pair) === sides).length;
    expect(count).toBeGreaterThanOrEqual(pairs.length / 4);
  });
});
