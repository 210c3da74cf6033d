import { expect, it } from 'vitest';
import { laws } from '../../cluster/history.ts';
import { readKept } from '../../cluster/kept.ts';
import { faultKinds } from '../../cluster/events.ts';
import { plantedFaults } from '../../cluster/planted.ts';
import { hunts } from '../../cluster/plans.ts';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import { clusterPage } from './cluster.ts';
import { itemsIn } from './markdown.ts';

it('docs/reference/cluster.md prints the faults, the laws and the take-over times of the last long trial', async () => {
  const page = clusterPage(readKept());
  await expectPrinted('docs/reference/cluster.md', page);
  expect(itemsIn(page)).toBe(faultKinds.length + plantedFaults.length);
});

it('test/cluster/measured.json says that a law found each planted fault', () => {
  const { planted } = readKept();
  expect(Object.keys(planted).toSorted()).toEqual(plantedFaults.toSorted());
  for (const fault of plantedFaults) {
    const found = planted[fault] ?? [];
    expect(found).not.toEqual([]);
    expect(hunts[fault].laws).toEqual(expect.arrayContaining([...found]));
    expect(Object.keys(laws)).toEqual(expect.arrayContaining([...found]));
  }
});

testEveryPageIsPrinted();
