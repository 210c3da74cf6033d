import { charters } from '../../src/testing/simulator/charters/index.ts';
import { most } from '../../src/testing/simulator/faulted.ts';
import { faults } from '../../src/testing/simulator/faults/index.ts';
import { classes } from '../../nightly/classes.ts';
import { list, page } from './markdown.ts';

const namesOf = (law: string): string =>
  faults.flatMap((fault) => (fault.law === law ? [fault.name] : [])).join('; ');

/** Which faults the simulator finds, and how many orders are tried. */
export const simulatorPage = (): string => {
  const { quick, night } = classes.simulator;
  const laws = [...new Set(faults.map(({ law }) => law))].toSorted();
  return page(
    'What the simulator finds',
    `See which defects [the simulator](../embed/simulator.md) finds in this library. Each of ${faults.length} faults is planted alone in a copy of the code, and found within ${most} orders of seed 1.`,
    `Without a fault, no law may break in any order of ${Object.keys(charters).length} charters. \`npm test\` and CI try ${quick}; the night tries ${night} (\`npm run test:simulator\`).`,
    'A library that does this breaks this law:',
    list(laws.map((law) => [`**${law}**`, namesOf(law)])),
  );
};
