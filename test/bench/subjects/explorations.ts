import { getAdjacencyMap, getShortestPaths, getSimplePaths } from '@xstate/graph';
import { explore, simplePaths } from 'agentcharter/testing';
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate';
import { keysOf } from '../../../src/testing/key.ts';
import { explored, walked, type Subject } from '../charts.ts';

/** What one engine did with one chart. */
export interface Explored {
  /** States, or simple paths. */
  readonly found: number;
  readonly cpuMs: number;
  /** What the result keeps on the heap. */
  readonly heapMb: number;
  readonly peakMb: number;
}

interface Result {
  readonly found: number;
  /** Kept until it was measured. */
  readonly kept: unknown;
}

type Engine = (subject: Subject) => Result;
type Tool = (machine: AnyStateMachine, options: object) => unknown;

/** The same key, the same events, those left out that are refused: @xstate/graph has no other way than to ask first. */
const optionsOf = ({ machine, exploration: { input, events, project = (whole) => whole } }: Subject) => {
  const eventsOf = typeof events === 'function' ? events : () => events;
  return {
    input,
    serializeState: keysOf(machine, project),
    events: (snapshot: AnyMachineSnapshot): readonly EventObject[] =>
      snapshot.status === 'active' ? eventsOf(snapshot).filter((event) => snapshot.can(event)) : [],
  };
};

const listed =
  (tool: Tool): Engine =>
  (subject) => {
    const kept = tool(subject.machine, optionsOf(subject)) as object;
    return { found: Object.keys(kept).length, kept };
  };

export const explores: Readonly<Record<string, Engine>> = {
  explore: ({ machine, exploration }) => {
    const kept = explore(machine, exploration);
    return { found: kept.states.length, kept };
  },
  getAdjacencyMap: listed(getAdjacencyMap as Tool),
  getShortestPaths: listed(getShortestPaths as Tool),
};

export const walks: Readonly<Record<string, Engine>> = {
  simplePaths: ({ machine, exploration }) => {
    let found = 0;
    for (const { steps } of simplePaths(explore(machine, exploration))) found += steps.length === -1 ? 0 : 1;
    return { found, kept: null };
  },
  getSimplePaths: listed(getSimplePaths as Tool),
};

const mb = (bytes: number): number => bytes / 2 ** 20;
const heap = (): number => {
  globalThis.gc?.();
  return mb(process.memoryUsage().heapUsed);
};

/** One run, measured. */
const measure = (engine: Engine, subject: Subject): Explored => {
  const before = heap();
  const cpu = process.cpuUsage();
  const { found, kept } = engine(subject);
  const { user, system } = process.cpuUsage(cpu);
  const after = heap();
  return {
    found,
    cpuMs: kept === undefined ? Number.NaN : (user + system) / 1_000,
    heapMb: Math.max(0, after - before),
    peakMb: mb(process.resourceUsage().maxRSS * 1_024),
  };
};

export interface ExploreOf {
  readonly chart: string;
  readonly engine: string;
}

/** Explores a chart by one engine: a small one of its kind to warm up, then the chart itself. */
export const measureExploration = async ({ chart, engine }: ExploreOf): Promise<Explored> => {
  const trialOf = { ...explored, ...walked }[chart];
  const run = { ...explores, ...walks }[engine];
  if (trialOf === undefined || run === undefined) throw new RangeError(`no ${engine} of ${chart}`);
  const { subject, small } = trialOf();
  run(small);
  return measure(run, subject);
};
