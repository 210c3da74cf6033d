import { deriveContext, toJsonLd, toShacl } from 'agentcharter/semantics';
import { shapeJudge } from 'agentcharter/semantics/shacl';
import * as fc from 'fast-check';
import SHACLValidator from 'rdf-validate-shacl';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../schema/formats.ts';
import { runs } from '../../../../machines/generated.ts';
import { objectsFor, sayable } from './described.ts';
import { messageOf } from './messages.ts';
import { compact, expand, fromNQuads, toNQuads, treeOf } from './processor.ts';
import { datasetOf } from './quads.ts';

const root = '<urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057>';

/** What the engine says of the two documents, read by jsonld and by nothing of ours. */
const verdictOf = async (message: JsonObject, context: JsonObject): Promise<boolean> => {
  const [shapes, graph] = await Promise.all([toShacl(context), toJsonLd(message)].map(toNQuads));
  const validator = new SHACLValidator(datasetOf(shapes ?? ''), { allowNamedNodeInList: true });
  return (await validator.validate(datasetOf(graph ?? ''))).conforms;
};

/** The characters that this engine counts as SHACL does. */
const isPlain = (value: unknown): boolean => !/[\ud800-\uf8ff]/.test(JSON.stringify(value));

const terms = [
  'schema:email',
  'schema:name',
  'schema:Person',
  'wikidata:Q5',
  'engineer',
  'own:rate',
  'own:Rate',
];

/** The same schema, with terms here and there; no two members of an object are one property. */
const tagged = (schema: JsonObject, seed: number): JsonObject => {
  let next = seed;
  const tag = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(tag);
    if (typeof value !== 'object' || value === null) return value;
    const { properties, items, ...rest } = value as JsonObject;
    next = (next * 31 + 7) % 9973;
    return {
      ...rest,
      ...(next % 3 > 0 && { concepts: terms.filter((_, index) => (next >> index) % 2 === 1) }),
      ...(items !== undefined && { items: tag(items) }),
      ...(properties !== undefined && {
        properties: Object.fromEntries(
          Object.entries(properties as JsonObject).map(([name, each], index) => [
            name,
            { ...(tag(each) as JsonObject), ...((next + index) % 3 === 0 && { predicate: `own:p${index}` }) },
          ]),
        ),
      }),
    };
  };
  return tag(schema) as JsonObject;
};

/** The document, or undefined where the elements of one array give a member two predicates: refused.test.ts. */
const linkedOf = (message: JsonObject): JsonObject | undefined => {
  try {
    return toJsonLd(message);
  } catch (error) {
    if (/two meanings/.test(String(error))) return undefined;
    throw error;
  }
};

describe('The RDF of a payload and its context, read by other libraries', () => {
  const described = sayable.chain((schema) => fc.tuple(fc.constant(schema), fc.nat(), objectsFor(schema)));
  const prefixes = { own: 'https://example.org/terms#' };

  it('gives the same verdict', async () => {
    const seen = { taken: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(described, async ([schema, seed, payload]) => {
        fc.pre(isPlain([schema, payload]));
        const context = deriveContext(tagged(schema, seed), { prefixes });
        const { conforms } = shapeJudge(context)(payload);
        seen[conforms ? 'taken' : 'refused'] += 1;
        expect(await verdictOf(messageOf(payload, context), context)).toBe(conforms);
      }),
      runs(20),
    );
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(1);
  });

  it('survives the jsonld library, with all terms and types', async () => {
    const seen = { predicates: 0, types: 0 };
    await fc.assert(
      fc.asyncProperty(described, async ([schema, seed, payload]) => {
        const context = deriveContext(tagged(schema, seed), { prefixes });
        const document = linkedOf(messageOf(payload, context));
        if (document === undefined) return;
        seen.predicates += JSON.stringify(document['@context']).includes('example.org/terms#p') ? 1 : 0;
        seen.types += JSON.stringify(document['payload']).includes('schema.org/Person') ? 1 : 0;
        const expanded = await expand(document);
        expect(await compact(expanded, document['@context'])).toEqual(document);
        const quads = await toNQuads(expanded);
        expect(treeOf(await toNQuads(await fromNQuads(quads)), root)).toEqual(treeOf(quads, root));
      }),
      runs(150),
    );
    expect(Math.min(seen.predicates, seen.types)).toBeGreaterThan(20);
  });
});
