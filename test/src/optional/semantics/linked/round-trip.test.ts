import { toJsonLd } from 'agentcharter/semantics';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../machines/generated.ts';
import { compact, expand, fromNQuads, toNQuads, treeOf } from './processor.ts';
import { hostileNames, messageOf, payloads } from './messages.ts';

const root = '<urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057>';

describe('A round trip through the jsonld library, without fetching or dropping', () => {
  it.each(hostileNames)('keeps a member %j', async (name) => {
    const document = toJsonLd(messageOf({ [name]: 1, other: { [name]: ['x', null] } }));
    expect(await compact(await expand(document), document['@context'])).toEqual(document);
  });

  it('keeps every payload, and the RDF of the result is the same', async () => {
    let members = 0;
    await fc.assert(
      fc.asyncProperty(payloads, async (payload) => {
        const document = toJsonLd(messageOf(payload));
        const expanded = await expand(document);
        members += JSON.stringify(payload).length;
        expect(await compact(expanded, document['@context'])).toEqual(document);
        const quads = await toNQuads(expanded);
        const again = await toNQuads(await fromNQuads(quads));
        expect(treeOf(again, root)).toEqual(treeOf(quads, root));
      }),
      runs(300),
    );
    expect(members).toBeGreaterThan(3_000);
  });
});
