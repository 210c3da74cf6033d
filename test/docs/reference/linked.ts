import { toJsonLd, toShacl } from 'agentcharter/semantics';
import { shapeJudge } from 'agentcharter/semantics/shacl';
import type { JsonObject } from '../../../schema/formats.ts';
import { toNQuads } from '../../src/optional/semantics/linked/processor.ts';
import { code, codes, list, page } from './markdown.ts';

const field = (description: string, ...concepts: string[]): JsonObject => ({ description, concepts });

/** The paper's freelancer candidates (UpFormat 2.4, 3), with its three concepts. */
export const context: JsonObject = {
  entity: 'ranked freelancers',
  fields: {
    'candidates[]': field('a freelancer', 'schema:Person', 'wikidata:Q5'),
    'candidates[].name': { description: 'full name', predicate: 'schema:name' },
    'candidates[].email': field('contact address', 'schema:email'),
    'candidates[].score': 'how well they fit, 0 to 1',
  },
  concepts: ['schema:Person', 'wikidata:Q5', 'software_engineer'],
  constraints: {
    candidates: { type: 'array', minItems: 1, required: true },
    'candidates[]': { type: 'object' },
    'candidates[].name': { type: 'string', minLength: 1, required: true },
    'candidates[].email': { type: 'string', format: 'email', required: true },
    'candidates[].score': { type: 'number', minimum: 0, maximum: 1 },
  },
};

const payload = {
  candidates: [
    { name: 'Ada Reyes', email: 'ada@example.org', score: 0.9 },
    { name: 'Bo Lindqvist', email: 'bo@example.org' },
  ],
};

const broken = { candidates: [{ name: '', email: 'ada@example.org', score: 1.5 }, { name: 'Bo Lindqvist' }] };

const message = {
  messageId: '0199a0f4-5c1e-7d1a-9a51-5e2b7c0d4f10',
  threadId: '0199a0f4-5c1e-7d1a-9a51-5e2b7c0d4f11',
  timestamp: '2025-11-03T09:30:00Z',
  state: 'completed',
  payload,
  explanation: 'Two fit; Ada knows the domain.',
};

/** JSON whose objects and arrays are on one line if they fit into it. */
const compact = (value: unknown, indent = ''): string => {
  const line = JSON.stringify(value);
  if (indent.length + line.length <= 110 || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Array.isArray(value)
    ? value.map((item) => compact(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${compact(item, inner)}`);
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
};
const json = (value: unknown): string => `${compact(value)}\n`;

const spelling = 'urn:agentcharter:upformat:spelling';

/** The paper's example as linked data, and what becomes of what: the page, and the files beside it. */
export async function linkedPages() {
  const document = toJsonLd({ ...message, upContext: context });
  const { unsaid, '@context': _, ...shapes } = toShacl(context);
  const quads = (await toNQuads(document))
    .split('\n')
    .filter((quad) => !quad.includes('#upContext') && !quad.includes(spelling))
    .join('\n');
  const { '@context': terms, upContext: _context, [spelling]: _spelling, ...rest } = document;
  const { payload: scoped } = terms as JsonObject;
  const judge = shapeJudge(context);
  const { findings } = judge(broken);
  return {
    'linked/context.json': json(context),
    'linked/message.jsonld': json({ '@context': { payload: scoped }, ...rest }),
    'linked/message.nq': `${quads.trimEnd()}\n`,
    'linked/shapes.jsonld': json(shapes),
    'linked.md': page(
      'Linked data',
      'See what `toJsonLd` and `toShacl` return for the candidates of UpFormat 2.4, which carry [this context](linked/context.json). Every document contains its context; nothing is fetched. [The API](../api/semantics.md#tojsonld) says what becomes of what.',
      '## The message',
      '[As JSON-LD](linked/message.jsonld), without its `upContext`, its spelling, and the terms of the coordination layer. [As RDF](linked/message.nq), as the `jsonld` library prints it, without the context and the spelling.',
      '## Its constraints as SHACL',
      '[The shapes](linked/shapes.jsonld).',
      `Not expressed, and listed under \`unsaid\`: ${Object.entries(unsaid as Record<string, string[]>)
        .map(([path, keywords]) => `${codes(keywords)} of ${code(path)}`)
        .join('; ')}.`,
      '## What the shapes find',
      `Of ${code(JSON.stringify(broken))}, judged by \`rdf-validate-shacl\`:`,
      list(findings.map(({ path, message }) => [code(path), message])),
    ),
  } as const;
}
