import { expect, it } from 'vitest';
import { waitingOperations } from '../../bench/cluster-rows.ts';
import { readKept } from '../../bench/kept.ts';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import { sizingPage } from './sizing.ts';

it('docs/reference/sizing.md prints the figures of the last full run', async () => {
  await expectPrinted('docs/reference/sizing.md', sizingPage(readKept()));
});

it('docs/reference/sizing.md has at most 450 words of prose', () => {
  const prose = sizingPage(readKept())
    .replaceAll(/^```.*?^```$/gms, '')
    .split('\n')
    .filter((line) => !/^[|#<]/.test(line) && !line.startsWith('Measured on'));
  expect(prose.join(' ').split(/\s+/).length).toBeLessThanOrEqual(450);
});

it('test/bench/measured.json has the operations of today for each number of waiting tasks', () => {
  const { waiting = {} } = readKept().cluster?.figures ?? {};
  for (const figures of Object.values(waiting))
    expect(Object.keys(figures).toSorted()).toEqual(waitingOperations.toSorted());
});

testEveryPageIsPrinted();
