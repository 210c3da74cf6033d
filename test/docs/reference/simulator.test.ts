import { it } from 'vitest';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import { simulatorPage } from './simulator.ts';

it('docs/reference/simulator.md prints the planted faults', async () => {
  await expectPrinted('docs/reference/simulator.md', simulatorPage());
});

testEveryPageIsPrinted();
