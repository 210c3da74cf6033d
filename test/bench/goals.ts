/** How a figure reads: a ratio, bytes, or calls of functions. */
export type Unit = 'x' | 'bytes' | 'calls';

export interface Goal {
  readonly is: 'at most' | 'at least';
  readonly value: number;
}

/** A line of a table: what is measured, and how far it should come. */
export interface Row {
  readonly what: string;
  /** What a ratio is beside. */
  readonly beside: string;
  readonly unit: Unit;
  /** `null` for a figure that is there to compare. */
  readonly goal: Goal | null;
}

const atMost = (value: number): Goal => ({ is: 'at most', value });
const atLeast = (value: number): Goal => ({ is: 'at least', value });

const row = (what: string, beside: string, goal: Goal | null = null, unit: Unit = 'x'): Row => ({
  what,
  beside,
  goal,
  unit,
});

const floor = 'hand-written switch';
const floorRead = 'hand-written switch, read only';

/** What `npm run bench` measures, in the order of its table. */
export const rows = {
  orchestrator: row('gated run, every guarantee', floor, atMost(250)),
  flows: row('gated run, its write has flows', 'gated run, in the same process', atMost(1.1)),
  chart: row('the chart alone in that run', floor, atMost(80)),
  straight: row('read-only run, every guarantee', floorRead, atMost(120)),
  first: row('first 500 gated runs of a process', 'first 500 of OpenAI Agents', atMost(2)),
  allocated: row('bytes allocated by a gated run', 'Mastra', atMost(1.2)),
  calls: row('function calls of a gated run', 'calls', atMost(6_000), 'calls'),
  xstate: row('the work as a small XState chart', floor),
  'ai-sdk': row('AI SDK', floor),
  'openai-agents': row('OpenAI Agents', floor),
  mastra: row('Mastra', floor),
  langgraph: row('LangGraph', floor),
  guard: row('a call through the guard', floor, atMost(56)), // a tenth of what was measured first
  guardBesideLoop: row('a call through the guard', "a call in the AI SDK's tool loop"),
  commitCpu: row('durable commit, CPU time', 'the driver alone, same writes', atMost(1.2)),
  commitWall: row('durable commit, wall time', 'the driver alone, same writes', atMost(1.2)),
  durable: row('durable gated runs a second, 16 at once', 'Mastra, same driver and sync', atLeast(1)),
  loopDelay: row('event-loop delay (p99), 16 at once', 'the driver alone, same writes', atMost(2)),
  parked: row('a task that waits, stored beyond what it was given', 'bytes', atMost(1_024), 'bytes'),
  coldImport: row('importing the package, CPU time', 'importing xstate and zod', atMost(1.3)),
  install: row('bytes installed', 'xstate, zod, jose and uuid', atMost(1.45)),
  verifyFew: row('verifying 1,000 records', 'SHA-256 of the same bytes', atMost(6)),
  verifyMany: row('verifying 100,000 records', 'SHA-256 of the same bytes', atMost(6)),
  verifyApprovals: row('verifying 1,000 records and their approvals', 'the same without their keys'),
  explore: row('exploring a chart, states a second', 'the faster of @xstate/graph', atLeast(1.5)),
  simplePaths: row('110,000 simple paths, paths a second', 'getSimplePaths', atLeast(1_000)),
} as const satisfies Readonly<Record<string, Row>>;

export type RowName = keyof typeof rows;

export interface Figure {
  readonly value: number;
  /** The two figures behind a ratio, in their units. */
  readonly of: string;
}

export type Measured = Readonly<Partial<Record<RowName, Figure>>>;

/** Whether a figure meets its goal; `null` without a goal. */
export const isMet = ({ goal }: Row, { value }: Figure): boolean | null => {
  if (goal === null) return null;
  return goal.is === 'at most' ? value <= goal.value : value >= goal.value;
};
