import { isDeepStrictEqual } from 'node:util';
import { shownName } from '../../../base/text/foreign-text.ts';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { frozenCopy } from '../../../base/canonical/freeze.ts';
import type { JsonObject } from '../../../../schema/formats.ts';
import { UpFormatMessage } from '../../../../schema/upformat/message.ts';
import { expandOffline } from './expand.ts';
import { graphOf, type GraphNode, type LiteralValue, type Value } from './graph.ts';
import { linksOf, type Links } from './links.ts';
import {
  byName,
  messageClass,
  Spelling,
  spellingIri,
  statePrefix,
  term,
  uuidPrefix,
} from './message-terms.ts';
import { GraphReader, onlyOf, type Reading } from './read-graph.ts';
import { refuseLinked } from './refuse-linked.ts';
import { contextless, namespaces, upformat } from './vocabulary.ts';

/** The contexts that a document may name by URL. */
export interface FromJsonLdOptions {
  /** The documents of contexts, each with a member `@context`, by the exact URL. Nothing is fetched. */
  readonly contexts?: Readonly<Record<string, unknown>>;
}

const coordination = ['threadId', 'parentMessageId', 'timestamp', 'state', 'payload', 'upContext'] as const;
type Coordination = (typeof coordination)[number];

/** The members of a message, apart: those with a reading of their own, and the others. */
interface Parts {
  readonly known: Readonly<Partial<Record<Coordination, Value>>>;
  readonly spelling: Spelling;
  readonly rest: JsonObject;
}

/** Returns the only node of the class of messages. */
function messageNode(nodes: readonly GraphNode[]): GraphNode {
  const [only, ...more] = nodes.filter(({ types }) => types.has(messageClass));
  if (only === undefined || more.length > 0)
    throw refuseLinked([], `expected one node of type ${messageClass}, not ${more.length + (only ? 1 : 0)}`);
  const [other] = [...only.types].filter((type) => type !== messageClass);
  if (other !== undefined) throw refuseLinked([], `expected no type beside it; found ${shownName(other)}`);
  return only;
}

const { rdf, xsd } = namespaces;

/** Returns a literal of one of these datatypes; `undefined` for any other value. */
const literalIn = (value: Value, ...datatypes: (string | undefined)[]): LiteralValue | undefined =>
  value.kind === 'literal' && datatypes.includes(value.datatype) ? value : undefined;

function readSpelling(value: Value): Spelling {
  const json = literalIn(value, `${rdf}JSON`);
  if (json === undefined) throw refuseLinked([], `expected JSON as ${spellingIri}`);
  return parseDocument(spellingIri, Spelling, json.value);
}

/** Sorts the properties of a message. */
function partsOf(node: GraphNode, reader: GraphReader): Parts {
  const known: Partial<Record<Coordination, Value>> = {};
  let spelling: Spelling = {};
  const rest: [string, unknown][] = [];
  const reading = byName(upformat);
  for (const [iri, values] of node.properties) {
    const own = coordination.find((name) => term(name) === iri);
    if (own !== undefined) known[own] = onlyOf(values, [own]);
    else if (iri === spellingIri) spelling = readSpelling(onlyOf(values, []));
    else {
      const name = reader.nameOf(iri, reading, undefined, [], []);
      if (name === 'messageId') throw refuseLinked([name], 'expected the identifier of the node instead');
      rest.push([name, reader.valueOf(onlyOf(values, [name]), reading, undefined, [name], [name])]);
    }
  }
  return { known, spelling, rest: Object.fromEntries(rest) };
}

/** Returns the text after the prefix of a node's IRI. */
function idOf(value: Value, prefix: string, name: string): string {
  if (value.kind === 'node' && value.iri?.startsWith(prefix) === true) return value.iri.slice(prefix.length);
  throw refuseLinked([name], `expected a node ${prefix}…`);
}

function uuidOf(
  value: Value,
  name: 'messageId' | 'threadId' | 'parentMessageId',
  spelling: Spelling,
): string {
  const id = idOf(value, uuidPrefix, name);
  const spelt = spelling[name] ?? id;
  if (spelt.toLowerCase() !== id.toLowerCase())
    throw refuseLinked([name], `expected the same identifier in ${spellingIri}`);
  return spelt;
}

function timestampOf(value: Value): unknown {
  const instant = literalIn(value, `${xsd}dateTime`);
  if (instant === undefined) throw refuseLinked(['timestamp'], 'expected an xsd:dateTime');
  return instant.value;
}

/** Returns a member of the context: a text, or JSON. */
function contextMember(value: Value, name: string): unknown {
  const json = literalIn(value, `${rdf}JSON`);
  if (json !== undefined) return json.value;
  const text = literalIn(value, undefined, `${xsd}string`)?.value;
  if (typeof text !== 'string')
    throw refuseLinked(['upContext', name], 'expected a text, or JSON of type @json');
  return text;
}

/** Checks that the tags of a context are the same as links and as texts. */
function checkTags(found: readonly Value[], tags: Links['tags']): void {
  const links = found.map((value) =>
    value.kind === 'node' ? { '@id': value.iri } : value.kind === 'literal' && value.value,
  );
  const expected = new Set(
    tags.map(({ tag, iri }) => JSON.stringify(iri === undefined ? tag : { '@id': iri })),
  );
  if (!isDeepStrictEqual(new Set(links.map((link) => JSON.stringify(link))), expected))
    throw refuseLinked(['upContext', 'concepts'], `expected the tags that ${spellingIri} has as concepts`);
}

/** Returns the context and what it says about the payload. */
function contextIn(
  value: Value,
  spelling: Spelling,
  reader: GraphReader,
): { links: Links; context: JsonObject } {
  const at = ['upContext'];
  if (value.kind !== 'node' || value.types.size > 0) throw refuseLinked(at, 'expected a node without a type');
  reader.take(value, at);
  const members: [string, unknown][] = [];
  let tags: readonly Value[] = [];
  for (const [iri, values] of value.properties) {
    const name = reader.nameOf(iri, byName(upformat), undefined, at, at);
    if (name === 'concepts') tags = [...values.values()];
    else members.push([name, contextMember(onlyOf(values, [...at, name]), name)]);
  }
  const { concepts } = spelling;
  const given = { ...Object.fromEntries(members), ...(concepts && { concepts }) };
  const context = frozenCopy(given, 'upContext') as JsonObject; // the copy of an object
  const links = linksOf(context);
  checkTags(tags, links.tags);
  if (value.iri !== links.iri)
    throw refuseLinked(at, `expected the identifier ${links.iri}, the digest of the context`);
  return { links, context };
}

/**
 * Reads an UpFormat message from JSON-LD 1.1 that says the same as `toJsonLd`, in any form: with other terms or
 * prefixes, expanded, flattened or as a graph. `fromJsonLd(toJsonLd(message))` equals the message. UpFormat 2.4.
 *
 * The peer `jsonld` expands the document in a thread of its own: `npm install jsonld`. Nothing is fetched: a context
 * is part of the document, or one of `contexts`. Each property must be one of the message or its `upContext`, with
 * one value; arrays are lists. Nothing is skipped.
 *
 * Rejects with `not_found` for an unknown context, `document_invalid` if the document says anything else,
 * `input_unreadable` over a limit, and `definition_invalid` without the peer.
 */
export async function fromJsonLd(
  document: unknown,
  { contexts = {} }: FromJsonLdOptions = {},
): Promise<UpFormatMessage> {
  const nodes = graphOf(await expandOffline(document, contexts));
  const reader = new GraphReader(nodes);
  const node = reader.take(messageNode(nodes), []);
  const { known, spelling, rest } = partsOf(node, reader);
  const { threadId, parentMessageId, timestamp, state, payload, upContext } = known;
  const described = upContext && contextIn(upContext, spelling, reader);
  if (described === undefined && spelling.concepts !== undefined)
    throw refuseLinked(['upContext'], `expected a context for the concepts of ${spellingIri}`);
  const reading: Reading = described?.links ?? byName(contextless);
  const message = {
    messageId: uuidOf(node, 'messageId', spelling),
    ...(threadId && { threadId: uuidOf(threadId, 'threadId', spelling) }),
    ...(parentMessageId && { parentMessageId: uuidOf(parentMessageId, 'parentMessageId', spelling) }),
    ...(timestamp && { timestamp: timestampOf(timestamp) }),
    ...(state && { state: idOf(state, statePrefix, 'state') }),
    ...rest,
    ...(payload && { payload: reader.valueOf(payload, reading, described?.links.root, [], ['payload']) }),
    ...(described && { upContext: described.context }),
  };
  reader.checkAllTaken();
  return parseDocument('message', UpFormatMessage, frozenCopy(message, 'message'));
}
