import { parseAst } from 'vitest/node';

/** One place of a source, and what stands there instead. */
export interface SourceMutant {
  readonly file: string;
  readonly kind: 'dropped condition' | 'negated condition' | 'dropped assignment';
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** Where the object stands that a dropped assignment belongs to. */
  readonly object?: { readonly start: number; readonly end: number };
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;

const partsOf = (node: Node): readonly Node[] =>
  Object.values(node).flatMap((value: unknown) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );

const fieldOf = (node: Node | undefined, name: string): Node | undefined => {
  const value: unknown = node && Reflect.get(node, name);
  return isNode(value) ? value : undefined;
};

const nameOf = (node: Node | undefined): unknown => node && Reflect.get(node, 'name');

const isLogical = (node: Node): boolean =>
  node.type === 'LogicalExpression' && ['&&', '||'].includes(String(Reflect.get(node, 'operator')));

/** Makes one part of a condition true in a conjunction and false in a disjunction. */
const ofLogical = (file: string, node: Node): readonly SourceMutant[] => {
  const replacement = Reflect.get(node, 'operator') === '&&' ? 'true' : 'false';
  return [fieldOf(node, 'left'), fieldOf(node, 'right')].flatMap((part) =>
    part === undefined || isLogical(part)
      ? []
      : [{ file, kind: 'dropped condition', start: part.start, end: part.end, replacement }],
  );
};

/** Negates a choice that depends on one condition alone. */
const ofChoice = (file: string, source: string, node: Node): readonly SourceMutant[] => {
  const test = fieldOf(node, 'test');
  if (test === undefined || isLogical(test)) return [];
  const { start, end } = test;
  return [{ file, kind: 'negated condition', start, end, replacement: `!(${source.slice(start, end)})` }];
};

const ofAssignments = (file: string, of: Node, assignments: readonly Node[]): readonly SourceMutant[] => {
  const object = { start: of.start, end: of.end };
  return assignments.map(({ start, end }) => ({
    file,
    kind: 'dropped assignment',
    start,
    end,
    replacement: '',
    object,
  }));
};

/** What a table of `machines/` says of one step: when it is taken, and what it sets beside the status. */
const isOfTable = (node: Node): boolean => ['when', 'sets'].includes(String(nameOf(fieldOf(node, 'key'))));

/** An object whose properties change the context: one that a function makes, or that `assign` is given. */
type Place = 'function' | 'assign' | 'elsewhere';

const placeIn = (node: Node, place: Place): Place => {
  if (/Function/.test(node.type)) return 'function';
  const isAssign = node.type === 'CallExpression' && nameOf(fieldOf(node, 'callee')) === 'assign';
  return isAssign && place === 'elsewhere' ? 'assign' : place;
};

const inNode = (file: string, source: string, node: Node, place: Place): readonly SourceMutant[] => {
  if (node.type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(node.type)) return [];
  const inner = placeIn(node, place);
  const here = (): readonly SourceMutant[] => {
    if (isLogical(node)) return ofLogical(file, node);
    if (node.type === 'ConditionalExpression' || node.type === 'IfStatement')
      return ofChoice(file, source, node);
    if (node.type !== 'ObjectExpression') return [];
    return ofAssignments(file, node, place === 'elsewhere' ? partsOf(node).filter(isOfTable) : partsOf(node));
  };
  return [...here(), ...partsOf(node).flatMap((part) => inNode(file, source, part, inner))];
};

/**
 * Returns every mutant of a source that drops one condition or one assignment: a part of a conjunction or disjunction, a
 * property of an object that a function makes or `assign` is given, or a condition or setting of a table's step. The one
 * condition of a choice cannot be dropped: it is negated.
 */
export const mutantsIn = (file: string, source: string): readonly SourceMutant[] => {
  const program: unknown = parseAst(source, { lang: 'ts' });
  return isNode(program) ? inNode(file, source, program, 'elsewhere') : [];
};

/** A mutant, and the number that it is switched on by. */
export type Numbered = readonly [mutant: SourceMutant, number: number];

/** A place that is another text where a mutant of it is active. */
interface Wrap {
  readonly start: number;
  readonly end: number;
  /** Returns the text of the place, of how the text within it is made. */
  readonly around: (within: (more?: readonly Wrap[]) => string) => string;
}

const ofNumbered = ([{ kind, replacement, start, end }, number]: Numbered): Wrap => {
  const is = `isActive(${number})`;
  const around: Record<SourceMutant['kind'], Wrap['around']> = {
    'dropped condition': (within) => `(${is}?${replacement}:(${within()}))`,
    'negated condition': (within) => `(${is}!==!!(${within()}))`,
    'dropped assignment': (within) => `...(${is}?{}:{${within()}})`,
  };
  return { start, end, around: around[kind] };
};

/** An object stays as it is written where none of its properties is dropped: spread objects are slow. */
const ofObject = (assignments: readonly [Numbered, ...Numbered[]]): Wrap => {
  const [[{ object }, first]] = assignments;
  const last = first + assignments.length - 1;
  return {
    ...(object ?? { start: 0, end: 0 }),
    around: (within) => `(isAnyActive(${first},${last})?${within(assignments.map(ofNumbered))}:${within()})`,
  };
};

const wrapsOf = (mutants: readonly Numbered[]): readonly Wrap[] => {
  const objects = new Map<number, Numbered[]>();
  for (const numbered of mutants) {
    const [{ object }] = numbered;
    if (object !== undefined) objects.set(object.start, [...(objects.get(object.start) ?? []), numbered]);
  }
  return [
    ...mutants.filter(([{ object }]) => object === undefined).map(ofNumbered),
    ...[...objects.values()].map((assignments) => ofObject(assignments as [Numbered, ...Numbered[]])),
  ];
};

const render = (source: string, start: number, end: number, wraps: readonly Wrap[]): string => {
  const sorted = wraps
    .filter((wrap) => wrap.start >= start && wrap.end <= end)
    .toSorted((one, other) => one.start - other.start || other.end - one.end);
  const [outer] = sorted;
  if (outer === undefined) return source.slice(start, end);
  const others = sorted.slice(1);
  const within = (more: readonly Wrap[] = []): string =>
    render(source, outer.start, outer.end, [...more, ...others]);
  const before = source.slice(start, outer.start);
  return before + outer.around(within) + render(source, outer.end, end, others);
};

/** Returns a source that holds all of its mutants, each behind its number. Lines stay where they are. */
export const instrumented = (source: string, mutants: readonly Numbered[], switchFile: string): string =>
  `import { isActive, isAnyActive } from ${JSON.stringify(switchFile)}; ` +
  render(source, 0, source.length, wrapsOf(mutants));
