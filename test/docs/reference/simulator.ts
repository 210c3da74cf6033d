import { faults } from '../../src/testing/simulator/faults/index.ts';
import { most } from '../../src/testing/simulator/faulted.ts';
import { classes } from '../../nightly/classes.ts';
import { page, table } from './markdown.ts';

/** Which faults the simulator finds, and how many orders are tried. */
export const simulatorPage = (): string => {
  const { quick, ci, night } = classes.simulator;
  return page(
    'What the simulator finds',
    `See which defects [the simulator](../embed/simulator.md) finds in this library. Each of these ${faults.length} is planted alone in a copy of the code, and found within ${most} orders of seed 1 by the law that it breaks. Most are defects that the library once had ([changes](../../CHANGELOG.md)).`,
    `Without a fault, no law breaks in any order of its charters: \`npm test\` tries ${quick}, CI ${ci}, the night ${night}. The differential model reads each ledger that they write.`,
    table(
      ['a library that …', 'charter', 'breaks the law'],
      faults.map(({ name, charter, law }) => [name, charter, law]),
    ),
  );
};
