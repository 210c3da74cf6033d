/** The namespaces in our documents. */
export const namespaces = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  sh: 'http://www.w3.org/ns/shacl#',
} as const;

/** The prefix of our own IRIs. A URN cannot be fetched. */
const own = 'urn:agentcharter:';

/** The namespace of the coordination layer and of message members. */
export const upformat = `${own}upformat`;

/** The namespace of payloads without a context. */
export const contextless = `${own}payload`;

/**
 * Returns the IRI of the context with this digest. It is also the namespace of its members and the class of
 * its payloads.
 */
export const contextIri = (digest: string): string => `${own}context:${digest.slice('sha256:'.length, 39)}`;

/** Returns the IRI of a member without an ontology term: its path in the namespace of its context. */
export const memberIri = (namespace: string, names: readonly string[]): string =>
  `${namespace}#${names.map(encodeURIComponent).join('/')}`;

const reserved = [...Object.values(namespaces), own];

/** Returns whether an IRI is reserved, so that no context may redefine it. */
export const isReserved = (iri: string): boolean => reserved.some((namespace) => iri.startsWith(namespace));
