import { deriveContext, toJsonLd, toShacl } from 'agentcharter/semantics';
import { conformsTo } from 'agentcharter/semantics/shacl';
import jsonld from 'jsonld';
import { z } from 'zod';

// The recommender's output. Its candidates are people, in terms of two ontologies and of its own.
const candidate = z
  .object({
    name: z.string().min(1).meta({ predicate: 'schema:name' }),
    email: z
      .email()
      .describe('contact address')
      .meta({ concepts: ['schema:email'] }),
    rate: z.number().min(20).max(200).optional().meta({ predicate: 'hiring:rate', unit: 'EUR/h' }),
  })
  .meta({ concepts: ['schema:Person', 'wikidata:Q5'] });
const shortlist = z.object({ candidates: z.array(candidate).min(1) }).meta({ title: 'Ranked freelancers' });
const context = deriveContext(shortlist, {
  concepts: ['software_engineer'],
  prefixes: { hiring: 'https://example.org/hiring#' },
});

const payload = {
  candidates: [
    { name: 'Ada Reyes', email: 'ada@example.org', rate: 85 },
    { name: 'Bo Lindqvist', email: 'bo@example.org' },
  ],
};
const message = {
  messageId: '0199a0f4-5c1e-7d1a-9a51-5e2b7c0d4f10',
  threadId: '0199a0f4-5c1e-7d1a-9a51-5e2b7c0d4f11',
  timestamp: '2025-11-03T09:30:00Z',
  state: 'completed',
  payload,
  explanation: 'Two fit; Ada knows the domain.',
  upContext: context,
};

// The message as JSON-LD: it contains its context, and the payload keeps its shape.
const document = toJsonLd(message);
console.log(JSON.stringify(document['payload'], null, 2));

// The same as RDF. The processor fetches nothing.
const documentLoader = (url: string): never => {
  throw new Error(`fetched ${url}`);
};
const quads = await jsonld.toRDF(document, { format: 'application/n-quads', documentLoader });
for (const line of (quads as unknown as string).split('\n'))
  if (/schema\.org|hiring|wikidata|#state/.test(line) && !line.includes('JSON>')) console.log(line);

// Its constraints as SHACL shapes, applied to payloads.
console.log(`not in the shapes: ${JSON.stringify(toShacl(context)['unsaid'])}`);
const broken = { candidates: [{ name: '', email: 'ada@example.org', rate: '85' }, { name: 'Bo' }] };
for (const given of [payload, broken]) {
  const { conforms, findings } = await conformsTo({ payload: given, context });
  console.log(conforms ? 'conforms' : 'does not conform');
  for (const { path, message } of findings) console.log(`  ${path}: ${message}`);
}
