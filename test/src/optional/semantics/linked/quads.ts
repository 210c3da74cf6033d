import SHACLValidator from 'rdf-validate-shacl';

type Dataset = ConstructorParameters<typeof SHACLValidator>[0];
type Term = Parameters<SHACLValidator['nodeConformsToShape']>[0];

interface Factory {
  blankNode(name: string): Term;
  namedNode(iri: string): Term;
  literal(text: string, datatype: Term): Term;
  quad(...terms: Term[]): unknown;
  dataset(quads: readonly unknown[]): Dataset;
}

const factory: Factory = new SHACLValidator([] as unknown as Dataset).factory;

const string = 'http://www.w3.org/2001/XMLSchema#string';

const unescaped = (text: string): string =>
  String(
    JSON.parse(
      `"${text.replaceAll(/\p{Cc}/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`,
    ),
  );

function termOf(text: string): Term {
  if (text.startsWith('_:')) return factory.blankNode(text.slice(2));
  if (text.startsWith('<')) return factory.namedNode(text.slice(1, -1));
  const [, value = '', datatype = string] = /^"(.*)"(?:\^\^<(.*)>)?$/su.exec(text) ?? [];
  return factory.literal(unescaped(value), factory.namedNode(datatype));
}

/** What N-Quads say, for the engine. */
export const datasetOf = (nquads: string): Dataset =>
  factory.dataset(
    nquads.split('\n').flatMap((line) => {
      const [, ...terms] = /^(\S+) (\S+) (.+) \.$/su.exec(line) ?? [];
      return terms.length === 0 ? [] : [factory.quad(...terms.map(termOf))];
    }),
  );
