// oxlint-disable-next-line no-restricted-imports -- where Ajv publishes its 2020-12 class
import { Ajv2020 } from 'ajv/dist/2020.js';
import { deriveContext, toShacl } from 'agentcharter/semantics';
import { conformsTo, shapeJudge } from 'agentcharter/semantics/shacl';
import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import type { JsonObject } from '../../../../../schema/formats.ts';

const unsaidOf = (constraints: object, context: object = {}): unknown =>
  toShacl({ constraints, ...context })['unsaid'];

describe('The list of unsaid keywords', () => {
  test.each<[string, object, readonly string[]]>([
    ['a format', { type: 'string', format: 'email' }, ['format']],
    ['a divisor', { type: 'number', multipleOf: 0.1 }, ['multipleOf']],
    ['a hostile pattern', { type: 'string', pattern: '^(a+)+$' }, ['pattern']],
    ['literals that are not scalars', { enum: [[1], 2] }, ['enum']],
    ['a recursion', { repeats: '$' }, ['repeats']],
    [
      'keywords with values of another type',
      { minLength: 'x', maximum: null, type: 'text' },
      ['minLength', 'maximum', 'type'],
    ],
    ['a negation of an omitted keyword', { not: { format: 'email' } }, ['not']],
    ['an alternative’s keyword', { anyOf: [{ format: 'email' }, { type: 'null' }] }, ['format']],
    ['patternProperties, and so closed', { closed: true, namePatterns: ['^a'] }, ['closed', 'namePatterns']],
    ['constraints that are no schema', ['x'], ['constraints']],
    ['no annotation', { default: 1, deprecated: true, readOnly: true }, []],
  ])('contains %s', (_, said, keywords) => {
    expect(unsaidOf({ a: said })).toEqual(keywords.length === 0 ? {} : { a: keywords });
  });

  test('contains members without a name of their own, and all below them', () => {
    const integers = { type: 'integer' };
    expect(unsaidOf({ 'a.*': integers, 'a.*.b[]': integers, 'a.c': integers })).toEqual({
      'a.*': ['type'],
      'a.*.b[]': ['type'],
    });
  });

  test('contains keywords at an invalid path', () => {
    expect(unsaidOf({ 'a..b': { type: 'string' }, [`${'a.'.repeat(64)}b`]: { minimum: 1 } })).toEqual({
      'a..b': ['type'],
      [`${'a.'.repeat(64)}b`]: ['minimum'],
    });
  });

  const text = { properties: { a: { type: 'string' } } };
  const person = { type: 'object', properties: { n: { type: 'string' } }, required: ['n'] };
  test.each<[string, JsonObject, JsonObject]>([
    ['anyOf', { properties: { a: {} }, anyOf: [text, { required: ['b'] }] }, { a: 1, b: 2 }],
    ['oneOf', { oneOf: [text, { not: text }] }, { a: 1 }],
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's
    ['then', { if: { required: ['b'] }, then: text }, { a: 1 }],
    ['else', { if: { required: ['a'] }, else: text }, { a: 1 }],
    ['dependentSchemas', { dependentSchemas: { b: text } }, { a: 1 }],
    [
      'unevaluatedProperties',
      { anyOf: [{ patternProperties: { '^x': {} } }], unevaluatedProperties: false },
      { x: 1 },
    ],
    [
      'unevaluatedItems',
      {
        properties: { a: { anyOf: [{ items: { type: 'integer' } }], unevaluatedItems: { type: 'string' } } },
      },
      { a: [1] },
    ],
    [
      'null beside a $ref',
      { properties: { a: { anyOf: [{ $ref: '#/$defs/p' }, { type: 'null' }] } }, $defs: { p: person } },
      { a: null },
    ],
  ])('contains keywords under one alternative only: %s', async (_, schema, payload) => {
    expect(new Ajv2020({ strict: false }).validate(schema, payload)).toBe(true);
    const context = deriveContext(schema);
    const { conforms, unsaid } = await conformsTo({ payload, context });
    expect(conforms).toBe(true);
    expect(Object.keys(unsaid).length).toBeGreaterThan(0);
  });

  test('contains constraints that the context adds to its schema', () => {
    const schema = { properties: { a: { type: 'string' } } };
    expect(unsaidOf({ a: { type: 'string', minLength: 3 } }, { schema })).toEqual({
      a: ['type', 'minLength'],
    });
    expect(unsaidOf({ a: { type: 'string' } }, { schema })).toEqual({});
  });
});

describe('A SHACL shape', () => {
  it('holds a constraint at its place', () => {
    const { '@context': _, ...shapes } = toShacl({
      constraints: { 'a.b': { type: 'string', minLength: 2, required: true } },
    });
    const id = String(shapes['@id']);
    expect(id).toMatch(/^urn:agentcharter:context:[0-9a-f]{32}$/);
    expect(shapes).toMatchObject({
      '@type': 'sh:NodeShape',
      'sh:targetClass': { '@id': id },
      unsaid: {},
    });
    expect(JSON.stringify(shapes)).toContain(
      JSON.stringify({
        'sh:path': { '@id': `${id}#a/b` },
        'sh:name': 'b',
        'sh:minCount': 1,
        'sh:maxCount': 1,
        'sh:datatype': { '@id': 'xsd:string' },
        'sh:minLength': 2,
      }),
    );
  });

  const judged: readonly [said: JsonObject, fits: readonly unknown[], fails: readonly unknown[]][] = [
    [{ type: 'integer' }, [1, 1e300, -0], [1.5, '1', null, [], {}]],
    [{ type: 'number', exclusiveMinimum: 0.3 }, [0.1 + 0.2, 1], [0.3, 0]],
    [{ minimum: 5 }, [5, 'x', null, [], {}, true], [4]],
    [{ type: 'null' }, [null], [0, '', 'null', [], {}]],
    [{ enum: [1, 'a', null] }, [1, 'a', null], ['1', 2, true, [1], {}]],
    [{ type: 'string', maxLength: 1 }, ['😀', 'a', '\ue000', ''], ['😀😀', 'ab']],
    [{ type: 'string', pattern: '^.$' }, ['😀', 'a'], ['', '😀a', '\n']],
    [
      { type: 'array', minItems: 2, maxItems: 3 },
      [
        [1, 1],
        [null, null, null],
      ],
      [[], [1], [1, 1, 1, 1], {}, 'ab'],
    ],
    [{ type: 'object', closed: true }, [{}], [{ x: 1 }, []]],
    [{ not: { type: 'string' } }, [1, null, []], ['x']],
    [{ not: {} }, [], [1, null]],
    [{ allOf: [{ minimum: 1 }, { minimum: 3 }] }, [3], [2]],
    [{ anyOf: [{ type: 'string' }, { minimum: 3, type: 'number' }] }, ['', 3], [2, null]],
  ];
  test.each(judged)('accepts and refuses the values of %j', (said, fits, fails) => {
    const judge = shapeJudge({ constraints: { a: said, 'b[0][]': said } });
    expect(fits.filter((a) => !judge({ a, b: [[a, a], 1] }).conforms)).toEqual([]);
    expect(fails.filter((a) => judge({ a }).conforms || judge({ b: [[a]] }).conforms)).toEqual([]);
  });

  it('reports what is wrong, and where', async () => {
    const context = deriveContext(
      z.object({
        'a/b': z.object({ c: z.string().min(2), d: z.int() }),
        list: z.array(z.object({ e: z.boolean() })),
        range: z.tuple([z.number().max(5), z.string()]),
      }),
    );
    const payload = { 'a/b': { c: 'x' }, list: [{ e: true }, { e: 1 }, 5], range: [7, 'x'] };
    const { conforms, findings } = await conformsTo({ payload, context });
    expect(conforms).toBe(false);
    expect(findings.map(({ path }) => path).toSorted()).toEqual([
      '/a~1b/c',
      '/a~1b/d',
      '/list',
      '/list/1/e',
      '/range',
    ]);
    expect(findings.find(({ path }) => path === '/range')?.message).toMatch(/less than or equal to 5/);
  });

  it('judges each payload independently', () => {
    const judge = shapeJudge({ constraints: { a: { type: 'string', maxLength: 1 } } });
    for (const [a, fits] of [
      ['x', true],
      [1, false],
      ['😀', true],
      ['😀😀', false],
      ['y', true],
    ] as const)
      expect(judge({ a }).conforms).toBe(fits);
  });

  it('reports at most a hundred findings, and never none for a wrong payload', () => {
    const judge = shapeJudge({ constraints: { a: { type: 'array' }, 'a[]': { type: 'string' } } });
    const { conforms, findings } = judge({ a: Array.from({ length: 500 }, (_, index) => index) });
    expect(conforms).toBe(false);
    expect(findings).toHaveLength(100);
  });
});
