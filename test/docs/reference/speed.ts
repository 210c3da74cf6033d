import { isMet, rows, type RowName } from '../../bench/goals.ts';
import type { Kept } from '../../bench/kept.ts';
import { flat, scaleLines } from '../../bench/scale-rows.ts';
import { cellsOf, figures, heads } from '../../bench/table.ts';
import { circumstancesOf } from './circumstances.ts';
import { page } from './markdown.ts';

const work = `What AgentCharter costs, beside other frameworks. A **gated run** plans one call of a tool, waits for an approval, makes the call, keeps its
result as evidence, verifies it and delivers. A **read-only run** does the same without the approval. The
**hand-written switch** does the work without any guarantee: it is the unit.

Our orchestrator gives every guarantee: schemas, a sealed ledger, recomputed evidence, a verifier, a policy, a signed approval of the write. The others give
none of these.`;

const how = `- Each engine runs in its own process. A figure is the median ratio of several rounds, in shuffled order.
- A row without "first" is the mean of the last 30 % of the runs of a process. The desk's signature is measured apart.
- Times are CPU time with garbage collection, unless a row says wall time.
- Bytes and calls are those of a warm run, and do not depend on the load.
- A call through the guard: a run of nine calls, less a run of one, divided by eight.
- Runs with flows and without take turns in one process.
- "The driver alone" makes the same writes as our store, in the event-loop row one step in each turn of the loop.
- Both stores sync every commit (\`synchronous = FULL\`). Mastra's own setting is \`NORMAL\`, which can lose the last commits.
- Our durable figures include packing the steps of tasks that rest.
- The bytes of a waiting task are the growth of the file, less free pages. The given bytes are the request, the plan and the policy's decision.`;

const limits = `Compare ratios, not microseconds. Models, tools and networks are not measured.`;

const commands = `\`\`\`sh
npm ci --prefix test/bench/peers  # the other frameworks
npm run bench                     # BENCH_ROUNDS=1 BENCH_RUNS=300 makes it short, BENCH_ONLY=durable measures a part
npm run bench:scale               # BENCH_TASKS=1000000 adds a larger store
\`\`\``;

const count = (verdict: boolean, { figures: measured }: NonNullable<Kept['bench']>): number =>
  Object.entries(measured).filter(([name, figure]) => isMet(rows[name as RowName], figure) === verdict)
    .length;

const benchParts = (bench: NonNullable<Kept['bench']>): readonly string[] => [
  circumstancesOf(bench.circumstances),
  `Goals met: ${count(true, bench)}. Goals missed: ${count(false, bench)}.`,
  figures([
    heads,
    ...(Object.keys(rows) as RowName[])
      .filter((name) => bench.figures[name] !== undefined) // a new row appears once it was measured
      .map((name) => cellsOf(rows[name], bench.figures[name])),
  ]),
];

const scaleParts = (scale: NonNullable<Kept['scale']>): readonly string[] => [
  circumstancesOf(scale.circumstances),
  figures(scaleLines(scale.figures)),
];

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
    `CPU time of one operation on a SQLite store, by the number of tasks that wait for an approval. "Growth" compares the largest store with the smallest; the goal is at most ${flat} x.`,
    ...(scale === null ? notMeasured : scaleParts(scale)),
  );
