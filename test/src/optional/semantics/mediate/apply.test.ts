import {
  applyMapping,
  deriveContext,
  mediate,
  type Mapping,
  type MediationOptions,
} from 'agentcharter/semantics';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { UpContext } from '../../../../../schema/index.ts';
import { isCharterError } from '../../../../../src/base/errors.ts';
import { figuresOf, methods } from '../mediation/figures.ts';
import { pairs } from '../mediation/pairs/index.ts';
import { units } from '../mediation/units.ts';

const colour = z.string().describe('colour');
const article = z.string().describe('number of the article');
const order = z.string().describe('number of the order');
const tag = z.string().describe('tag');

const mappingOf = (source: UpContext, target: UpContext, options?: MediationOptions): Mapping => {
  const mediation = mediate(source, target, options);
  if (mediation.outcome !== 'mapping') throw new Error(JSON.stringify(mediation));
  return mediation.mapping;
};

const object = (shape: z.ZodRawShape): UpContext => deriveContext(z.object(shape));

/** What is done to the last link, and what becomes of the payload. */
const applied = (source: UpContext, target: UpContext, payload: unknown, options?: MediationOptions) => {
  const mapping = mappingOf(source, target, options);
  return [mapping.links.at(-1)?.conversions.map(({ kind }) => kind), applyMapping(mapping, payload, options)];
};

const refusal = (apply: () => unknown): unknown => {
  try {
    return apply();
  } catch (error) {
    if (!isCharterError(error)) throw error;
    return {
      code: error.code,
      ...('issues' in error.details && { paths: error.details.issues.map(({ path }) => path) }),
    };
  }
};

const height = (unit: string) => object({ height: z.number().describe('height').meta({ unit }) });

describe('A mapped value', () => {
  it('gets the name of the target', () => {
    expect(applied(object({ a: colour }), object({ b: colour }), { a: 'red' })).toEqual([
      ['rename'],
      { b: 'red' },
    ]);
  });

  it('becomes the only element of an array', () => {
    expect(applied(object({ a: colour }), object({ a: z.array(colour) }), { a: 'red' })).toEqual([
      ['wrap'],
      { a: ['red'] },
    ]);
  });

  it('stays missing when it is missing or null', () => {
    const loose = object({ a: colour.nullable().optional() });
    const mapping = mappingOf(loose, object({ b: colour.nullable().optional() }));
    expect(applyMapping(mapping, {})).toEqual({});
    expect(applyMapping(mapping, { a: null })).toEqual({ b: null });
  });

  it('is the one that a person gives', () => {
    const target = object({ kind: z.literal('paint'), b: colour });
    expect(
      applied(object({ a: colour }), target, { a: 'red' }, { choices: { kind: { value: 'paint' } } })[1],
    ).toEqual({ kind: 'paint', b: 'red' });
  });

  it('is written in the target’s format', () => {
    const at = object({ at: z.iso.datetime().describe('when it was sent') });
    const on = object({ on: z.iso.date().describe('when it was sent') });
    expect(applied(at, on, { at: '2026-04-01T10:00:00Z' })[1]).toEqual({ on: '2026-04-01' });
    const count = object({ count: z.number().describe('how many') });
    expect(applied(count, object({ count: z.string().describe('how many') }), { count: 3 })[1]).toEqual({
      count: '3',
    });
  });

  it('is converted to the target’s unit', () => {
    expect(applied(height('cm'), height('m'), { height: 250 }, { units })).toEqual([
      ['unit'],
      { height: 2.5 },
    ]);
    expect(mediate(height('cm'), height('m')).outcome).toBe('none');
    expect(mediate(height('cm'), height('kg'), { units }).outcome).toBe('none');
  });

  it('is the first of several when a person chose that', () => {
    const target = object({ a: colour });
    const many = object({ all: z.array(colour) });
    expect(mediate(many, target).outcome).toBe('ambiguous');
    expect(applied(many, target, { all: ['red', 'blue'] }, { choices: { a: 'all[]' } })).toEqual([
      ['rename', 'pick'],
      { a: 'red' },
    ]);
  });
});

describe('Mapped arrays', () => {
  const lines = z.array(z.object({ article, tags: z.array(tag) }));
  const source = object({ order, lines });
  const payload = {
    order: 'o1',
    lines: [
      { article: 'a1', tags: ['x', 'y'] },
      { article: 'a2', tags: [] },
    ],
  };

  it('are mapped element by element', () => {
    const target = object({ rows: z.array(z.object({ item: article, labels: z.array(tag) })) });
    expect(applied(source, target, payload)[1]).toEqual({
      rows: [
        { item: 'a1', labels: ['x', 'y'] },
        { item: 'a2', labels: [] },
      ],
    });
  });

  it('inside arrays are flattened', () => {
    expect(applied(source, object({ tags: z.array(tag) }), payload)).toEqual([
      ['collect'],
      { tags: ['x', 'y'] },
    ]);
  });

  it('become rows that repeat the outer values', () => {
    const target = object({ rows: z.array(z.object({ item: article, order, label: tag })) });
    const [, rows] = applied(source, target, payload);
    expect(rows).toEqual({
      rows: [
        { item: 'a1', order: 'o1', label: 'x' },
        { item: 'a1', order: 'o1', label: 'y' },
      ],
    });
  });

  it('are not zipped when neither contains the other', () => {
    const apart = object({ names: z.array(article), tags: z.array(tag) });
    const target = object({ rows: z.array(z.object({ item: article, label: tag })) });
    expect(mediate(apart, target)).toMatchObject({ outcome: 'ambiguous', links: [] });
  });

  it('with fixed positions keep them', () => {
    const point = object({
      at: z.tuple([z.number().describe('degrees east'), z.number().describe('degrees north')]),
    });
    const place = object({
      lat: z.number().describe('degrees north'),
      lon: z.number().describe('degrees east'),
    });
    expect(applied(point, place, { at: [1, 2] })[1]).toEqual({ lat: 2, lon: 1 });
    expect(applied(place, point, { lat: 2, lon: 1 })[1]).toEqual({ at: [1, 2] });
  });
});

describe('The mapped payload', () => {
  const mapping = mappingOf(object({ a: colour }), object({ b: colour.max(3) }));

  it('is checked against the target', () => {
    expect(refusal(() => applyMapping(mapping, { a: 'yellow' }))).toEqual({
      code: 'document_invalid',
      paths: ['/b'],
    });
    expect(refusal(() => applyMapping(mapping, {}))).toEqual({ code: 'document_invalid', paths: ['/b'] });
  });

  it('is checked by the target’s constraints when there is no schema', () => {
    const { schema: _, ...bare } = mapping.target;
    expect(refusal(() => applyMapping({ ...mapping, target: bare }, { a: 'yellow' }))).toEqual({
      code: 'document_invalid',
      paths: ['/b'],
    });
  });

  it('is checked by a given schema', () => {
    const schema = z.object({ b: z.literal('red') });
    expect(applyMapping(mapping, { a: 'red' }, { schema })).toEqual({ b: 'red' });
    expect(refusal(() => applyMapping(mapping, { a: 'tan' }, { schema }))).toEqual({
      code: 'document_invalid',
      paths: ['/b'],
    });
  });

  it('is aborted after a moment with a hostile pattern', () => {
    const hostile = object({ b: colour.regex(/^(?:a+)+$/) });
    const evil = mappingOf(object({ a: colour }), hostile);
    expect(applyMapping(evil, { a: 'aaa' })).toEqual({ b: 'aaa' });
    expect(refusal(() => applyMapping(evil, { a: `${'a'.repeat(40)}!` }))).toEqual({
      code: 'document_invalid',
      paths: [''],
    });
  });

  it('reports a schema that zod cannot read', () => {
    const target = deriveContext({
      type: 'object',
      properties: { b: { type: 'string', description: 'colour' } },
      dependentRequired: { b: ['c'] },
    });
    const odd = mappingOf(object({ a: colour }), target);
    expect(refusal(() => applyMapping(odd, { a: 'red' }))).toMatchObject({ code: 'definition_invalid' });
  });

  it('is the same from a mapping that was stored as JSON', () => {
    const again: unknown = JSON.parse(JSON.stringify(mapping));
    expect(applyMapping(again as Mapping, { a: 'red' })).toEqual({ b: 'red' });
    const broken = { ...mapping, links: [{ ...mapping.links[0], from: 'a..b' }] };
    expect(refusal(() => applyMapping(broken as Mapping, { a: 'red' }))).toEqual({
      code: 'document_invalid',
      paths: ['/links/0/from'],
    });
  });

  it.each([
    ['an array', { a: { list: 'red' } }],
    ['an object', { a: 'red' }],
    ['an object', []],
  ])('is refused when the payload has no %s', (_, payload) => {
    const nested = mappingOf(
      object({ a: z.object({ list: z.array(colour) }) }),
      object({ b: z.array(colour) }),
    );
    expect(refusal(() => applyMapping(nested, payload))).toMatchObject({ code: 'document_invalid' });
  });
});

describe('A pair’s example', () => {
  const examples = pairs.flatMap(({ name, source, target, prefixes, right, example }) =>
    example === undefined
      ? []
      : [{ name, source, target, right, hints: prefixes && { prefixes }, ...example }],
  );

  it.each(examples)('is mapped as a person expects after that person’s choice: $name', (pair) => {
    const contexts = [
      deriveContext(pair.source, pair.hints),
      deriveContext(pair.target, pair.hints),
    ] as const;
    const mediation = mediate(...contexts, { units, choices: pair.right });
    expect(mediation.outcome).toBe('mapping');
    if (mediation.outcome === 'mapping')
      expect(applyMapping(mediation.mapping, pair.payload, { units })).toEqual(pair.result);
  });

  it('exists in enough pairs', () => {
    expect(examples.length).toBeGreaterThan(20);
    expect(figuresOf(pairs, methods.mediate).wrong).toBe(0);
  });
});
