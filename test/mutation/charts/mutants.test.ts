import { describe, expect, test } from 'vitest';
import { instrumented, mutantsIn } from './mutants.ts';
import { chartMutants } from './sources.ts';
import { isActive, isAnyActive, mutantSwitch, observed, withMutant } from './switch.ts';

/** The source as each of its mutants has it; where an assignment is dropped, nothing is spread. */
const made = (source: string): readonly string[] =>
  mutantsIn('a.ts', source).map(
    ({ start, end, replacement }) => source.slice(0, start) + (replacement || '...{}') + source.slice(end),
  );

/** What a source that declares `f` comes to. */
const results = (text: string): string => {
  // oxlint-disable-next-line typescript/no-implied-eval -- the source above, or a mutant of it
  const f: unknown = new Function('isActive', 'isAnyActive', `${text} return f;`)(isActive, isAnyActive);
  if (typeof f !== 'function') throw new TypeError('expected a function');
  return JSON.stringify([f(1, 1), f(0, 2), f(2, 0), f(0, 0)]);
};

const endless = (): void => {
  while (!isActive(2));
};

describe('the mutants of a source', () => {
  test('drop each part of a conjunction', () => {
    expect(made('const is = (c: C): boolean => c.a && c.b === 1;')).toEqual([
      'const is = (c: C): boolean => true && c.b === 1;',
      'const is = (c: C): boolean => c.a && true;',
    ]);
  });

  test('drop a part of a disjunction as false', () => {
    expect(made('const is = a || b;')).toEqual(['const is = false || b;', 'const is = a || false;']);
  });

  test('reach into nested conditions, each part once', () => {
    expect(made('const is = (a && b) || c;')).toHaveLength(3);
  });

  test('negate the one condition of a choice', () => {
    expect(made('const f = (a: A) => { if (a.b) return 1; return a.c ? 2 : 3; };')).toEqual([
      'const f = (a: A) => { if (!(a.b)) return 1; return a.c ? 2 : 3; };',
      'const f = (a: A) => { if (a.b) return 1; return !(a.c) ? 2 : 3; };',
    ]);
  });

  test('drop each assignment of an object that a function makes', () => {
    expect(made('const f = (c: C): C => ({ ...c, draft: null });')).toEqual([
      'const f = (c: C): C => ({ ...{}, draft: null });',
      'const f = (c: C): C => ({ ...c, ...{} });',
    ]);
  });

  test('drop each assignment that `assign` is given, and each condition and setting of a table', () => {
    expect(made("const d = assign({ outcome: 'delivered' });")).toHaveLength(1);
    expect(made("const steps = [{ on: ['a'], when: 'isRead', sets: { b: true } }];")).toHaveLength(2);
  });

  test('leave types, and objects that no function makes, as they are', () => {
    expect(made('const a = { b: 1 } as const; type C = { readonly d?: (e: F) => e is F };')).toEqual([]);
  });
});

describe('a source that holds all of its mutants', () => {
  const source =
    'const f = (a, b) => { if (a === b) return { c: a && b, d: { a, ...(b && { b }) } }; return [a || b, { b }]; };';
  const mutants = mutantsIn('a.js', source);
  const numbered = mutants.map((mutant, index) => [mutant, index + 1] as const);
  const whole = instrumented(source, numbered, 'switch.ts').replace(/^import [^;]*;/, '');
  test('does what the source does while none is active', () => {
    expect(results(whole)).toBe(results(source));
  });

  test('does what each mutant does while that is active', async () => {
    const texts = made(source);
    expect(texts.length).toBeGreaterThan(10);
    for (const [index, text] of texts.entries())
      expect(await withMutant(index + 1, 0, () => results(whole)), text).toBe(results(text));
    expect(new Set(texts.map(results)).size).toBeGreaterThan(8);
  });

  test('says which places ran', async () => {
    const { reached } = await observed(() => isActive(3) || isAnyActive(5, 6));
    expect(reached).toEqual([3, 5, 6]);
  });

  test('ends a mutant that takes many more steps than the charts as they are', async () => {
    await expect(withMutant(1, 0, endless)).rejects.toThrow('no end');
    expect(mutantSwitch.active).toBe(0);
  });
});

test('the charts have mutants in what accepts facts and in what applies them', () => {
  expect(chartMutants.length).toBeGreaterThan(500);
  for (const kind of ['dropped condition', 'negated condition', 'dropped assignment'])
    expect(chartMutants.filter((mutant) => mutant.kind === kind).length).toBeGreaterThan(100);
});
