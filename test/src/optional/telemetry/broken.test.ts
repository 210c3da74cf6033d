import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Telemetry } from '../../../../src/index.ts';
import type { TaskTelemetry, WorkTelemetry } from '../../../../src/base/ports/telemetry.ts';
import { fails, passes, scene, type Given } from '../../core/shell/scene.ts';
import { call, draft, plan, readTool, writeTool } from '../../core/shell/scripted.ts';

const at = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
const breaks = (): never => {
  throw new Error('collector is gone');
};
const rejects = (): never => Promise.reject(new Error('collector is gone')) as never;
const work: WorkTelemetry = { at, run: (inner) => inner(), end: () => {} };
const task: TaskTelemetry = { at, step: () => {}, work: () => work, close: () => {} };
const telemetryOf = (given: Partial<TaskTelemetry>, work_: Partial<WorkTelemetry> = {}): Telemetry => ({
  begin: () => ({ ...task, work: () => ({ ...work, ...work_ }), ...given }),
});

const broken: Readonly<Record<string, Telemetry>> = {
  'begin throws': { begin: breaks },
  'begin rejects': { begin: rejects },
  'begin answers nothing': { begin: () => undefined as never },
  'step throws': telemetryOf({ step: breaks }),
  'step rejects': telemetryOf({ step: rejects }),
  'work throws': telemetryOf({ work: breaks }),
  'work answers nothing': telemetryOf({ work: () => undefined as never }),
  'its place is nonsense': telemetryOf({ at: { traceparent: 'nowhere' } }, { at: { traceparent: '' } }),
  'its place is missing': telemetryOf({ at: undefined as never }, { at: undefined as never }),
  'run throws before': telemetryOf({}, { run: breaks }),
  'run throws after': telemetryOf({}, { run: (inner) => [inner(), breaks()] }),
  'run never calls': telemetryOf({}, { run: () => {} }),
  'run calls twice': telemetryOf({}, { run: (inner) => [inner(), inner()] }),
  'run calls later': telemetryOf({}, { run: (inner) => void setTimeout(inner, 0) }),
  'end throws': telemetryOf({}, { end: breaks }),
  'end rejects': telemetryOf({}, { end: rejects }),
  'close throws': telemetryOf({ close: breaks }),
};

const given: Given = {
  model: [plan([call('look'), call('bad'), call('send')]), plan([call('look'), call('send')]), draft()],
  tools: [
    readTool('look'),
    readTool('bad', {
      call: () => {
        throw new Error('connection reset');
      },
    }),
    writeTool('send'),
  ],
  verifiers: { checker: fails },
  taskClass: { beforeDeliver: { verifiers: ['checker'] }, limits: { repairs: 1 } },
};

/** What a task did, without the identifiers of its trace. */
const trailOf = async (telemetry: Telemetry | undefined, more: Partial<Given> = {}) => {
  const scenario = scene({ ...given, ...more, options: { ...(telemetry && { telemetry }) } });
  const taskId = await scenario.submit();
  const { outcome, reasons } = await scenario.ended(taskId);
  const facts = await scenario.facts(taskId);
  await scenario.orchestrator.close();
  const errors = scenario.takeErrors();
  scenario.leave();
  const { invocations, undone } = scenario;
  const calls = invocations.map(({ tool, attempt }) => ({ tool, attempt }));
  return {
    outcome,
    codes: reasons.map(({ code }) => code),
    facts,
    calls,
    undone,
    errors,
  };
};

describe('telemetry that throws', () => {
  it.each(Object.entries(broken))('changes no task: %s', async (_, telemetry) => {
    const { errors, ...trail } = await trailOf(telemetry);
    const { errors: none, ...expected } = await trailOf(undefined);
    expect(trail).toEqual(expected);
    expect(none).toEqual([]);
    for (const error of errors) expect(error).toBeInstanceOf(Error);
  });

  it('is reported as an error of its task', async () => {
    const { errors } = await trailOf(telemetryOf({ step: breaks }));
    expect(errors.length).toBeGreaterThan(5);
    expect(new Set(errors.map(String))).toEqual(new Set(['Error: collector is gone']));
  });

  it('is tested by a subscriber that works: it receives every step', async () => {
    const steps: string[] = [];
    const { outcome } = await trailOf(
      telemetryOf({ step: ({ fact }) => void steps.push(fact ?? 'opened') }),
      { verifiers: { checker: passes } },
    );
    expect(outcome).toBe('success');
    expect(steps.length).toBeGreaterThan(8);
  });
});

/** Every package that a source file loads, through whatever it loads. */
const packagesOf = async (file: string, seen = new Set<string>()): Promise<ReadonlySet<string>> => {
  if (seen.has(file)) return new Set();
  seen.add(file);
  const source = await readFile(file, 'utf8');
  const specifiers = [
    ...source.matchAll(/^(?:import|export) (?!type)[^;]*?'([^']+)';$|\bimport\('([^']+)'\)/gms),
  ];
  const packages = new Set<string>();
  for (const [, named, loaded] of specifiers) {
    const specifier = named ?? loaded ?? '';
    const below = specifier.startsWith('.')
      ? await packagesOf(join(dirname(file), specifier), seen)
      : new Set([specifier]);
    for (const one of below) packages.add(one);
  }
  return packages;
};

const entry = (path: string): string => fileURLToPath(new URL(`../../../../src/${path}`, import.meta.url));

describe('OpenTelemetry', () => {
  it('is loaded only by its own entry point and not by the root', async () => {
    const root = await packagesOf(entry('index.ts'));
    expect([...root]).toEqual(expect.arrayContaining(['xstate', 'zod', 'uuid']));
    expect([...root].filter((name) => name.startsWith('@opentelemetry'))).toEqual([]);
    expect([...(await packagesOf(entry('optional/telemetry/index.ts')))]).toContain('@opentelemetry/api');
  });
});
