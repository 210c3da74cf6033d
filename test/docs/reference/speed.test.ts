import { expect, it } from 'vitest';
import { rows } from '../../bench/goals.ts';
import { readKept } from '../../bench/kept.ts';
import { operations } from '../../bench/scale-rows.ts';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import { speedPage } from './speed.ts';

it('docs/reference/speed.md prints the figures of the last full runs', async () => {
  await expectPrinted('docs/reference/speed.md', speedPage(readKept()));
});

it('test/bench/measured.json has rows of today and the operations of today, and no others', () => {
  const { bench, scale } = readKept();
  // a new row has no figure until the next full run, which measures every row
  expect(Object.keys(rows)).toEqual(expect.arrayContaining(Object.keys(bench?.figures ?? {})));
  expect(Object.keys(scale?.figures ?? {})).toEqual(['1000', '10000', '100000']);
  for (const figures of Object.values(scale?.figures ?? {}))
    expect(Object.keys(figures).toSorted()).toEqual(operations.toSorted());
});

testEveryPageIsPrinted();
