import { parseSync, Visitor, type ESTree } from 'rolldown/utils';

const parsed = (file: string, source: string): ESTree.Program => {
  const { program, errors } = parseSync(file, source, { preserveParens: false });
  if (errors.length > 0) throw new Error(`${file} is not parsed: ${errors[0]?.message}`);
  return program;
};

/** What a source says, by its syntax tree: comments and paths of imports do not count. */
export interface Said {
  /** The identifiers: of variables, types, members and attributes. */
  readonly names: ReadonlySet<string>;
  /** The texts of string literals. */
  readonly texts: ReadonlySet<string>;
  /** The number of optional members of object types. */
  readonly optional: number;
  /** The number of spreads into an object that depend on a condition. */
  readonly conditional: number;
}

const isCondition = ({ type }: ESTree.Expression): boolean =>
  type === 'LogicalExpression' || type === 'ConditionalExpression';

/** Returns what a source says. */
export const saidIn = (file: string, source: string): Said => {
  const names = new Set<string>();
  const texts = new Set<string>();
  let [optional, conditional] = [0, 0];
  const enterName = ({ name }: { readonly name: string }): void => void names.add(name);
  const enterMember = (node: { readonly optional: boolean }): void => {
    if (node.optional) optional += 1;
  };
  new Visitor({
    Identifier: enterName,
    PrivateIdentifier: enterName,
    JSXIdentifier: enterName,
    Literal: ({ value }) => void (typeof value === 'string' && texts.add(value)),
    TSPropertySignature: enterMember,
    TSMethodSignature: enterMember,
    ObjectExpression: ({ properties }) => {
      for (const one of properties)
        if (one.type === 'SpreadElement' && isCondition(one.argument)) conditional += 1;
    },
  }).visit(parsed(file, source));
  return { names, texts, optional, conditional };
};

/** Globals that wait, tell the time or draw a number, or lead to those that do. */
const globals = new Set(
  'Promise queueMicrotask setImmediate setInterval setTimeout crypto globalThis performance process'.split(
    ' ',
  ),
);
const functions = new Set(['getRandomValues', 'randomBytes', 'randomInt', 'randomUUID']);
const members = new Set(['Date.now', 'Math.random']);

/** Returns what in a source is not pure: what waits, tells the time or draws a number, each with its line. */
export const impureIn = (file: string, source: string): readonly string[] => {
  const found: [at: number, what: string][] = [];
  /** Identifiers that name a member, and no variable. */
  const keys = new Set<ESTree.Node>();
  const enterKey = ({ computed, key }: { readonly computed: boolean; readonly key: ESTree.Node }): void =>
    void (computed || keys.add(key));
  const enterFunction = ({ async, start }: { readonly async: boolean; readonly start: number }): void =>
    void (async && found.push([start, 'async']));
  const enterDate = ({ callee, start }: ESTree.NewExpression | ESTree.CallExpression): void =>
    void (callee.type === 'Identifier' && callee.name === 'Date' && found.push([start, 'Date()']));
  new Visitor({
    ArrowFunctionExpression: enterFunction,
    FunctionDeclaration: enterFunction,
    FunctionExpression: enterFunction,
    AwaitExpression: ({ start }) => void found.push([start, 'await']),
    ForOfStatement: (node) => void (node.await && found.push([node.start, 'for await'])),
    NewExpression: (node) => void (node.arguments.length === 0 && enterDate(node)),
    CallExpression: enterDate, // its arguments are ignored
    Property: enterKey,
    PropertyDefinition: enterKey,
    MethodDefinition: enterKey,
    TSPropertySignature: enterKey,
    TSMethodSignature: enterKey,
    MemberExpression: ({ object, property, computed, start }) => {
      enterKey({ computed, key: property });
      const [of, name] = [object, property].map((node) => (node.type === 'Identifier' ? node.name : ''));
      if (members.has(`${of}.${name}`)) found.push([start, `${of}.${name}`]);
      else if (functions.has(name ?? '')) found.push([start, name ?? '']);
    },
    Identifier: (node) => {
      const isFound = globals.has(node.name) || functions.has(node.name);
      if (isFound && !keys.has(node)) found.push([node.start, node.name]);
    },
  }).visit(parsed(file, source));
  return found.map(([at, what]) => `${file}:${source.slice(0, at).split('\n').length} ${what}`);
};
