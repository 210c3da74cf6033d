import { toJsonLd } from 'agentcharter/semantics';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../schema/formats.ts';
import { messageOf } from './messages.ts';
import { toNQuads } from './processor.ts';

const termsOf = (payload: JsonObject, context?: JsonObject): JsonObject => {
  const { payload: term } = toJsonLd(messageOf(payload, context))['@context'] as { payload: JsonObject };
  return (term['@context'] as JsonObject[])[1] ?? {};
};

const property = (...concepts: string[]): JsonObject => ({ description: 'x', concepts });

const iriOf = (fields: JsonObject, payload: JsonObject = { a: 'x' }): unknown =>
  (termsOf(payload, { fields, prefixes: { own: 'https://example.org/#' } })['a'] as JsonObject)['@id'];

describe('The IRI of a member in RDF', () => {
  const itself = expect.stringMatching(/^urn:agentcharter:context:[0-9a-f]{32}#a$/);

  it.each<[string, unknown, JsonObject]>([
    ['its predicate', 'https://example.org/#rate', { a: { description: 'x', predicate: 'own:rate' } }],
    [
      'its predicate before its concept',
      'https://schema.org/name',
      { a: { ...property('schema:email'), predicate: 'schema:name' } },
    ],
    ['its only formal concept', 'https://schema.org/email', { a: property('tag', 'schema:email') }],
    [
      'the concept of its elements',
      'https://schema.org/email',
      { 'a[]': property('http://schema.org/email') },
    ],
    ['the member itself if its concept is a class', itself, { a: property('schema:Person') }],
    ['the member itself if it has two concepts', itself, { a: property('schema:email', 'schema:name') }],
    [
      'the member itself if a sibling has the same concept',
      itself,
      { a: property('schema:email'), b: property('schema:email') },
    ],
    [
      'the member itself if a sibling has the concept as its predicate',
      itself,
      { a: property('schema:email'), b: { description: 'x', predicate: 'schema:email' } },
    ],
    [
      'the member itself if its prefix is unknown',
      itself,
      { a: { description: 'x', predicate: 'shcema:email' } },
    ],
    [
      'the member itself if its name is a wildcard',
      itself,
      { '*': { description: 'x', predicate: 'schema:email' } },
    ],
  ])('is %s', (_, iri, fields) => {
    expect(iriOf(fields)).toEqual(iri);
  });

  it('is in the payload’s own namespace when the message has no context', () => {
    expect(termsOf({ 'a b': { 'c/d': 1 } })).toEqual({
      'a b': {
        '@id': 'urn:agentcharter:payload#a%20b',
        '@context': [null, { 'c%2fd': { '@id': 'urn:agentcharter:payload#a%20b/c%2Fd' } }],
      },
    });
  });
});

describe('A message as JSON-LD', () => {
  it('keeps the payload’s shape, and types its objects', () => {
    const fields = {
      $: property('schema:ItemList'),
      'people[]': property('schema:Person', 'schema:email', 'engineer'),
    };
    const { payload, upContext } = toJsonLd(
      messageOf({ people: [{ n: 1 }, null] }, { fields, concepts: ['schema:Person', 'x'] }),
    );
    const context = (upContext as JsonObject)['@id'];
    expect(payload).toEqual({
      '@type': [context, 'https://schema.org/ItemList'],
      people: [
        { '@type': 'https://schema.org/Person', n: 1 },
        { '@type': '@json', '@value': null },
      ],
    });
    expect(upContext).toEqual({
      '@id': context,
      fields,
      concepts: [{ '@id': 'https://schema.org/Person' }, 'x'],
    });
  });

  it('is a node with the coordination fields, reasoning included', async () => {
    const message = {
      ...messageOf({}),
      parentMessageId: '01890A5D-AC96-774B-BCCE-B302099A8059',
      agentId: 'recommender',
      upThought: { confidence: 0.45, questions: ['where?'] },
    };
    const quads = await toNQuads(toJsonLd(message));
    const up = 'urn:agentcharter:upformat';
    expect(quads).toContain(`<${up}#parentMessageId> <urn:uuid:01890a5d-ac96-774b-bcce-b302099a8059> .`);
    expect(quads).toContain(`<${up}#state> <${up}:completed> .`);
    expect(quads).toContain(`<${up}#agentId> "recommender" .`);
    expect(quads).toContain(
      `<${up}#upThought/confidence> "4.5E-1"^^<http://www.w3.org/2001/XMLSchema#double> .`,
    );
  });

  it('keeps numbers exactly', async () => {
    const numbers = [0.1 + 0.2, 1e-7, 1e21, 5e-324, 1e-7 / 3, -1.0000000000000002, 85, -0.5];
    const quads = await toNQuads(toJsonLd(messageOf({ numbers })));
    const texts = [
      ...quads.matchAll(/"([^"]+)"\^\^<http:\/\/www.w3.org\/2001\/XMLSchema#(?:integer|double|decimal)>/g),
    ];
    expect(texts.map(([, text]) => Number(text))).toEqual(expect.arrayContaining(numbers));
    expect(texts).toHaveLength(numbers.length);
  });

  it.each([
    null,
    'x',
    {},
    messageOf([] as unknown as JsonObject),
    { ...messageOf({}), messageId: 'urn:uuid:1' },
  ])('accepts only an UpFormat message: %j', (message) => {
    expect(() => toJsonLd(message)).toThrow(expect.objectContaining({ code: 'document_invalid' }));
  });
});
