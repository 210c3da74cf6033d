import { fromJsonLd, toJsonLd } from 'agentcharter/semantics';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../schema/formats.ts';
import { messageOf } from './messages.ts';
import { expand } from './processor.ts';

const up = 'urn:agentcharter:upformat#';
const xsd = 'http://www.w3.org/2001/XMLSchema#';
const id = 'urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057';

const message = messageOf(
  { name: 'Ada', scores: [1, 2] },
  { fields: { name: { description: 'x', predicate: 'schema:name' } }, concepts: ['schema:Person', 'x'] },
);
const document = toJsonLd(message);
const terms = document['@context'] as JsonObject;
const plain = toJsonLd(messageOf({ a: 1 }));

/** The message without a context of its payload, in expanded form, and with other members. */
const expanded = async (members: JsonObject): Promise<JsonObject> => ({
  ...((await expand(plain)) as JsonObject[])[0],
  ...members,
});

/** The payload `{ a: … }` in expanded form. */
const payload = (value: unknown): JsonObject => ({
  [`${up}payload`]: [{ 'urn:agentcharter:payload#a': [value] }],
});

const typed = (value: unknown, type: string) => ({ '@value': value, '@type': type });

const refusal = (code: string, text: RegExp) =>
  expect.objectContaining({ name: 'CharterError', code, message: expect.stringMatching(text) }) as unknown;

describe('A context by URL', () => {
  const url = 'https://example.org/context';

  it.each<[string, JsonObject]>([
    ['alone', { ...document, '@context': url }],
    ['in a list', { ...document, '@context': [terms, url] }],
    ['inside a node', { ...document, payload: { '@context': url } }],
    ['by @import', { ...document, '@context': { ...terms, '@import': url } }],
    [
      'scoped to a term',
      { ...document, '@context': { ...terms, explanation: { '@id': 'urn:x', '@context': url } } },
    ],
  ])('is refused by name and never fetched: %s', async (_, hostile) => {
    const known = { 'https://example.org/contexts': { '@context': {} } };
    await expect(fromJsonLd(hostile, { contexts: known })).rejects.toThrow(
      expect.objectContaining({
        code: 'not_found',
        message:
          'JSON-LD context "https://example.org/context" is not known, and nothing is fetched; accepted: "https://example.org/contexts". Did you mean "https://example.org/contexts"? Pass its document as contexts["https://example.org/context"], or send the context inside the document',
        details: { kind: 'JSON-LD context', id: url, known: Object.keys(known) },
      }),
    );
  });

  it('is read if it is known', async () => {
    const contexts = { [url]: { '@context': terms } };
    expect(await fromJsonLd({ ...document, '@context': url }, { contexts })).toEqual(message);
  });

  it('is refused if its document has no @context, or is a name of Object', async () => {
    await expect(fromJsonLd(document, { contexts: { [url]: terms } })).rejects.toThrow(
      refusal('document_invalid', /must be a document with the member "@context"/),
    );
    await expect(fromJsonLd({ ...document, '@context': 'constructor' })).rejects.toThrow(
      refusal('not_found', /"constructor" is not known/),
    );
  });

  it('that imports itself has an end', async () => {
    const contexts = { [url]: { '@context': [url, terms] } };
    await expect(fromJsonLd({ ...document, '@context': url }, { contexts })).rejects.toThrow(
      refusal('document_invalid', /jsonld says/),
    );
  });
});

describe('A context that redefines a term', () => {
  it('is refused: the property is none of a message', async () => {
    const state = { '@id': 'https://evil.example/state', '@type': '@id' };
    await expect(fromJsonLd({ ...document, '@context': { ...terms, state } })).rejects.toThrow(
      refusal('document_invalid', /"https:\/\/evil.example\/state" is none/),
    );
  });

  it('is refused if the term is protected', async () => {
    const state = { '@id': 'https://evil.example/state' };
    const context = [{ ...terms, '@protected': true }, { state }];
    await expect(fromJsonLd({ ...document, '@context': context })).rejects.toThrow(
      refusal('document_invalid', /redefine a protected term/),
    );
  });

  it('is read as it says if it swaps two terms', async () => {
    const swapped = {
      ...plain,
      '@context': {
        ...(plain['@context'] as JsonObject),
        agentId: `${up}explanation`,
        explanation: `${up}agentId`,
      },
    };
    const read = await fromJsonLd({ ...swapped, agentId: 'Three fit.', explanation: 'ada' });
    expect(read).toEqual({ ...messageOf({ a: 1 }), agentId: 'ada' });
  });

  it('is refused if it leaves a member without a meaning', async () => {
    await expect(fromJsonLd({ ...document, clearance: 'all' })).rejects.toThrow(
      refusal('document_invalid', /jsonld says .*clearance/),
    );
  });
});

describe('A field with several values', () => {
  const state = { '@id': 'urn:agentcharter:upformat:failed' };

  it.each<[string, JsonObject, RegExp]>([
    [
      'a state',
      { [`${up}state`]: [{ '@id': 'urn:agentcharter:upformat:completed' }, state] },
      /"\/state": expected one value, not 2/,
    ],
    ['an extension', { [`${up}x`]: [{ '@value': 1 }, { '@value': 2 }] }, /"\/x": expected one value, not 2/],
    ['a payload', { [`${up}payload`]: [{}, {}] }, /"\/payload": expected one value, not 2/],
    [
      'a member of the payload',
      { [`${up}payload`]: [{ 'urn:agentcharter:payload#a': [{ '@value': 1 }, { '@value': '1' }] }] },
      /"\/payload\/a": expected one value, not 2; an array must be a @list/,
    ],
    [
      'an identifier',
      { [`${up}messageId`]: [{ '@value': 'x' }] },
      /"\/messageId": expected the identifier of the node/,
    ],
    [
      'a type',
      { '@type': ['urn:agentcharter:upformat:Message', 'urn:x'] },
      /expected no type beside it; found "urn:x"/,
    ],
  ])('is refused: %s', async (_, members, text) => {
    await expect(fromJsonLd(await expanded(members))).rejects.toThrow(refusal('document_invalid', text));
  });

  it('is read if the values are equal, as in RDF', async () => {
    const explanation = [{ '@value': 'Three fit.' }, { '@value': 'Three fit.' }];
    const read = await fromJsonLd(await expanded({ [`${up}explanation`]: explanation }));
    expect(read).toEqual(messageOf({ a: 1 }));
  });
});

describe('Another node', () => {
  const claim = { [`${up}agentId`]: [{ '@value': 'admin' }] };

  it.each<[string, (own: JsonObject) => unknown, RegExp]>([
    [
      'beside the message',
      (own) => [
        { ...own, ...claim },
        { '@id': 'urn:x', [`${up}agentId`]: 'other' },
      ],
      /does not hold node "urn:x"/,
    ],
    ['without an identifier', (own) => [own, claim], /does not hold a blank node/],
    [
      'that is included',
      (own) => ({ ...own, '@included': [{ '@id': 'urn:x', ...claim }] }),
      /does not hold node "urn:x"/,
    ],
    [
      'behind a thread',
      (own) => ({ ...own, [`${up}threadId`]: { '@id': 'urn:uuid:1', ...claim } }),
      /does not hold node "urn:uuid:1"/,
    ],
    [
      'that points at the message',
      (own) => ({ ...own, '@reverse': { 'urn:says': [{ '@id': 'urn:x' }] } }),
      /does not hold node "urn:x"/,
    ],
    [
      'in a graph of its own',
      (own) => [own, { '@id': 'urn:x', '@graph': [{ '@id': id, ...claim }] }],
      /one graph without a name/,
    ],
    [
      'of the same identifier',
      (own) => [
        { ...own, [`${up}agentId`]: 'ada' },
        { '@id': id, ...claim },
      ],
      /"\/agentId": expected one value, not 2/,
    ],
    [
      'that is a second message',
      (own) => [own, { ...own, '@id': 'urn:uuid:2' }],
      /expected one node of type urn:agentcharter:upformat:Message, not 2/,
    ],
  ])('is refused: %s', async (_, hostile, text) => {
    await expect(fromJsonLd(hostile(await expanded({})))).rejects.toThrow(refusal('document_invalid', text));
  });

  it.each<[string, unknown]>([
    ['shared', { '@list': [{ '@id': '_:b' }, { '@id': '_:b' }] }],
    ['circular', { '@id': '_:b', 'urn:agentcharter:payload#a/a': [{ '@id': '_:b' }] }],
  ])('is refused in a payload if it is %s', async (_, value) => {
    await expect(fromJsonLd(await expanded(payload(value)))).rejects.toThrow(
      refusal('document_invalid', /expected a node of its own, not that of/),
    );
  });
});

describe('The context of a payload', () => {
  const upContext = document['upContext'] as JsonObject;
  const iri = String(upContext['@id']);

  it.each<[string, JsonObject, RegExp]>([
    [
      'edited',
      { upContext: { ...upContext, fields: {} } },
      /"\/upContext": expected the identifier urn:agentcharter:context:/,
    ],
    ['missing', { upContext: undefined }, /"\/upContext": expected a context for the concepts/],
    [
      'without its spelling',
      { 'urn:agentcharter:upformat:spelling': undefined },
      /"\/upContext\/concepts": expected the tags/,
    ],
    [
      'with one more tag',
      { upContext: { ...upContext, concepts: ['x', 'y', { '@id': 'https://schema.org/Person' }] } },
      /"\/upContext\/concepts": expected the tags/,
    ],
    ['of a class', { upContext: { ...upContext, '@type': 'urn:x' } }, /expected a node without a type/],
  ])('is refused if it is %s', async (_, members, text) => {
    const hostile = JSON.parse(JSON.stringify({ ...document, ...members })) as unknown;
    await expect(fromJsonLd(hostile)).rejects.toThrow(refusal('document_invalid', text));
  });

  it('is the only source of properties and types', async () => {
    const [own = {}] = (await expand(document)) as JsonObject[];
    const withPayload = (node: JsonObject) => fromJsonLd({ ...own, [`${up}payload`]: [node] });
    await expect(withPayload({ [`${iri}#name`]: 'Ada' })).rejects.toThrow(/#name" is none/);
    await expect(withPayload({ 'https://schema.org/email': 'x' })).rejects.toThrow(/email" is none/);
    await expect(withPayload({ '@type': 'https://schema.org/Person' })).rejects.toThrow(/Person" is none/);
    expect((await withPayload({ 'https://schema.org/name': 'Ada' })).payload).toEqual({ name: 'Ada' });
  });

  it('is refused with another spelling of an identifier', async () => {
    const spelling = { '@type': '@json', '@value': { messageId: '01890A5D-0000-774b-bcce-b302099a8057' } };
    await expect(fromJsonLd({ ...plain, 'urn:agentcharter:upformat:spelling': spelling })).rejects.toThrow(
      refusal('document_invalid', /"\/messageId": expected the same identifier/),
    );
  });
});

describe('A value', () => {
  it.each<[unknown, unknown]>([
    [typed('85', `${xsd}integer`), 85],
    [typed('+085', `${xsd}integer`), 85],
    [typed('-0', `${xsd}integer`), 0],
    [typed('0.50', `${xsd}decimal`), 0.5],
    [typed('100.0', `${xsd}decimal`), 100],
    [typed('8.5E1', `${xsd}double`), 85],
    [typed(2, `${xsd}double`), 2],
    [typed('1', `${xsd}boolean`), true],
    [typed('x', `${xsd}string`), 'x'],
    [typed(null, '@json'), null],
    [typed('null', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON'), null],
    [{ '@id': 'http://www.w3.org/1999/02/22-rdf-syntax-ns#nil' }, []],
    [{ '@value': 'x', '@index': 'i' }, 'x'],
  ])('is read: %j', async (value, expected) => {
    expect((await fromJsonLd(await expanded(payload(value)))).payload).toEqual({ a: expected });
  });

  it.each<[unknown, RegExp]>([
    [{ '@value': 'x', '@language': 'en' }, /without a language/],
    [typed('2025-01-01', `${xsd}date`), /"\/payload\/a": expected a string, boolean, integer.*#date"/],
    [typed('INF', `${xsd}double`), /expected a number in the form of/],
    [typed('1e999', `${xsd}double`), /JSON holds exactly/],
    [typed('0.12345678901234567890', `${xsd}decimal`), /JSON holds exactly/],
    [typed('9007199254740993', `${xsd}integer`), /JSON holds exactly/],
    [typed('yes', `${xsd}boolean`), /expected a string, boolean/],
    [typed({ b: 1 }, '@json'), /or null as rdf:JSON/],
    [{ '@id': 'https://example.org/' }, /without an identifier/],
  ])('is refused: %j', async (value, text) => {
    await expect(fromJsonLd(await expanded(payload(value)))).rejects.toThrow(
      refusal('document_invalid', text),
    );
  });

  it('is refused with a number of 100,000 digits', async () => {
    const digits = typed('9'.repeat(100_000), `${xsd}integer`);
    await expect(fromJsonLd(await expanded(payload(digits)))).rejects.toThrow(
      refusal('document_invalid', /in the form of/),
    );
  });
});

describe('Malformed input', () => {
  it.each<[string, unknown, string]>([
    ['null', null, 'document_invalid'],
    ['a text', JSON.stringify(plain), 'document_invalid'],
    ['a URL', 'https://example.org/', 'document_invalid'],
    ['an empty list', [], 'document_invalid'],
    ['a Map', new Map(), 'input_unreadable'],
    ['an invalid keyword', { ...plain, '@type': 1 }, 'document_invalid'],
    ['no message', { '@id': 'urn:x', 'urn:y': 1 }, 'document_invalid'],
    ['__proto__', JSON.parse('{"__proto__": {"urn:x": 1}}'), 'input_unreadable'],
    [
      'a property #__proto__',
      { '@id': id, '@type': 'urn:agentcharter:upformat:Message', [`${up}__proto__`]: 1 },
      'input_unreadable',
    ],
    ['constructor', { ...plain, constructor: 'x' }, 'document_invalid'],
    [
      'toString as a term',
      { ...plain, '@context': { toString: 'urn:x' }, toString: 'x' },
      'document_invalid',
    ],
    [
      '5,000 levels',
      Array.from({ length: 5_000 }).reduce<unknown>((inner) => ({ 'urn:x': inner }), {}),
      'input_unreadable',
    ],
    [
      '5,000 arrays',
      Array.from({ length: 5_000 }).reduce<unknown>((inner) => [inner], []),
      'input_unreadable',
    ],
    ['20 MB of text', { ...plain, explanation: 'x'.repeat(20_000_000) }, 'input_unreadable'],
    ['2 MB of text', { ...plain, explanation: 'x'.repeat(2_000_000) }, 'input_unreadable'],
  ])('is refused: %s', async (_, hostile, code) => {
    await expect(fromJsonLd(hostile)).rejects.toThrow(refusal(code, /^(JSON-LD|message)/));
  });

  it('never changes a prototype, and the message is frozen', async () => {
    const read = await fromJsonLd(toJsonLd(messageOf({ constructor: { prototype: { x: 1 } } })));
    expect(read.payload).toEqual({ constructor: { prototype: { x: 1 } } });
    expect(Object.isFrozen(read.payload['constructor'])).toBe(true);
    expect(({} as JsonObject)['x']).toBeUndefined();
  });
});
