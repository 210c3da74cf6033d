import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { explored, walked } from './charts.ts';
import { inFolder } from './folder.ts';
import { operations } from './scale-rows.ts';
import { measureCalls } from './subjects/calls.ts';
import { measureCommits } from './subjects/commits.ts';
import { measureDurable } from './subjects/durable.ts';
import { explores, measureExploration, walks } from './subjects/explorations.ts';
import { fill } from './subjects/fill.ts';
import { measureFlows } from './subjects/flows.ts';
import { measureParked } from './subjects/parked.ts';
import { measureRuns } from './subjects/runs.ts';
import { measureScale } from './subjects/scale.ts';
import { measureSigned, measureVerify } from './subjects/verify.ts';

// Each subject runs once, so that a broken one fails here and not on the day that somebody measures. No time is asserted.

const isMeasured = expect.any(Number) as number;
const isSpent = { cpu: isMeasured, wall: isMeasured };

it('measures the first runs of a process, and warm ones', async () => {
  const figures = { first: isMeasured, warm: isMeasured };
  expect(await measureRuns({ engine: 'switch', mode: 'gated', runs: 4 })).toEqual(figures);
  expect(await measureRuns({ engine: 'orchestrator', mode: 'straight', runs: 2 })).toEqual(figures);
});

it('measures gated runs with flows and without', async () => {
  expect(await measureFlows({ runs: 1 })).toEqual({ plain: isMeasured, flowing: isMeasured });
});

it('measures a call through the guard, and one of the AI SDK', async () => {
  expect(await measureCalls({ of: 'guard', pairs: 1 })).not.toBeNaN();
  expect(await measureCalls({ of: 'ai-sdk', pairs: 1 })).not.toBeNaN();
});

it('measures a commit beside the driver alone, which writes the same', async () => {
  expect(await measureCommits({ tasks: 2 })).toEqual({ raw: isSpent, store: isSpent });
});

it.each(['orchestrator', 'driver'] as const)('measures durable runs of the %s', async (of) => {
  const { runsPerSecond, loopDelay } = await measureDurable({ of, runs: 2, warmUp: 1, atOnce: 2 });
  expect(runsPerSecond).toBeGreaterThan(0);
  expect(loopDelay).toBeGreaterThan(0);
});

it('measures the bytes of a task that waits', async () => {
  const { stored, given } = await measureParked({ tasks: 24 }); // fewer may fit into free pages;
  expect(stored).toBeGreaterThan(given);
  expect(given).toBeGreaterThan(100);
});

it('measures the verification of a ledger that is intact', async () => {
  expect(await measureVerify({ records: 40, times: 1 })).toEqual({
    verify: isMeasured,
    hash: isMeasured,
    bytes: isMeasured,
  });
});

it('measures the verification of a ledger with approvals that the given keys signed', async () => {
  const { checked, unchecked, approvals } = await measureSigned({ records: 40, times: 1 });
  expect([checked, unchecked]).toEqual([isMeasured, isMeasured]);
  expect(approvals).toBeGreaterThan(0);
});

it.each([
  ['counters, 1,000 states', Object.keys(explores)],
  ['crossings, 10', Object.keys(walks)],
])('finds the same in %s by every engine', async (chart, engines) => {
  expect({ ...explored, ...walked }).toHaveProperty([chart]);
  const found = new Set<number>();
  for (const engine of engines) found.add((await measureExploration({ chart, engine })).found);
  expect(found.size).toBe(1);
});

it('measures a store of many tasks, copies among them', () =>
  inFolder(async (folder) => {
    const base = join(folder, 'base.db');
    const answered = await fill({ file: base, copies: 5, real: 2 });
    const file = join(folder, 'tasks.db');
    copyFileSync(base, file);
    const figures = await measureScale({ file, answered, times: 1 });
    expect(Object.keys(figures).toSorted()).toEqual(operations.toSorted());
    for (const figure of Object.values(figures)) expect(figure).toBeGreaterThan(0);
  }));
