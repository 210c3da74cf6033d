import jsonld from 'jsonld';
import type { JsonObject } from '../../../../../schema/formats.ts';

/** What processors may not do: fetch, or drop anything without a word. */
const offline = {
  safe: true,
  documentLoader: (url: string): never => {
    throw new Error(`fetched ${url}`);
  },
};

export const expand = async (document: JsonObject): Promise<unknown> => jsonld.expand(document, offline);

export const compact = async (expanded: unknown, context: unknown): Promise<unknown> =>
  jsonld.compact(expanded as jsonld.JsonLdDocument, context as jsonld.ContextDefinition, offline);

export const flatten = async (expanded: unknown): Promise<unknown> =>
  jsonld.flatten(expanded as jsonld.JsonLdDocument, undefined, offline);

/** With a format, `toRDF` gives text, which its types do not know. */
export const toNQuads = async (document: unknown): Promise<string> =>
  (await jsonld.toRDF(document as jsonld.JsonLdDocument, {
    ...offline,
    format: 'application/n-quads',
  })) as unknown as string;

/** The same graph as a document again, without a context. */
export const fromNQuads = async (quads: string): Promise<unknown> =>
  jsonld.fromRDF(quads, { format: 'application/n-quads' });

/** The graph around a node, its blank nodes by what they say: equal for equal graphs that are trees, as ours are. */
export function treeOf(nquads: string, root: string): unknown {
  const statements = new Map<string, string[][]>();
  for (const line of nquads.split('\n')) {
    const [, subject = '', predicate = '', object = ''] = /^(\S+) (\S+) (.+) \.$/su.exec(line) ?? [];
    if (subject !== '') statements.set(subject, [...(statements.get(subject) ?? []), [predicate, object]]);
  }
  const describe = (node: string): unknown => {
    const own = statements.get(node);
    if (own === undefined || (node !== root && !node.startsWith('_:')))
      return node.startsWith('_:') ? {} : node;
    const members = own.map(([predicate, object = '']) => [predicate, describe(object)]);
    return members.map((each) => JSON.stringify(each)).toSorted();
  };
  return describe(root);
}
