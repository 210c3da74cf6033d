import { missingOf } from '../needs.ts';
import { faults } from './faults.ts';
import { taskFaults } from './task-faults.ts';
import { agree, isFound, opinionOn, opinionsOn } from './opinions.ts';
import { enlarged, verdictOn } from './resumers/verdict.ts';
import { designs, variants } from './resumers/variants.ts';
import { verdictOn as verdictOnNodes } from './nodes/verdict.ts';
import { designs as nodeDesigns, variants as nodeVariants } from './nodes/variants.ts';
import { told } from './told.ts';
import { scenarios } from './scenarios.ts';

const showWorlds = async (): Promise<boolean> => {
  let isSame = true;
  for (const scenario of scenarios) {
    const { machine, world } = scenario;
    const opinions = await opinionsOn(scenario);
    const { spin, typescript } = opinions;
    const kinds = Object.keys(spin.steps).length;
    isSame &&= agree(opinions);
    console.log(
      `${agree(opinions) ? 'same' : 'DIFFERENT'}: ${spin.states} states, ${typescript.settled} of them settled, ` +
        `${typescript.edges} steps of ${kinds} kinds of the ${machine.id} chart in "${world.name}"`,
    );
  }
  return isSame;
};

const showFaults = async (): Promise<boolean> => {
  let isSharp = true;
  for (const fault of [...faults, ...taskFaults]) {
    const verdict = await opinionOn(fault);
    const isKnown = isFound(fault, verdict);
    isSharp &&= isKnown;
    console.log(
      `\n${isKnown ? 'found' : 'MISSED'}: ${fault.name}, by "${verdict.broken ?? 'every run ends'}"`,
    );
    for (const fact of verdict.trail) console.log(`  ${told(fact)}`);
  }
  return isSharp;
};

const showResumers = async (): Promise<boolean> => {
  let isKnown = true;
  const larger = designs.flatMap((design) => design.larger.map((size) => enlarged(design, size)));
  for (const variant of [...designs, ...variants, ...(process.env.SPIN === 'full' ? larger : [])]) {
    const { states, breaks, way } = await verdictOn(variant);
    const isSame = states === variant.states && breaks.join() === variant.breaks.join();
    isKnown &&= isSame;
    console.log(
      `\n${isSame ? 'known' : 'UNKNOWN'}: ${variant.processes} resumers, ${variant.crashes} crashes, ${states} states: ` +
        `${variant.name}: ${breaks.length === 0 ? 'holds' : `breaks ${breaks.join(', ')}`}`,
    );
    for (const step of way) console.log(`  ${step}`);
  }
  return isKnown;
};

const showNodes = async (): Promise<boolean> => {
  let isKnown = true;
  for (const variant of [...nodeDesigns, ...nodeVariants]) {
    const { states, breaks, way } = await verdictOnNodes(variant);
    const isSame = breaks.join() === variant.breaks.join();
    isKnown &&= isSame;
    console.log(
      `\n${isSame ? 'known' : 'UNKNOWN'}: nodes, ${variant.crashes} crashes, ${states} states: ` +
        `${variant.name}: ${breaks.length === 0 ? 'holds' : `breaks ${breaks.join(', ')}`}`,
    );
    for (const step of way) console.log(`  ${step}`);
  }
  return isKnown;
};

const lacking = missingOf(['spin', 'gcc']);
if (lacking !== null) console.error(`Spin checked nothing. ${lacking}`);
const shows = [showWorlds, showFaults, showResumers, showNodes];
for (const show of lacking === null ? shows : []) if (!(await show())) process.exitCode = 1;
if (lacking !== null) process.exitCode = 1;
