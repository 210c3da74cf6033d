import { deriveContext, toJsonLd, toShacl } from 'agentcharter/semantics';
import { conformsTo, shapeJudge } from 'agentcharter/semantics/shacl';
import { describe, expect, it, test } from 'vitest';
import { isCharterError } from '../../../../../src/base/errors.ts';
import { messageOf } from './messages.ts';
import { expand } from './processor.ts';

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const named = (predicate: string) => ({ description: 'x', predicate });
const numbered = <Value>(count: number, of: (index: number) => Value) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, of(index)]));

const lies: Readonly<Record<string, readonly [context: object, message: RegExp]>> = {
  'a prefix redefined': [{ prefixes: { schema: 'https://example.org/' } }, /always means/],
  'an invalid prefix name': [
    { prefixes: { '@vocab': 'https://example.org/' } },
    /expected a name of letters/,
  ],
  'a prefix without a namespace': [{ prefixes: { own: 'javascript:alert(1)' } }, /absolute IRI/],
  'a predicate of RDF itself': [
    { fields: { a: named(`${rdf}first`) } },
    /"\/fields\/a\/predicate": expected an IRI/,
  ],
  'a predicate of ours': [
    { fields: { a: named('urn:agentcharter:payload#b') } },
    /expected an IRI of a vocabulary/,
  ],
  'a predicate that is no IRI': [{ fields: { a: named('schema:a>.<b') } }, /expected an IRI of a vocabulary/],
  'a predicate that is a class elsewhere': [
    { fields: { a: named('schema:Person'), b: { description: 'y', concepts: ['schema:Person'] } } },
    /expected a property/,
  ],
  'one predicate for two members': [
    { fields: { a: named('schema:email'), b: named('http://schema.org/email') } },
    /expected one member of an object to be its <https:\/\/schema.org\/email>/,
  ],
  'a field that is a number': [{ fields: { a: 1 } }, /must be a string/],
};

describe('A hostile context', () => {
  it.each(Object.entries(lies))('is refused: %s', (_, [context, message]) => {
    const refusal = expect.objectContaining({
      code: 'document_invalid',
      message: expect.stringMatching(message),
    });
    const payload = { a: 'x', b: 'y' };
    expect(() => toJsonLd(messageOf(payload, { ...context }))).toThrow(refusal);
    expect(() => shapeJudge(context)(payload)).toThrow(refusal);
  });

  it.each([
    [null],
    [[]],
    [new Map()],
    ['x'],
    [
      {
        fields: {
          get a() {
            return 'x';
          },
        },
      },
    ],
  ])('is refused when it is %o', (context) => {
    const refusal = expect.objectContaining({
      code: expect.stringMatching(/^(document_invalid|input_unreadable)$/),
    });
    expect(() => toShacl(context)).toThrow(refusal);
    expect(() => toJsonLd({ ...messageOf({}), upContext: context })).toThrow(refusal);
  });

  it('is refused with two meanings for one member of an array’s elements', () => {
    const fields = { 'a[0].x': named('schema:name'), 'a[1].x': named('schema:email') };
    expect(() => toJsonLd(messageOf({ a: [{ x: 1 }, { x: 2 }] }, { fields }))).toThrow(/two meanings of "x"/);
    expect(() => toJsonLd(messageOf({ a: [{ x: 1 }, { y: 2 }] }, { fields }))).not.toThrow();
  });

  it('with nested negations is read in linear time', () => {
    const nested = (depth: number): object => (depth === 0 ? { minimum: 1 } : { not: nested(depth - 1) });
    const judge = shapeJudge({
      constraints: { a: nested(50), constructor: { constructor: 1, toString: null } },
    });
    expect([judge({ a: 1 }).conforms, judge({ a: 0 }).conforms]).toEqual([true, false]);
    expect(judge({ constructor: 1 }).unsaid).toEqual({ constructor: ['constructor', 'toString'] });
  });

  it('is refused over the limit of steps', () => {
    const fields = Object.fromEntries(
      Array.from({ length: 4_000 }, (_, index) => [`${'a.'.repeat(63)}p${index}`, 'x']),
    );
    expect(() => toShacl({ fields })).toThrow(/accepted: paths of 200000 steps in all/);
  });
});

describe('A context of 10,000 fields', () => {
  const names = numbered(10_000, (index) => index);
  const context = {
    fields: Object.fromEntries(Object.keys(names).map((name) => [`a[].${name}`, named(`schema:${name}`)])),
    constraints: {
      a: { type: 'array' },
      'a[]': { type: 'object' },
      ...Object.fromEntries(Object.keys(names).map((name) => [`a[].${name}`, { type: 'integer' }])),
    },
  };

  it('is read', async () => {
    expect(JSON.stringify(toShacl(context))).toContain('schema.org/p9999');
    const document = toJsonLd(messageOf({ a: [{ p0: 1, p9999: 2 }] }, context));
    expect(JSON.stringify(await expand(document))).toContain('schema.org/p9999');
  });

  it('is used for judging, or refused as too much', () => {
    const judge = shapeJudge(context);
    const verdict = () => {
      try {
        return judge({ a: [{ p0: 1, p9999: 'x' }] }).findings;
      } catch (error) {
        return isCharterError(error, 'input_unreadable') ? error.details.reason : error;
      }
    };
    const found = [{ path: '/a/0/p9999', message: expect.stringContaining('datatype') }];
    expect([found, 'it takes too long to validate']).toContainEqual(verdict());
  });
});

/** So many characters beyond U+FFFF. */
const many = (count: number) =>
  String.fromCodePoint(...Array.from({ length: count }, (_, at) => 0x10000 + at));

describe('A payload that cannot be judged', () => {
  const refusal = expect.objectContaining({ code: 'input_unreadable' });

  test('is refused with an array of more than 1,000 elements', async () => {
    const long = conformsTo({ payload: { a: Array.from({ length: 1_001 }, () => 1) }, context: {} });
    await expect(long).rejects.toThrow(/at "\/a" is not read: it is too long.*accepted: 1000 elements/);
  });

  test('is refused when its pattern takes too long', () => {
    const pattern = '^[a-z]*[a-z]*[a-z]*[a-z]*1$';
    const judge = shapeJudge({ constraints: { a: { type: 'string', pattern } } });
    expect(() => judge({ a: 'a'.repeat(100_000) })).toThrow(refusal);
    expect(judge({ a: 'abc1' }).conforms).toBe(true);
  });

  test('is refused with too many characters beyond U+FFFF', () => {
    const judge = shapeJudge({ constraints: { a: { type: 'string', minLength: 6_400, maxLength: 6_400 } } });
    expect(judge({ a: many(6_400) }).conforms).toBe(true);
    expect(judge({ a: many(6_399) }).conforms).toBe(false);
    expect(() => judge({ a: many(6_401) })).toThrow(refusal);
  });

  test('is refused when it is no object', async () => {
    for (const payload of [null, 1, 'x', [], new Map()])
      await expect(conformsTo({ payload, context: {} })).rejects.toThrow(/payload/);
  });
});

describe('A remote reference', () => {
  test('in a payload, a message or a context is never fetched', async () => {
    const url = 'https://example.org/context';
    const hostile = { '@context': url, '@import': url, '@id': url, a: { '@context': [url] } };
    const message = { ...messageOf(hostile, { ...hostile, schema: url }), ...hostile };
    const document = toJsonLd(message);
    expect(JSON.stringify(await expand(document))).toContain(url);
  });

  test('in a schema is never fetched', () => {
    const context = deriveContext({
      $id: 'https://example.org/schema.json',
      properties: { a: { type: 'string' } },
    });
    expect(shapeJudge(context)({ a: 1 }).conforms).toBe(false);
  });
});
