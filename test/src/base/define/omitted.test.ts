import { defineTaskClass } from 'agentcharter';
import { createGuard } from 'agentcharter/guard';
import { expect, it } from 'vitest';
import { omissionOf, withoutIrreversible } from '../../../../src/base/define/omitted.ts';

const omit = (names: readonly string[]): readonly string[] =>
  withoutIrreversible(
    'guardTools',
    names,
    (name) => ({ name, raised: 'write_high_risk' }),
    () => {},
  );

it('names the binding that omitted a tool of the task class, and what to declare', () => {
  expect(omit(['refund'])).toEqual([]);
  const taskClasses = [defineTaskClass({ id: 'support', tools: ['refund' as never] })];
  expect(() => createGuard({ tools: [], taskClasses })).toThrow(
    /unknown tool "refund": guardTools omitted it: in contracts, its rollback is required, because no tier is declared.*declare `rollback: \{ describe, run \}`, or `rollback: 'person'`, or `tier: 'read_only'`/,
  );
});

it('remembers the latest 100 omitted tools', () => {
  omit(Array.from({ length: 101 }, (_, at) => `tool-${at}`));
  expect(omissionOf('tool-0')).toBeUndefined();
  expect(omissionOf('tool-1')).toMatch('guardTools omitted it');
});
