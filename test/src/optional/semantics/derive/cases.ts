import type { JsonObject } from '../../../../../schema/formats.ts';

interface Case {
  readonly schema: JsonObject;
  readonly constraints: JsonObject;
}

const text = { type: 'string' };
const object = { type: 'object' };

/** What each kind of schema comes to, path by path. */
export const cases: Readonly<Record<string, Case>> = {
  'members, and which of them are required': {
    schema: { ...object, properties: { a: text, b: { type: 'integer', minimum: 1 } }, required: ['b', 'c'] },
    constraints: {
      $: object,
      a: text,
      b: { type: 'integer', minimum: 1, required: true },
      c: { required: true },
    },
  },
  'objects in arrays in objects': {
    schema: { properties: { a: { type: 'array', minItems: 1, items: { properties: { b: text } } } } },
    constraints: { $: {}, a: { type: 'array', minItems: 1 }, 'a[]': {}, 'a[].b': text },
  },
  'an array of arrays': {
    schema: { type: 'array', items: { type: 'array', items: text } },
    constraints: { $: { type: 'array' }, '[]': { type: 'array' }, '[][]': text },
  },
  'a tuple, with a rest': {
    schema: { type: 'array', prefixItems: [text, { type: 'null' }], items: { type: 'number' } },
    constraints: { $: { type: 'array' }, '[0]': text, '[1]': { type: 'null' }, '[]': { type: 'number' } },
  },
  'a tuple that is full, as 2020-12 has it': {
    schema: { prefixItems: [text, text], items: false },
    constraints: { $: { maxItems: 2 }, '[0]': text, '[1]': text },
  },
  'a tuple that is full, as draft-07 has it': {
    schema: { items: [text, text], additionalItems: false },
    constraints: { $: { maxItems: 2 }, '[0]': text, '[1]': text },
  },
  'elements, where no tuple is': {
    schema: { items: text, additionalItems: false, unevaluatedItems: false },
    constraints: { $: {}, '[]': text },
  },
  'elements that nothing else speaks of': {
    schema: { prefixItems: [text], unevaluatedItems: { type: 'number' } },
    constraints: { $: {}, '[0]': text, '[]': { type: 'number' } },
  },
  'a record': {
    schema: { propertyNames: { pattern: '^a' }, additionalProperties: { properties: { b: text } } },
    constraints: { $: { propertyNames: { pattern: '^a' } }, '*': {}, '*.b': text },
  },
  'members named by patterns': {
    schema: { properties: { x: { patternProperties: { '^a': text, '^b': { const: 1 } } } } },
    constraints: { $: {}, x: { namePatterns: ['^a', '^b'] }, 'x.*': { anyOf: [text, { const: 1 }] } },
  },
  'an object that is closed': {
    schema: { ...object, properties: { a: text }, additionalProperties: false },
    constraints: { $: { ...object, closed: true }, a: text },
  },
  'names that could be read as more than names': {
    schema: { properties: { 'a.b': { properties: { '': text, $: text } }, '*': text, $: text, é: text } },
    constraints: {
      $: {},
      '["a.b"]': {},
      '["a.b"][""]': text,
      '["a.b"].$': text,
      '["*"]': text,
      '["$"]': text,
      é: text,
    },
  },
  'names that objects inherit': {
    schema: { properties: { constructor: text }, required: ['toString'] },
    constraints: { $: {}, constructor: text, toString: { required: true } },
  },
  'what may be null, as one alternative': {
    schema: { anyOf: [{ ...text, format: 'date' }, { type: 'null' }] },
    constraints: { $: { type: ['string', 'null'], format: 'date' } },
  },
  'what may be null, as OpenAPI has it': {
    schema: { ...text, nullable: true },
    constraints: { $: { type: ['string', 'null'] } },
  },
  'what may be null, of several': {
    schema: { anyOf: [text, { type: 'number' }, { const: null }] },
    constraints: { $: { anyOf: [text, { type: 'number' }, { const: null }] } },
  },
  'a union of literals': {
    schema: {
      anyOf: [
        { ...text, const: 'a' },
        { ...text, enum: ['b', 'a'] },
      ],
    },
    constraints: { $: { ...text, enum: ['a', 'b'] } },
  },
  'a union of literals and null': {
    schema: { oneOf: [{ const: 'a' }, { const: 1 }, { type: 'null' }] },
    constraints: { $: { enum: ['a', 1, null] } },
  },
  'a union that takes anything': {
    schema: { anyOf: [text, {}] },
    constraints: { $: {} },
  },
  'alternatives: required is what each of them asks for': {
    schema: {
      oneOf: [
        { ...object, properties: { kind: { const: 'p' }, a: text }, required: ['kind', 'a'] },
        { ...object, properties: { kind: { const: 'q' } }, required: ['kind'] },
      ],
    },
    constraints: { $: object, kind: { enum: ['p', 'q'], required: true }, a: text },
  },
  'alternatives that can hold no member': {
    schema: {
      anyOf: [text, { type: 'null' }, { const: 1 }, { ...object, properties: { a: text }, required: ['a'] }],
    },
    constraints: {
      $: { anyOf: [text, { type: 'null' }, { const: 1 }, object] },
      a: { ...text, required: true },
    },
  },
  'schemas that all apply': {
    schema: {
      allOf: [{ properties: { a: text } }, { properties: { a: { minLength: 2 } }, required: ['a'] }],
    },
    constraints: { $: {}, a: { ...text, minLength: 2, required: true } },
  },
  'schemas that all apply, and say it differently': {
    schema: { minimum: 1, allOf: [{ minimum: 2, maximum: 9 }] },
    constraints: { $: { allOf: [{ minimum: 1 }, { minimum: 2, maximum: 9 }] } },
  },
  'a condition': {
    schema: {
      if: { properties: { a: { const: 1 } } },
      // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's
      then: { properties: { b: text } },
      else: { required: ['c'] },
    },
    constraints: { $: {}, b: text, c: {} },
  },
  'members that depend on another': {
    schema: { dependentSchemas: { a: { properties: { b: text }, required: ['b'] } } },
    constraints: { $: {}, b: text },
  },
  'what must not be': {
    schema: { properties: { a: { not: { const: 1 } }, b: { not: { required: ['x'] } }, c: false, d: true } },
    constraints: { $: {}, a: { not: { const: 1 } }, b: {}, c: { not: {} }, d: {} },
  },
  'default, deprecated, read-only, write-only': {
    schema: {
      properties: {
        a: { default: { x: [1] }, deprecated: true },
        b: { readOnly: true },
        c: { writeOnly: true },
      },
    },
    constraints: {
      $: {},
      a: { default: { x: [1] }, deprecated: true },
      b: { readOnly: true },
      c: { writeOnly: true },
    },
  },
  'a reference, with more said beside it': {
    schema: { properties: { a: { $ref: '#/$defs/x~1y%20z', maxLength: 9 } }, $defs: { 'x/y z': text } },
    constraints: { $: {}, a: { ...text, maxLength: 9 } },
  },
  'a reference to a place in an array': {
    schema: {
      properties: { a: { $ref: '#/$defs/x/prefixItems/1' } },
      $defs: { x: { prefixItems: [{}, text] } },
    },
    constraints: { $: {}, a: text },
  },
  'a reference to a schema with an identifier of its own': {
    schema: {
      properties: { a: { $ref: '#/$defs/x' } },
      $defs: { x: { $id: 'urn:x', items: { $ref: '#/$defs/y' }, $defs: { y: text } } },
    },
    constraints: { $: {}, a: {}, 'a[]': text },
  },
  'a schema that holds itself': {
    schema: { ...object, properties: { name: text, kids: { type: 'array', items: { $ref: '#' } } } },
    constraints: { $: object, name: text, kids: { type: 'array' }, 'kids[]': { repeats: '$' } },
  },
  'schemas that hold each other': {
    schema: {
      properties: { a: { $ref: '#/definitions/a' } },
      definitions: {
        a: { properties: { b: { $ref: '#/definitions/b' } }, required: ['b'] },
        b: { anyOf: [{ $ref: '#/definitions/a' }, { type: 'null' }] },
      },
    },
    constraints: {
      $: {},
      a: {},
      'a.b': { anyOf: [{ repeats: 'a' }, { type: 'null' }], required: true },
    },
  },
  'a schema that is nothing but itself': {
    schema: { allOf: [{ $ref: '#' }] },
    constraints: { $: { repeats: '$' } },
  },
};
