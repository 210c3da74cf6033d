import { isMet, rows, type RowName } from '../../bench/goals.ts';
import type { Circumstances, Kept } from '../../bench/kept.ts';
import { scaleLines } from '../../bench/scale-rows.ts';
import { cellsOf, heads } from '../../bench/table.ts';
import { page, table } from './markdown.ts';

const work = `\`npm run bench\` measures the same work with every engine. A **gated run** plans one call of a tool, waits for an approval, makes the
call, keeps its result as evidence, verifies it and delivers. A **read-only run** does the same without the approval. The tools
do nothing, so that only the engines are measured. The **hand-written switch** does the work in a \`switch\` with no guarantee: it is the unit.

Our orchestrator gives every guarantee in these runs: schemas, a sealed ledger, recomputed evidence, a required verifier, a policy, and for the
write a signed approval that counts once. The other frameworks give none of these guarantees.`;

const how = `- Each engine runs in a process of its own. A figure is the median of the ratios of several rounds; the engines of a round run
  one after another, in a shuffled order.
- "Once warm" is the mean of the last 30 % of the runs of a process. It holds for every row that does not say "first".
- Times are CPU time of the process, garbage collection included, unless a row says wall time.
- A call through the guard is what a run of nine calls costs beyond a run of one, divided by eight.
- "The driver alone" makes the writes that our store makes, statement by statement, with the same settings and no other work. Under the
  load of the event-loop row it writes one step in each turn of the loop.
- Both stores sync every commit (\`synchronous = FULL\`). Mastra's own setting is \`NORMAL\`, which can lose the last commits.
- The bytes of a waiting task are those by which the file grows. What the host and the model gave is the request, the plan and the decision of the policy.`;

const limits = `Figures are from one machine. Compare ratios, and not microseconds. Not measured: models, tools, networks and other
databases, which take most of the time of a real run.`;

const commands = `\`\`\`sh
npm ci --prefix test/bench/peers  # the other frameworks; without them their rows are not measured
npm run bench                     # BENCH_ROUNDS=1 BENCH_RUNS=300 makes it short, BENCH_ONLY=durable measures a part
npm run bench:scale               # BENCH_TASKS=1000000 adds a larger store
\`\`\``;

const circumstancesOf = ({ on, machine, node, rounds, runs, versions }: Circumstances): string => {
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const size = `${rounds} rounds${runs === null ? '' : ` of ${runs.toLocaleString('en-US')} runs`}`;
  return `Measured on ${on}: ${machine}, Node ${node}, ${size}. ${names.join(', ')}.`;
};

const count = (verdict: boolean, { figures }: NonNullable<Kept['bench']>): number =>
  Object.entries(figures).filter(([name, figure]) => isMet(rows[name as RowName], figure) === verdict).length;

const benchParts = (bench: NonNullable<Kept['bench']>): readonly string[] => [
  circumstancesOf(bench.circumstances),
  `Goals met: ${count(true, bench)}. Goals missed: ${count(false, bench)}.`,
  table(
    heads,
    (Object.keys(rows) as RowName[]).map((name) => cellsOf(rows[name], bench.figures[name])),
  ),
];

const scaleParts = (scale: NonNullable<Kept['scale']>): readonly string[] => {
  const [head = [], ...lines] = scaleLines(scale.figures);
  return [circumstancesOf(scale.circumstances), table(head, lines)];
};

const notMeasured = ['Not measured yet.'];

/** The page of the figures that the last full runs kept. */
export const speedPage = ({ bench, scale }: Kept): string =>
  page(
    'Speed',
    work,
    '## How it is measured',
    how,
    commands,
    limits,
    '## Ratios and goals',
    ...(bench === null ? notMeasured : benchParts(bench)),
    '## Many tasks that wait',
    'CPU time of one operation on a SQLite store that holds so many tasks waiting for an approval. "Growth" compares the largest store with the smallest.',
    ...(scale === null ? notMeasured : scaleParts(scale)),
  );
