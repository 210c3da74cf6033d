import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  isArrowFunction,
  isBlock,
  isIdentifier,
  isVariableDeclaration,
  type Node,
} from 'typescript/unstable/ast';
import { API, SymbolFlags, type Project, type Symbol } from 'typescript/unstable/sync';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const typeFlags = SymbolFlags.Interface | SymbolFlags.TypeAlias | SymbolFlags.Class;

/** The parts of a declaration that reach its emitted type. */
const partsOf = (node: Node): readonly Node[] => {
  if (isBlock(node)) return [];
  if (isVariableDeclaration(node)) {
    if (node.type !== undefined) return [node.type];
    const { initializer } = node;
    if (initializer === undefined || !isArrowFunction(initializer)) return [];
    const { typeParameters = [], parameters, type } = initializer;
    return [...typeParameters, ...parameters, ...(type === undefined ? [] : [type])];
  }
  const children: Node[] = [];
  node.forEachChild((child) => {
    children.push(child);
    return undefined;
  });
  return children;
};

const exportsOf = ({ checker, program }: Project, types: string): readonly Symbol[] => {
  const source = program.getSourceFile(types.replace('./dist/', root).replace(/\.d\.ts$/, '.ts'));
  const names = checker.getExportsOfModule(checker.getSymbolAtLocation(source!)!);
  return names.map((name) => targetOf(name, checker));
};

const targetOf = (symbol: Symbol, checker: Project['checker']): Symbol =>
  (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);

/** Returns the types that the declarations of the root mention, directly or not, and whether an entry exports each. */
export const mentionedByRoot = (): ReadonlyMap<string, boolean> => {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    exports: Readonly<Record<string, { readonly types?: string }>>;
  };
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [`${root}tsconfig.json`] }).getProjects();
    const entries = Object.values(exports).flatMap(({ types }) => types ?? []);
    const exported = new Set(entries.flatMap((types) => exportsOf(project!, types)).map(({ id }) => id));
    const seen = new Set<Symbol['id']>();
    const mentioned = new Map<string, boolean>();
    const enter = (symbol: Symbol): void => {
      if (seen.has(symbol.id)) return;
      seen.add(symbol.id);
      const nodes = symbol.declarations.flatMap((declaration) => declaration.resolve() ?? []);
      const own = nodes.filter((node) => {
        const { fileName } = node.getSourceFile();
        return fileName.startsWith(root) && !fileName.includes('node_modules');
      });
      if (own.length > 0) mentioned.set(symbol.name, exported.has(symbol.id));
      for (const node of own) visit(node);
    };
    const visit = (node: Node): void => {
      if (!isIdentifier(node)) return partsOf(node).forEach(visit);
      const named = project!.checker.getSymbolAtLocation(node);
      const symbol = named && targetOf(named, project!.checker);
      if (symbol !== undefined && (symbol.flags & typeFlags) !== 0) enter(symbol);
    };
    for (const symbol of exportsOf(project!, './dist/src/index.d.ts')) enter(symbol);
    return mentioned;
  } finally {
    api.close();
  }
};
