import { describe, expect, it } from 'vitest';
import { capacityOf, loadLines, percentile, waitingLines, type ClusterFigures } from './cluster-rows.ts';
import type { Waiting } from './subjects/waiting.ts';

type Line = ClusterFigures['loads'][number];

const load = (of: Partial<Line>): Line => ({
  engine: 'agentcharter',
  nodes: 1,
  atOnce: 16,
  runsPerSecond: 50,
  p50: 10,
  p99: 20,
  nodeCpu: 20,
  serverCpu: 10,
  transactions: 12,
  syncs: 6,
  logged: 45_000,
  connections: 11,
  ...of,
});

const waiting = (take: number): Waiting => ({
  submit: 1,
  question: 1,
  answer: 1,
  inbox: 1,
  list: 1,
  take,
});

describe('A percentile', () => {
  it('is a value that was measured', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([percentile(values, 0.5), percentile(values, 0.99)]).toEqual([51, 100]);
    expect(percentile([7], 0.99)).toBe(7);
  });

  it('is no number without values', () => {
    expect(percentile([], 0.5)).toBeNaN();
  });
});

describe('The table of loads', () => {
  it('keeps the loads of an engine together, smaller ones first', () => {
    const lines = loadLines([
      load({ engine: 'pg-boss' }),
      load({ nodes: 4 }),
      load({ atOnce: 1 }),
      load({ nodes: 2 }),
    ]);
    expect(lines.slice(1).map(([engine, nodes, runs]) => [engine, nodes, runs])).toEqual([
      ['AgentCharter', '1', '1'],
      ['AgentCharter', '2', '32'],
      ['AgentCharter', '4', '64'],
      ['pg-boss', '1', '16'],
    ]);
    expect(new Set(lines.map(({ length }) => length)).size).toBe(1);
  });
});

describe('The table of a growing server', () => {
  it('compares the largest store with the smallest, in the order of their sizes', () => {
    const lines = waitingLines({ 10000: waiting(2.1), 1000: waiting(1), 2000: waiting(50) });
    expect(lines[0]).toEqual(['ms', '1,000', '2,000', '10,000', 'growth', 'verdict']);
    expect(lines.at(-1)?.slice(1)).toEqual(['1.00', '50.0', '2.10', '2.10 x', 'missed']);
    expect(lines.filter((line) => line.at(-1) === 'met')).toHaveLength(5);
  });
});

describe('What one server carries', () => {
  const figures = { commit: 2, locked: 450, waiting: {}, parked: 12_000, settled: 20_000 };

  it('follows from the load of ours with the most nodes', () => {
    const loads = [
      load({ serverCpu: 1, nodeCpu: 1 }),
      load({ nodes: 4, connections: 44 }),
      load({ engine: 'pg-boss', nodes: 8 }),
    ];
    expect(capacityOf({ ...figures, loads })).toEqual({
      begun: 500,
      server: 10,
      node: 20,
      log: 45_000,
      connections: 11,
      nodes: 8,
    });
  });

  it('is not known without a load of ours', () => {
    expect(capacityOf({ ...figures, loads: [load({ engine: 'langgraph' })] })).toBeNull();
  });
});
