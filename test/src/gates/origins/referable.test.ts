import { Ajv2020 } from 'ajv/dist/2020.js'; // oxlint-disable-line no-restricted-imports -- a package's own dist, not ours
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { referenceSchema, withReferences } from '../../../../src/gates/origins/referable.ts';

const reference = { $from: 'request', pointer: '/to' };
const schema = {
  type: 'object',
  properties: {
    to: { type: 'string' },
    cents: { type: 'integer' },
    items: { type: 'array', items: { $ref: '#/$defs/item' } },
    either: {
      oneOf: [
        { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
        { type: 'number' },
      ],
    },
    more: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['to'],
  additionalProperties: false,
  $defs: { item: { type: 'object', properties: { id: { type: 'string' } }, additionalProperties: false } },
};

const accepts = (widened: object, value: object): boolean =>
  new Ajv2020({ strict: false }).validate(widened, value);

const flow = (...pointers: readonly string[]) => ({
  flows: Object.fromEntries(pointers.map((pointer) => [pointer, { integrity: 'trusted' as const }])),
});

describe('the schema of a tool', () => {
  it('is as it was if the tool does not ask where its arguments come from', () => {
    expect(withReferences({}, schema)).toBe(schema);
    expect(withReferences({ labels: { '': { integrity: 'trusted' } } }, schema)).toBe(schema);
  });

  it.each([
    ['/to', { to: reference }],
    ['/items/*/id', { to: 'a', items: [{ id: reference }] }],
    ['/items/0/id', { to: 'a', items: [{ id: reference }] }],
    ['/items', { to: 'a', items: reference }],
    ['/items', { to: 'a', items: [reference, { id: 'x' }] }],
    ['/either/a', { to: 'a', either: { a: reference } }],
    ['/either', { to: 'a', either: reference }],
    ['/more/x', { to: 'a', more: { x: reference } }],
    ['/*', { to: reference, cents: reference }],
    ['', { to: reference, items: [reference], more: { y: reference } }],
  ])('accepts a reference at %s', (pointer, value) => {
    const widened = withReferences(flow(pointer), schema);
    expect(accepts(schema, value)).toBe(false);
    expect(accepts(widened, value)).toBe(true);
    expect(accepts(widened, { to: 'a', items: [{ id: 'x' }], either: 1 })).toBe(true);
  });

  const tree = {
    type: 'object',
    properties: {
      root: { $ref: '#/$defs/node' },
      owner: { anyOf: [{ $ref: '#/$defs/person' }, { type: 'null' }] },
      next: { $ref: '#' },
    },
    additionalProperties: false,
    $defs: {
      node: {
        type: 'object',
        properties: { to: { type: 'string' }, leaves: { type: 'array', items: { $ref: '#/$defs/node' } } },
        additionalProperties: false,
      },
      person: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false },
    },
  };

  it.each([
    ['/root', { root: reference }],
    ['/root', { root: { to: reference } }],
    ['/root', { root: { leaves: [{ to: 'a' }, { leaves: [{ to: reference }] }] } }],
    ['/root/leaves/*/to', { root: { leaves: [{ to: reference }] } }],
    ['/owner/name', { owner: { name: reference } }],
    ['/owner', { owner: { name: reference } }],
    ['/next/root/to', { next: { root: { to: reference } } }],
    ['/next', { next: { next: { owner: { name: reference } } } }],
    ['', { next: { root: { leaves: [reference] } }, owner: reference }],
  ])('follows the references of a schema at %s', (pointer, value) => {
    const widened = withReferences(flow(pointer), tree);
    expect(accepts(tree, value)).toBe(false);
    expect(accepts(widened, value)).toBe(true);
    expect(accepts(widened, { root: { to: 1 } })).toBe(false);
  });

  it('leaves the definitions of other values as they are', () => {
    const widened = withReferences(flow('/owner'), tree);
    expect(accepts(widened, { root: { to: reference } })).toBe(false);
    expect(accepts(withReferences(flow('/owner', '/owner/name', ''), tree), { root: reference })).toBe(true);
  });

  it('accepts none elsewhere, and nothing else', () => {
    const widened = withReferences(flow('/to'), schema);
    expect(widened).toEqual({
      ...schema,
      properties: { ...schema.properties, to: { anyOf: [{ type: 'string' }, referenceSchema] } },
    });
    for (const value of [
      { to: 'a', cents: reference },
      { to: 1 },
      { to: { ...reference, more: 1 } },
      { to: { $from: 'request' } },
    ])
      expect(accepts(widened, value)).toBe(false);
  });

  it('accepts references for all arguments whose labels its result has', () => {
    const input = z.toJSONSchema(z.strictObject({ values: z.json(), instruction: z.string() }));
    const widened = withReferences({ labels: 'arguments' }, input);
    expect(accepts(widened, { values: [reference], instruction: reference })).toBe(true);
  });

  it('ends where a schema refers to itself', () => {
    const self = { properties: { a: { $ref: '#/properties/a' } } };
    expect(withReferences(flow('/a/b/c'), self)).toMatchObject({ properties: { a: {} } });
  });
});
