import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type * as Yaml from 'yaml';
import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import { checkCode, isUnknownKey, issueInCode, membersOf } from '../../base/boundary/issues-of.ts';
import { pointerTo } from '../../base/canonical/unreadable.ts';
import { keysIn } from '../../base/define/definition.ts';
import { causeOf, CharterError, type Issue } from '../../base/errors.ts';
import { shownName } from '../../base/text/foreign-text.ts';
import { CharterFile, rulesIn } from './charter-file.ts';
import { partsOf } from './names.ts';
import { loadYaml } from './peers.ts';

/** The environment variables of a gateway. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A file that was read, and how to say what is wrong in it. */
export interface Charter {
  readonly file: string;
  readonly terms: CharterFile;
  /** Returns the error of issues in the file, each with its line and column. */
  readonly fault: (issues: readonly Issue[]) => CharterError<'document_invalid'>;
}

/** Returns where a path is written in a file, or the nearest place around it. */
const offsetOf = ({ isMap, isSeq, isScalar, isNode }: typeof Yaml, root: unknown, path: string): number => {
  let node = root;
  let offset = 0;
  for (const member of membersOf(path)) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === member)
      : undefined;
    const next: unknown = isSeq(node) ? node.items[Number(member)] : pair?.value;
    const place: unknown = pair?.key ?? next;
    if (!isNode(place)) break;
    offset = place.range?.[0] ?? offset;
    node = next;
  }
  return offset;
};

const faultIn =
  (name: string, placeOf: (path: string) => string): Charter['fault'] =>
  (issues) => {
    const lines = issues.map((issue) => `${name}${placeOf(issue.path)}: ${issueInCode(issue)}`);
    return new CharterError('document_invalid', lines.join('\n'), { document: name, issues });
  };

/** Returns an issue for each name whose server the file does not have. */
const unknownServers = (terms: CharterFile): readonly Issue[] => {
  const { servers, tools, clients } = terms;
  const named = [
    ...Object.keys(tools).map((name) => [name, pointerTo(['tools', name])] as const),
    ...rulesIn(terms).flatMap((rule, at) =>
      rule.tools.map((name, of) => [name, pointerTo(['policy', at, 'tools', of])] as const),
    ),
    ...clients.flatMap(({ tools: seen = [] }, at) =>
      seen.map((name, of) => [name, pointerTo(['clients', at, 'tools', of])] as const),
    ),
  ];
  const known = Object.keys(servers);
  return named.flatMap(([name, path]) => {
    const [server] = partsOf(name);
    if (known.includes(server)) return [];
    if (!name.includes('.'))
      return [{ path, message: `${shownName(name)} must name a server too, such as "server.tool"` }];
    return [{ path, message: `no server ${shownName(server)}${didYouMean(server, known)}` }];
  });
};

/** Reads the file of a gateway. Throws `document_invalid`, with the line and column of each issue. */
export const readCharter = async (file: string): Promise<Charter> => {
  const name = basename(file);
  const yaml = await loadYaml();
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const issues = [{ path: '', message: `cannot be read: ${causeOf(cause)}` }];
    throw new CharterError(
      'document_invalid',
      `${name}: ${issues[0]?.message}`,
      { document: name, issues },
      { cause },
    );
  });
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `:${line}:${col}`;
  };
  const [broken] = document.errors;
  if (broken !== undefined)
    throw faultIn(name, () => at(broken.pos[0]))([{ path: '', message: broken.message }]);
  const fault = faultIn(name, (path) => at(offsetOf(yaml, document.contents, path)));
  const schema = CharterFile();
  const checked = checkCode(schema, document.toJS({ maxAliasCount: 100 }), keysIn(schema));
  if (checked.issues !== undefined)
    // an unknown key first: what it should have said is then missing elsewhere
    throw fault(
      checked.issues.toSorted((one, other) => Number(isUnknownKey(other)) - Number(isUnknownKey(one))),
    );
  const issues = unknownServers(checked.value);
  if (issues.length > 0) throw fault(issues);
  return { file, terms: checked.value, fault };
};

/** Returns a text with the variables that it names. Throws `document_invalid` for one that is not set. */
export const withVariables = (
  text: string,
  variables: Variables,
  { fault }: Charter,
  path: readonly string[],
): string =>
  text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = variables[name];
    if (value !== undefined && value !== '') return value;
    const message = `needs the environment variable ${name}, which is not set: set it where the gateway starts`;
    throw fault([{ path: pointerTo(path), message }]);
  });
