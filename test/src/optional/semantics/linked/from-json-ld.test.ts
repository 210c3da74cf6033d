import { deriveContext, fromJsonLd, toJsonLd } from 'agentcharter/semantics';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCharterError } from '../../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../../schema/formats.ts';
import { runs } from '../../../../machines/generated.ts';
import { fitting } from '../../../../schema/arbitraries.ts';
import { objectsFor, sayable } from './described.ts';
import { hostileNames, messageOf, payloads } from './messages.ts';
import { compact, expand, flatten, fromNQuads, toNQuads } from './processor.ts';
import { share } from '../../../../share.ts';

/** The document, or none where the context contradicts itself. */
const written = (message: unknown): JsonObject | undefined => {
  try {
    return toJsonLd(message);
  } catch (error) {
    if (isCharterError(error, 'document_invalid') || isCharterError(error, 'input_unreadable'))
      return undefined;
    throw error;
  }
};

/** What JSON holds: -0 is written as 0. */
const withoutNegativeZero = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Contexts whose tags, texts and members RDF does not keep by itself. */
const contexts: fc.Arbitrary<JsonObject> = fc.record(
  {
    entity: fc.constantFrom('', 'a person', '@id'),
    fields: fc.dictionary(
      fc.constantFrom('a', 'b', 'c', '$', 'a[]', 'a.b', '*', 'constructor'),
      fc.oneof(
        fc.constantFrom<unknown>('words', ''),
        fc.record(
          {
            description: fc.constant('words'),
            predicate: fc.constantFrom('schema:name', 'schema:email', 'own:rate', 'none:x'),
            concepts: fc.array(
              fc.constantFrom('schema:Person', 'schema:email', 'http://schema.org/Thing', 'tag'),
              {
                maxLength: 2,
              },
            ),
          },
          { requiredKeys: ['description'] },
        ),
      ),
      { maxKeys: 4, noNullPrototype: true },
    ),
    concepts: fc.array(fc.constantFrom('schema:Person', 'http://schema.org/Person', 'z', 'a', '@id', ''), {
      maxLength: 4,
    }),
    constraints: payloads,
    schema: fc.oneof(fc.constant('https://example.org/schema.json'), payloads),
    prefixes: fc.constant({ own: 'https://example.org/#' }),
    '@id': fc.constantFrom<unknown>(null, 1, 'x', [], [[]], {}),
    'a:b': fc.constantFrom<unknown>(null, true, 'x'),
    'concepts%json': fc.constant(1),
  },
  { requiredKeys: [], noNullPrototype: true },
);

describe('A message that was written as JSON-LD', () => {
  it.each(hostileNames)('is read with a member %j', async (name) => {
    const message = {
      ...messageOf(
        { [name]: 1, other: { [name]: ['x', null, [], [[1], {}]] } },
        { fields: {}, [name === 'schema' ? 's' : name]: 'x' },
      ),
      [`x-${name}`]: { [name]: [] },
      ...(['', 'urn', 'constructor', '@id', '@type'].includes(name) && { [name]: [null] }),
    };
    expect(await fromJsonLd(toJsonLd(message))).toEqual(message);
  });

  it('is read whatever its payload and its context', async () => {
    const times = share(300, 75);
    const seen = { described: 0, members: 0 };
    await fc.assert(
      fc.asyncProperty(payloads, fc.option(contexts, { nil: undefined }), async (payload, context) => {
        const message = messageOf(payload, context);
        const document = written(message);
        if (document === undefined) return;
        seen.described += context === undefined ? 0 : 1;
        seen.members += JSON.stringify(payload).length;
        expect(await fromJsonLd(document)).toEqual(message);
      }),
      runs(times),
    );
    expect(seen.members).toBeGreaterThan(times * 10);
    expect(seen.described).toBeGreaterThan(times / 5);
  });

  it('is read with every member that a message may have', async () => {
    const times = share(300, 75);
    let read = 0;
    await fc.assert(
      fc.asyncProperty(fitting['upformat-message'], async (message) => {
        const document = written(message);
        if (document === undefined) return;
        read += 1;
        expect(await fromJsonLd(document)).toEqual(withoutNegativeZero(message));
      }),
      runs(times),
    );
    expect(read).toBeGreaterThan((times * 2) / 3);
  });

  it('is read with a context that was derived from its schema', async () => {
    const described = sayable.chain((schema) => fc.tuple(fc.constant(schema), objectsFor(schema)));
    await fc.assert(
      fc.asyncProperty(described, async ([schema, payload]) => {
        const message = messageOf(payload, { ...deriveContext(schema) });
        expect(await fromJsonLd(toJsonLd(message))).toEqual(message);
      }),
      runs(share(100, 30)),
    );
  });

  it('is read in other forms that say the same', async () => {
    await fc.assert(
      fc.asyncProperty(payloads, fc.option(contexts, { nil: undefined }), async (payload, context) => {
        const message = messageOf(payload, context);
        const document = written(message);
        if (document === undefined) return;
        const expanded = await expand(document);
        const forms = [
          expanded,
          { '@graph': expanded },
          await flatten(expanded),
          await compact(expanded, { up: 'urn:agentcharter:upformat#', id: '@id', kind: '@type' }),
          await fromNQuads(await toNQuads(expanded)),
        ];
        for (const form of forms) expect(await fromJsonLd(form)).toEqual(message);
      }),
      runs(share(100, 30)),
    );
  });
});
