import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  isArrowFunction,
  isClassDeclaration,
  isExportDeclaration,
  isExportSpecifier,
  isFunctionDeclaration,
  isInterfaceDeclaration,
  isTypeAliasDeclaration,
  isVariableDeclaration,
  isVariableStatement,
  type Node,
} from 'typescript/unstable/ast';
import { API, SymbolFlags, type Project, type Symbol } from 'typescript/unstable/sync';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** One public name of an entry, as its source declares it. */
export interface PublicName {
  readonly name: string;
  /** Stands for a value, and perhaps for a type as well; else for a type alone. */
  readonly isValue: boolean;
  /** What its doc comment says; empty where there is none. */
  readonly comment: string;
  /** Its declarations, without what only says how it is done. */
  readonly code: string;
}

/** What may be imported from one path. */
export interface Entry {
  readonly path: string;
  readonly names: readonly PublicName[];
}

/** In lines: a schema is shown whole, a chart is not. */
const longestValue = 40;

/** The text of a node up to a part of it that is left out. */
const upTo = (node: Node, part: Node): string =>
  node
    .getText()
    .slice(0, part.getStart() - node.getStart())
    .trimEnd();

const codeOfMember = (member: Node): string => {
  const body = 'body' in member ? member.body : undefined;
  return body === undefined ? `  ${member.getText()}` : `  ${upTo(member, body as Node)};`; // a body is a block
};

const codeOf = (node: Node): string => {
  if (isClassDeclaration(node)) {
    const [first = node] = node.members;
    return [upTo(node, first), ...node.members.map(codeOfMember), '}'].join('\n');
  }
  if (isFunctionDeclaration(node) && node.body !== undefined) return `${upTo(node, node.body)};`;
  if (!isVariableDeclaration(node) || node.initializer === undefined) return node.getText();
  const { name, initializer } = node;
  if (isArrowFunction(initializer)) {
    const head = upTo(initializer, initializer.equalsGreaterThanToken).replace(/^async /, '');
    return `function ${name.getText()}${head};`;
  }
  const isLong = initializer.getText().split('\n').length > longestValue;
  return `const ${isLong ? upTo(node, initializer).replace(/ =$/, '') : node.getText()};`;
};

const isTypeOnly = (exported: Symbol): boolean =>
  exported.declarations.some((declaration) => {
    const node = declaration.resolve();
    if (node === undefined || !isExportSpecifier(node)) return false;
    const statement = node.parent.parent;
    return node.isTypeOnly || (isExportDeclaration(statement) && statement.isTypeOnly);
  });

const isType = (node: Node): boolean => isInterfaceDeclaration(node) || isTypeAliasDeclaration(node);

/** The declarations of the values that a type is inferred from, if they stand beside it. */
const inferredFrom = (node: Node): readonly Node[] => {
  if (!isTypeAliasDeclaration(node)) return [];
  const names = new Set([...node.getText().matchAll(/\btypeof (\w+)/g)].map(([, name]) => name));
  return node
    .getSourceFile()
    .statements.flatMap((statement) =>
      isVariableStatement(statement) ? statement.declarationList.declarations : [],
    )
    .filter(({ name }) => names.has(name.getText()));
};

const nameOf = (exported: Symbol, { checker }: Project): PublicName => {
  const isAlias = (exported.flags & SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
  const isValue = (symbol.flags & SymbolFlags.Value) !== 0 && !isTypeOnly(exported);
  const declarations = symbol.declarations.flatMap((declaration) => declaration.resolve() ?? []);
  const shown = isValue
    ? declarations
    : declarations
        .filter((node) => isType(node) || isClassDeclaration(node))
        .flatMap((node) => [...inferredFrom(node), node]);
  return {
    name: exported.name,
    isValue,
    comment: checker.getDocumentationCommentOfSymbol(symbol),
    code: shown.map((node) => codeOf(node).replace(/^export /, '')).join('\n'),
  };
};

/** The public names of every entry of package.json, read by the compiler that builds the package. */
export const readEntries = (): readonly Entry[] => {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    exports: Readonly<Record<string, { readonly types?: string }>>;
  };
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [`${root}tsconfig.json`] }).getProjects();
    return Object.entries(exports).flatMap(([key, { types }]) => {
      if (types === undefined) return [];
      const source = types.replace('./dist/', root).replace(/\.d\.ts$/, '.ts');
      const module = project!.checker.getSymbolAtLocation(project!.program.getSourceFile(source)!);
      const names = project!.checker.getExportsOfModule(module!);
      return [{ path: key.replace('.', 'agentcharter'), names: names.map((one) => nameOf(one, project!)) }];
    });
  } finally {
    api.close();
  }
};
