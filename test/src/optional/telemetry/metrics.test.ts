import { readFile } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { openTelemetryMetrics } from '../../../../src/optional/telemetry/index.ts';
import { counters, gauges } from '../../../../src/optional/telemetry/metrics.ts';
import { scene } from '../../core/shell/scene.ts';
import { call, draft, later, plan, readTool } from '../../core/shell/scripted.ts';
import { settle } from '../../core/shell/simulated-clock.ts';
import { exposed, samplesIn } from './exposed.ts';

const folder = new URL('../../../../docs/embed/operate/', import.meta.url);

it('tells Prometheus what is owed now, and what the process has done', async () => {
  const read = later();
  const scenario = scene({
    model: [plan([call('look')]), draft()],
    tools: [readTool('look', { call: () => read.promise })],
  });
  const taskId = await scenario.submit();
  await scenario.clock.advance(4_000);
  const stats = vi.fn(scenario.orchestrator.stats);
  const { read: scrape, stop } = exposed({ stats });
  expect(samplesIn(await scrape())).toMatchObject({
    agentcharter_tasks: 1,
    agentcharter_tasks_owed: 1,
    agentcharter_tasks_owed_age: 4,
    agentcharter_tasks_held: 1,
    agentcharter_tasks_settled: 0,
    agentcharter_slots_most: 8,
    agentcharter_slots_used: 1,
    agentcharter_steps_stored_total: 4,
  });
  read.resolve({ found: true });
  await settle();
  await scenario.ended(taskId);
  expect(samplesIn(await scrape())).toMatchObject({
    agentcharter_tasks_owed: 0,
    agentcharter_tasks_owed_age: 0,
    agentcharter_tasks_settled: 1,
    agentcharter_slots_used: 0,
  });
  expect(stats).toHaveBeenCalledTimes(2);
  stop();
  await scrape();
  expect(stats).toHaveBeenCalledTimes(2);
});

it('says that the store does not answer, and goes on when it does', async () => {
  const scenario = scene();
  let isGone = true;
  const { read } = exposed({
    stats: async () =>
      isGone ? Promise.reject(new Error('the store is gone')) : scenario.orchestrator.stats(),
  });
  expect(samplesIn(await read())).toEqual({ agentcharter_store_answers: 0 });
  isGone = false;
  expect(samplesIn(await read())).toMatchObject({ agentcharter_store_answers: 1, agentcharter_tasks: 0 });
});

it('refuses what is no meter', () => {
  const { orchestrator } = scene();
  expect(() => openTelemetryMetrics(orchestrator, { meter: {} as never })).toThrow(
    expect.objectContaining({ code: 'definition_invalid' }),
  );
  expect(() => openTelemetryMetrics({} as never)).toThrow('orchestrator.stats must be a function');
});

/** The names of all figures as Prometheus has them. */
const exposedNames = async (): Promise<ReadonlySet<string>> =>
  new Set(Object.keys(samplesIn(await exposed(scene().orchestrator).read())));

const namesIn = (expression: string): readonly string[] => expression.match(/agentcharter_\w+/g) ?? [];

it('has a name of its own for each figure', async () => {
  const all = [...Object.keys(gauges), ...Object.keys(counters)];
  expect(new Set(all).size).toBe(all.length);
  expect((await exposedNames()).size).toBe(all.length + 1);
});

it('has a dashboard that asks for figures that exist', async () => {
  const dashboard = JSON.parse(await readFile(new URL('dashboard.json', folder), 'utf8')) as {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  };
  const asked = dashboard.panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => namesIn(expr)));
  expect(asked.length).toBeGreaterThan(15);
  const known = await exposedNames();
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
});

it('has alert rules about figures that exist, each with what to do', async () => {
  const rules = parse(await readFile(new URL('alerts.yaml', folder), 'utf8')) as {
    readonly groups: readonly {
      readonly rules: readonly {
        readonly alert: string;
        readonly expr: string;
        readonly annotations: { readonly summary: string; readonly description: string };
      }[];
    }[];
  };
  const known = await exposedNames();
  const all = rules.groups.flatMap((group) => group.rules);
  expect(all.length).toBeGreaterThan(5);
  for (const { alert, expr, annotations } of all) {
    expect(namesIn(expr).length, alert).toBeGreaterThan(0);
    expect(
      namesIn(expr).filter((name) => !known.has(name)),
      alert,
    ).toEqual([]);
    expect(annotations.summary, alert).toMatch(/\S/);
    expect(annotations.description, alert).toMatch(/\S/);
  }
});
