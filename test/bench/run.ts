import { peersFolder, translate } from './apart.ts';
import { missingPeers } from './engines/registry.ts';
import { rows, type Measured, type RowName } from './goals.ts';
import { circumstances, keep } from './kept.ts';
import {
  measureAllocated,
  measureFlows,
  measureGated,
  measureGuard,
  measureStraight,
} from './measurements/engines.ts';
import { measureExploration, measureVerify } from './measurements/ledgers.ts';
import { measureImport, measureInstall } from './measurements/package.ts';
import { measureCommits, measureDurable, measureParked } from './measurements/stores.ts';
import { isFull, only, progress, rounds, runs } from './settings.ts';
import { cellsOf, columns, heads } from './table.ts';

// What the library costs, each figure beside a reference of the same round: these machines are noisy, so it is the ratios
// that count. BENCH_ROUNDS and BENCH_RUNS make it short, BENCH_ONLY=gated measures a part.

const missing = missingPeers(peersFolder);
const arePeersInstalled = missing === null;

const measurements: Readonly<Record<string, () => Promise<Measured>>> = {
  gated: () => measureGated(arePeersInstalled),
  allocated: () => measureAllocated(arePeersInstalled),
  flows: measureFlows,
  straight: measureStraight,
  guard: () => measureGuard(arePeersInstalled),
  commits: measureCommits,
  durable: () => measureDurable(arePeersInstalled),
  parked: measureParked,
  import: measureImport,
  install: measureInstall,
  verify: measureVerify,
  explore: measureExploration,
};

if (missing !== null) console.error(missing);
progress('translating the subjects');
await translate();

let figures: Measured = {};
for (const [name, measure] of Object.entries(measurements))
  if (name.includes(only)) figures = { ...figures, ...(await measure()) };

const names = (Object.keys(rows) as RowName[]).filter((name) => only === '' || figures[name] !== undefined);
console.log(`\nmedians of ${rounds} rounds of ${runs} runs`);
console.log(columns([heads, ...names.map((name) => cellsOf(rows[name], figures[name]))]));

if (isFull && only === '' && arePeersInstalled) {
  keep({ bench: { circumstances: circumstances(rounds, runs), figures } });
  console.log(
    '\nKept in test/bench/measured.json. Print the page: npx vitest run --config test/vitest.config.ts test/docs/reference/speed.test.ts -u',
  );
} else console.log('\nNot kept: only a full run with every peer is.');
