/** The namespaces that documents of linked data are written with. */
export const namespaces = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  sh: 'http://www.w3.org/ns/shacl#',
} as const;

/** Ours begin with it. Nothing can be fetched from a URN, so nobody is tempted to. */
const own = 'urn:agentcharter:';

/** The coordination layer, and what an UpFormat message holds beside its payload. */
export const upformat = `${own}upformat`;

/** The payload of a message that has no context. */
export const contextless = `${own}payload`;

/** The context with this digest: its members, and the class of the payloads that it describes. */
export const contextIri = (digest: string): string => `${own}context:${digest.slice('sha256:'.length, 39)}`;

/** The IRI of a member that no term of an ontology names: the names that lead to it, in the namespace of its context. */
export const memberIri = (namespace: string, names: readonly string[]): string =>
  `${namespace}#${names.map(encodeURIComponent).join('/')}`;

const reserved = [...Object.values(namespaces), own];

/** Whether an IRI belongs to what documents are built with, so that no context may give it another meaning. */
export const isReserved = (iri: string): boolean => reserved.some((namespace) => iri.startsWith(namespace));
