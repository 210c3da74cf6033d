import { describe, expect, test } from 'vitest';
import { applied, mutantsIn } from './mutants.ts';
import { chartMutants } from './verdict.ts';

const made = (source: string): readonly string[] =>
  mutantsIn('a.ts', source).map((mutant) => applied(source, mutant));

describe('the mutants of a source', () => {
  test('drop and negate each part of a conjunction', () => {
    expect(made('const is = (c: C): boolean => c.a && c.b === 1;')).toEqual([
      'const is = (c: C): boolean => true && c.b === 1;',
      'const is = (c: C): boolean => !(c.a) && c.b === 1;',
      'const is = (c: C): boolean => c.a && true;',
      'const is = (c: C): boolean => c.a && !(c.b === 1);',
    ]);
  });

  test('drop a part of a disjunction as false', () => {
    expect(made('const is = a || b;')).toContain('const is = a || false;');
  });

  test('reach into nested conditions, each part once', () => {
    expect(made('const is = (a && b) || c;')).toHaveLength(6);
  });

  test('negate the one condition of a choice', () => {
    expect(made('const f = (a: A) => { if (a.b) return 1; return a.c ? 2 : 3; };')).toEqual([
      'const f = (a: A) => { if (!(a.b)) return 1; return a.c ? 2 : 3; };',
      'const f = (a: A) => { if (a.b) return 1; return !(a.c) ? 2 : 3; };',
    ]);
  });

  test('drop each assignment of an object that a function makes', () => {
    expect(made('const f = (c: C): C => ({ ...c, draft: null, further: null });')).toEqual([
      'const f = (c: C): C => ({  draft: null, further: null });',
      'const f = (c: C): C => ({ ...c,  further: null });',
      'const f = (c: C): C => ({ ...c, draft: null });',
    ]);
  });

  test('leave types, and objects that no function makes, as they are', () => {
    expect(made('const a = { b: 1 } as const; type C = { readonly d?: (e: F) => e is F };')).toEqual([]);
  });
});

test('the charts have mutants in what accepts facts and in what applies them', () => {
  const mutants = chartMutants();
  expect(mutants.length).toBeGreaterThan(500);
  for (const kind of ['dropped condition', 'negated condition', 'dropped assignment'])
    expect(mutants.filter((mutant) => mutant.kind === kind).length).toBeGreaterThan(100);
});
