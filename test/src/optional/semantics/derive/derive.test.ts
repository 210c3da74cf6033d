import { deriveContext } from 'agentcharter/semantics';
import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { UpContext } from '../../../../../schema/index.ts';
import { cases } from './cases.ts';

describe('A derived context', () => {
  it.each(Object.entries(cases))('holds the constraints of %s', (_, { schema, constraints }) => {
    const context = deriveContext(schema);
    expect(context.constraints).toEqual(constraints);
    expect(context.schema).toEqual(schema);
    expect(UpContext.safeParse(context).success).toBe(true);
  });

  it('describes the candidates of the paper’s recommender', () => {
    const candidate = z
      .object({ name: z.string(), email: z.email().describe('contact address') })
      .meta({ concepts: ['schema:Person', 'wikidata:Q5'] });
    const context = deriveContext(z.object({ candidates: z.array(candidate).min(1) }), {
      entity: 'ranked freelancers',
      concepts: ['software_engineer'],
    });
    expect(context).toMatchObject({
      entity: 'ranked freelancers',
      fields: { 'candidates[].email': 'contact address' },
      concepts: ['software_engineer', 'schema:Person', 'wikidata:Q5'],
      constraints: {
        candidates: { type: 'array', minItems: 1, required: true },
        'candidates[].email': { type: 'string', format: 'email', required: true },
      },
      schema: { type: 'object' },
    });
  });

  it('uses the title as the entity, or the description without a title', () => {
    expect(deriveContext({ title: 'A', description: 'b' })).toMatchObject({
      entity: 'A',
      fields: { $: 'b' },
    });
    expect(deriveContext({ title: 'A' })).not.toHaveProperty('fields');
    expect(deriveContext({ description: 'b' })).toMatchObject({ entity: 'b' });
    expect(deriveContext({ description: 'b' })).not.toHaveProperty('fields');
    expect(deriveContext({})).toEqual({ constraints: { $: {} }, schema: {} });
  });

  it('describes a field by its description, its title or its tags, in this order', () => {
    const properties = {
      a: { title: 'A', description: 'the first', concepts: ['x:a'] },
      b: { title: 'B' },
      c: { concepts: ['x:c', 'x:d'] },
      d: {},
    };
    const { fields, concepts } = deriveContext({ properties });
    expect(fields).toEqual({
      a: { description: 'the first', concepts: ['x:a'] },
      b: 'B',
      c: { description: 'x:c, x:d', concepts: ['x:c', 'x:d'] },
    });
    expect(concepts).toEqual(['x:a', 'x:c', 'x:d']);
  });

  it('describes a field by the nearest description, or by those of all its alternatives', () => {
    const $defs = { x: { description: 'an x' }, y: { description: 'a y' } };
    const [x, y] = [{ $ref: '#/$defs/x' }, { $ref: '#/$defs/y' }];
    const properties = { a: { ...x, description: 'mine' }, b: x, c: { anyOf: [x, y, x, { type: 'null' }] } };
    expect(deriveContext({ properties, $defs }).fields).toEqual({ a: 'mine', b: 'an x', c: 'an x or a y' });
  });

  it('refers to a schema by its $id if there is one', () => {
    const $id = 'https://example.org/candidates.json';
    expect(deriveContext({ $id }).schema).toBe($id);
    expect(deriveContext({ $id: '' }).schema).toEqual({ $id: '' });
  });

  it('is frozen, and leaves the schema unchanged', () => {
    const schema = { properties: { a: { description: 'x' } } };
    const context = deriveContext(schema);
    expect(Object.isFrozen(context.constraints?.['a'])).toBe(true);
    expect(Object.isFrozen(schema.properties)).toBe(false);
  });
});

describe('The hints of a context', () => {
  const schema = {
    title: 'A',
    properties: { 'a.b': { description: 'x', concepts: ['t'] }, c: {} },
    concepts: ['s'],
  };

  test('override the schema', () => {
    const hints = { entity: 'E', concepts: ['t', 'u'], fields: { '["a.b"]': 'mine', c: 'C', $: 'all' } };
    expect(deriveContext(schema, hints)).toMatchObject({
      entity: 'E',
      concepts: ['t', 'u', 's'],
      fields: {
        $: { description: 'all', concepts: ['s'] },
        '["a.b"]': { description: 'mine', concepts: ['t'] },
        c: 'C',
      },
    });
  });

  test.each(['d', 'constructor', 'a.b', ''])('for an unknown path are refused: %j', (path) => {
    expect(() => deriveContext(schema, { fields: { [path]: 'x' } })).toThrow(
      expect.objectContaining({
        code: 'document_invalid',
        message: `hints describe what the schema does not have: ${JSON.stringify(path)}; accepted: $, ["a.b"], c`,
        details: {
          document: 'hints',
          issues: [{ path: `/fields/${path}`, message: 'the schema has no such path' }],
        },
      }),
    );
  });

  test('for an unknown path are refused with twenty known ones', () => {
    const properties = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`p${index}`, {}]));
    expect(() => deriveContext({ properties }, { fields: { q: 'x' } })).toThrow(/p18 and 11 more$/);
  });

  test('with a misspelt member are refused', () => {
    const misspelt = { entiti: 'x' } as object;
    expect(() => deriveContext(schema, misspelt)).toThrow(
      expect.objectContaining({ code: 'document_invalid' }),
    );
  });

  test('that are not plain data are refused', () => {
    expect(() => deriveContext(schema, new Map() as object)).toThrow(
      expect.objectContaining({
        code: 'definition_invalid',
        details: expect.objectContaining({ definition: 'hints' }),
      }),
    );
  });
});
