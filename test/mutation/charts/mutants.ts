import { parseAst } from 'vitest/node';
import * as z from 'zod';

/** One place of a source, and what stands there instead. */
export const SourceMutant = z.object({
  file: z.string(),
  kind: z.enum(['dropped condition', 'negated condition', 'dropped assignment']),
  start: z.int(),
  end: z.int(),
  replacement: z.string(),
});
export type SourceMutant = z.infer<typeof SourceMutant>;

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

const fieldOf = (node: Node, name: string): Node | undefined => {
  const value: unknown = Reflect.get(node, name);
  return isNode(value) ? value : undefined;
};

const isLogical = (node: Node): boolean =>
  node.type === 'LogicalExpression' && ['&&', '||'].includes(String(Reflect.get(node, 'operator')));

/** Makes one part of a condition true of itself in a conjunction and false in a disjunction, or its opposite. */
const ofCondition = (
  file: string,
  source: string,
  part: Node,
  neutral: string | null,
): readonly SourceMutant[] => {
  const { start, end } = part;
  const negated = {
    file,
    kind: 'negated condition',
    start,
    end,
    replacement: `!(${source.slice(start, end)})`,
  } as const;
  return neutral === null
    ? [negated]
    : [{ file, kind: 'dropped condition', start, end, replacement: neutral }, negated];
};

const ofLogical = (file: string, source: string, node: Node): readonly SourceMutant[] => {
  const neutral = Reflect.get(node, 'operator') === '&&' ? 'true' : 'false';
  return [fieldOf(node, 'left'), fieldOf(node, 'right')].flatMap((part) =>
    part === undefined || isLogical(part) ? [] : ofCondition(file, source, part, neutral),
  );
};

/** A choice that depends on one condition alone. */
const ofChoice = (file: string, source: string, node: Node): readonly SourceMutant[] => {
  const test = fieldOf(node, 'test');
  return test === undefined || isLogical(test) ? [] : ofCondition(file, source, test, null);
};

/** An assignment goes with the comma after it, or, where it is the last, with the one before it. */
const ofAssignment = (file: string, source: string, { start, end }: Node): readonly SourceMutant[] => {
  const after = /^\s*,/.exec(source.slice(end))?.[0].length ?? 0;
  const before = after > 0 ? 0 : (/,\s*$/.exec(source.slice(0, start))?.[0].length ?? 0);
  return [{ file, kind: 'dropped assignment', start: start - before, end: end + after, replacement: '' }];
};

const inNode = (file: string, source: string, node: Node, isInFunction: boolean): readonly SourceMutant[] => {
  if (node.type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(node.type)) return [];
  const isInner = isInFunction || /Function/.test(node.type);
  const here = (): readonly SourceMutant[] => {
    if (isLogical(node)) return ofLogical(file, source, node);
    if (node.type === 'ConditionalExpression' || node.type === 'IfStatement')
      return ofChoice(file, source, node);
    if (node.type === 'ObjectExpression' && isInFunction)
      return partsOf(node).flatMap((part) => ofAssignment(file, source, part));
    return [];
  };
  return [...here(), ...partsOf(node).flatMap((part) => inNode(file, source, part, isInner))];
};

/**
 * Makes every mutant of a source that has one condition dropped or negated, or one assignment dropped: one part of a
 * conjunction, of a disjunction, or of a choice, and one property of an object that a function makes.
 */
export const mutantsIn = (file: string, source: string): readonly SourceMutant[] => {
  const program: unknown = parseAst(source, { lang: 'ts' });
  return isNode(program) ? inNode(file, source, program, false) : [];
};

/** The source as the mutant has it. */
export const applied = (source: string, { start, end, replacement }: SourceMutant): string =>
  source.slice(0, start) + replacement + source.slice(end);
