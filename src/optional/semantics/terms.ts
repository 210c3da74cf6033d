import * as z from 'zod';

/** The well-known prefixes and their namespaces. */
export const knownPrefixes: Readonly<Record<string, string>> = {
  schema: 'https://schema.org/',
  wikidata: 'http://www.wikidata.org/entity/',
  dcterms: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
};

/** Schemes of IRIs, which are not allowed as prefixes. */
const schemes = new Set(['http', 'https', 'urn']);

const isKnown = (prefix: string): boolean => Object.hasOwn(knownPrefixes, prefix);

// a namespace ends with a delimiter: JSON-LD 1.1 accepts no other as a prefix
const Namespace = z
  .string()
  .regex(
    /^(?:https?:\/\/|urn:)[^\s<>"{}|\\^`]+[:/?#[\]@]$/u,
    'expected an absolute IRI that ends in # / : or ?',
  );

/** The prefixes of a context. Well-known prefixes cannot be redefined. */
export const Prefixes = z
  .record(
    z.string().regex(/^[A-Za-z][\w-]{0,63}$/u, 'expected a name of letters, digits, _ and -'),
    Namespace,
  )
  .check((context) => {
    for (const [prefix, namespace] of Object.entries(context.value)) {
      const isScheme = schemes.has(prefix);
      if (!isScheme && (!isKnown(prefix) || knownPrefixes[prefix] === namespace)) continue;
      const message = `${prefix}: always means ${isScheme ? 'itself' : knownPrefixes[prefix]}`;
      context.issues.push({ code: 'custom', input: namespace, path: [prefix], message });
    }
  });
export type Prefixes = z.infer<typeof Prefixes>;

/** Normalizes schema.org, whose terms exist under http and https. */
const oneSpelling = (iri: string): string => iri.replace(/^http:\/\/schema\.org\//u, 'https://schema.org/');

/**
 * Returns the IRI of a term: an expanded CURIE (`schema:Person`), or the IRI itself; `undefined` for a free
 * tag.
 */
export function iriOf(term: string, prefixes: Prefixes = {}): string | undefined {
  const [, prefix, name] = /^([A-Za-z][\w+.-]*):(\S+)$/u.exec(term) ?? [];
  if (prefix === undefined || name === undefined) return undefined;
  const namespace = Object.hasOwn(prefixes, prefix)
    ? prefixes[prefix]
    : isKnown(prefix)
      ? knownPrefixes[prefix]
      : undefined;
  if (namespace !== undefined && !name.startsWith('//')) return oneSpelling(`${namespace}${name}`);
  return name.startsWith('//') || prefix === 'urn' ? oneSpelling(term) : undefined;
}

/** Returns the namespace of a term. */
export const namespaceOf = (iri: string): string =>
  iri.slice(0, Math.max(...['#', '/', ':'].map((end) => iri.lastIndexOf(end))) + 1);

/** Generic properties, which do not identify the meaning of a value. */
const general = new Set(
  [
    'schema:name schema:alternateName schema:identifier schema:description schema:url schema:image schema:sameAs schema:value',
    'dcterms:title dcterms:identifier dcterms:description dcterms:date dcterms:type dcterms:relation',
    'foaf:name foaf:page http://purl.org/dc/elements/1.1/title http://www.w3.org/2000/01/rdf-schema#label skos:prefLabel skos:altLabel skos:note skos:notation vcard:note',
  ].flatMap((terms) => terms.split(' ').map((term) => iriOf(term))),
);

/** Returns whether a term is a specific property: not a class and not generic. */
export const isProperty = (iri: string): boolean =>
  !general.has(iri) && /^(?:\p{Ll}|P\d)/u.test(iri.slice(namespaceOf(iri).length));
