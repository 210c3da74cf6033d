import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor, type ESTree } from 'rolldown/utils';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('.', import.meta.url));

const runner = /^(?:it|test|describe|(?:before|after)(?:All|Each))\b/;
const clock = /\b(?:performance|Date)\.now\(\)|\bhrtime\b/;

const hasTimeout = (argument: ESTree.Argument): boolean =>
  argument.type === 'ObjectExpression' &&
  argument.properties.some(
    (one) => one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === 'timeout',
  );

const isFunction = ({ type }: ESTree.Argument): boolean =>
  type === 'ArrowFunctionExpression' || type === 'FunctionExpression';

/** Returns the waits of a test that have a bound of their own, and what it asserts by the time that passed. */
const ownBounds = (file: string, source: string): readonly string[] => {
  const found: string[] = [];
  const durations: string[] = [];
  const textOf = ({ start, end }: ESTree.Span): string => source.slice(start, end);
  const isTimed = (text: string): boolean =>
    clock.test(text) || durations.some((name) => new RegExp(String.raw`\b${name}\b`).test(text));
  const isOwn = (call: ESTree.CallExpression): boolean => {
    const callee = textOf(call.callee).replaceAll(/\s/g, '');
    const [last] = call.arguments.slice(-1);
    if (callee === 'vi.waitFor' || callee === 'vi.waitUntil') return true; // they wait for a second
    if (runner.test(callee))
      return call.arguments.some(hasTimeout) || call.arguments.slice(0, -1).some(isFunction);
    if (/(?:^expect\.poll|\.waitFor\w*)$/.test(callee)) return call.arguments.some(hasTimeout);
    if (callee.endsWith('.setDefaultTimeout')) return last === undefined || textOf(last) !== 'patience';
    return /^expect\(.*\.toBeLessThan(?:OrEqual)?$/.test(callee) && isTimed(textOf(call));
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init?.type === 'BinaryExpression' && clock.test(textOf(init)))
        durations.push(id.name);
    },
    CallExpression: (call) => {
      if (isOwn(call)) found.push(`${file}: ${textOf(call).slice(0, 100)}`);
    },
  }).visit(parseSync(file, source).program);
  return found;
};

it.each([
  'await vi.waitFor(() => check(), patience);',
  'await vi.waitUntil(isDone);',
  'await expect.poll(() => done, { timeout: 5_000 }).toBe(true);',
  "await page.getByText('Live').waitFor({ timeout: 5_000 });",
  'context.setDefaultTimeout(5_000);',
  "it('ends', { timeout: 5_000 }, async () => {});",
  "describe.concurrent('ends', { timeout: 5_000 }, () => {});",
  "it.each([1])('ends', async () => {}, 5_000);",
  'beforeAll(async () => {}, minute);',
  'expect(performance.now() - began).toBeLessThan(5_000);',
  'expect(Math.abs(at - Date.now())).toBeLessThanOrEqual(5_000);',
  'const took = Date.now() - began; expect(took).toBeLessThan(5_000);',
])('a wait with a bound of its own is found: %s', (source) => {
  expect(ownBounds('a.test.ts', source)).toHaveLength(1);
});

it.each([
  'await eventually(() => expect(done).toBe(true));',
  'await expect.poll(() => done, { interval: 5 }).toBe(true);',
  'context.setDefaultTimeout(patience);',
  "it('ends', async () => { sqliteStore(file, { timeout: 5_000 }); });",
  'expect(performance.now() - began).toBeGreaterThan(5_000);',
])('another is not: %s', (source) => {
  expect(ownBounds('a.test.ts', source)).toEqual([]);
});

it('waits.ts has the bound of every wait', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !file.includes('node_modules') && file !== 'waits.ts',
  );
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap((file) => ownBounds(file, readFileSync(folder + file, 'utf8')))).toEqual([]);
});
