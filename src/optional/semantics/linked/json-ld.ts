import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { frozenCopy } from '../../../base/canonical/freeze.ts';
import type { JsonObject } from '../../../../schema/formats.ts';
import { UpFormatMessage } from '../../../../schema/upformat/message.ts';
import { termName } from './name.ts';
import { linksOf, type Links } from './links.ts';
import {
  byName,
  messageClass,
  spellingIri,
  spellingOf,
  statePrefix,
  term,
  uuidPrefix,
} from './message-terms.ts';
import { contextOf, documentOf, scopeOf } from './scopes.ts';
import { contextless, namespaces, upformat } from './vocabulary.ts';

const isId = { '@type': '@id' };
const isJson = { '@type': '@json' };

const core = {
  messageId: '@id',
  threadId: { '@id': term('threadId'), ...isId },
  parentMessageId: { '@id': term('parentMessageId'), ...isId },
  timestamp: { '@id': term('timestamp'), '@type': `${namespaces.xsd}dateTime` },
  state: { '@id': term('state'), ...isId },
};

const uuid = (id: string): string => `${uuidPrefix}${id.toLowerCase()}`;

/** Returns the context as a node: tags that are terms become links; the rest is JSON. */
const contextNode = ({ iri, tags }: Links, given: JsonObject): JsonObject => ({
  '@id': iri,
  ...Object.fromEntries(Object.entries(given).map(([name, value]) => [termName(name), value])),
  ...(tags.length > 0 && {
    concepts: tags.map(({ iri, tag }) => (iri === undefined ? tag : { '@id': iri })),
  }),
});

const contextTerm = (given: JsonObject): JsonObject => ({
  '@id': term('upContext'),
  '@context': [
    null,
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        termName(name),
        {
          '@id': term('upContext', name),
          ...(name === 'concepts' ? { '@container': '@set' } : typeof value !== 'string' && isJson),
        },
      ]),
    ),
  ],
});

/**
 * Converts an UpFormat message to a self-contained JSON-LD 1.1 document. UpFormat 2.4.
 *
 * The message, its thread and its parent are nodes `urn:uuid:…`; a state is `urn:agentcharter:upformat:completed`,
 * `timestamp` an `xsd:dateTime`. The property of a member is its field's `predicate`; else its only concept, if that
 * is a property (`schema:email`); else an IRI below that of the context (`…#candidates/score`). The payload and other
 * objects are blank nodes: the payload is an instance of its context, and class concepts of an object are its types.
 * Arrays are `rdf:List`; `null` is `rdf:JSON`; a number is an `xsd:integer` where it is whole, else an `xsd:double`, or
 * an `xsd:decimal` where 16 digits are too few. Tags, and identifiers in upper case, are kept as JSON
 * (`urn:agentcharter:upformat:spelling`). Names with a special meaning in JSON-LD are escaped: `a:b` becomes `a%3ab`.
 * `fromJsonLd` reads the message back.
 *
 * Throws `input_unreadable` or `document_invalid`, also if two members of an object have the same property.
 */
export function toJsonLd(message: unknown): JsonObject {
  const given = frozenCopy(message, 'message') as JsonObject;
  const { messageId, threadId, parentMessageId, timestamp, state, payload, upContext, ...rest } =
    parseDocument('message', UpFormatMessage, given);
  const links = upContext === undefined ? undefined : linksOf(given['upContext']);
  const linking = links ?? byName(contextless);
  const scope = scopeOf(payload, links?.root, linking);
  const spelling = spellingOf({ messageId, threadId, parentMessageId }, upContext?.concepts);
  const around = scopeOf(rest, undefined, byName(upformat));
  return {
    '@context': {
      '@version': 1.1,
      ...contextOf(around),
      ...core,
      payload: { '@id': term('payload'), '@context': [null, contextOf(scope)] },
      ...(links && { upContext: contextTerm(given['upContext'] as JsonObject) }),
    },
    '@type': messageClass,
    messageId: uuid(messageId),
    threadId: uuid(threadId),
    ...(parentMessageId !== undefined && { parentMessageId: uuid(parentMessageId) }),
    timestamp,
    state: `${statePrefix}${state}`,
    ...(documentOf(rest, around, byName(upformat), undefined) as JsonObject),
    payload: documentOf(payload, scope, linking, links?.root),
    ...(links && { upContext: contextNode(links, given['upContext'] as JsonObject) }),
    ...(spelling && { [spellingIri]: { '@type': '@json', '@value': spelling } }),
  };
}
