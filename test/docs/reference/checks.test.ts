import { expect, it } from 'vitest';
import { classNames } from '../../nightly/classes.ts';
import { readLast } from '../../nightly/last.ts';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import { checksPage } from './checks.ts';

it('docs/reference/checks.md prints every class of checks and its last run', async () => {
  const page = checksPage(readLast());
  for (const name of classNames) expect(page).toMatch(new RegExp(`^${name} `, 'm'));
  await expectPrinted('docs/reference/checks.md', page);
});

it('docs/reference/checks.md says that a class has not been run, or how its last run ended', () => {
  const run = { on: '2026-11-28', commit: 'abc1234', seconds: 1234, tests: 3 };
  const page = checksPage({ crash: { ...run, passed: false }, proof: { ...run, passed: true } });
  expect(page).toMatch(/^crash .* 2026-11-28 abc1234 FAILED, 1,234 s$/m);
  expect(page).toMatch(/^proof .* 2026-11-28 abc1234 passed, 1,234 s$/m);
  expect(page).toMatch(/^mutation .* not run yet$/m);
});

testEveryPageIsPrinted();
