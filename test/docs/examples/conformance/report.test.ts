import { existsSync, readFileSync } from 'node:fs';
import type { ConformanceReport, Run, Scenario } from 'agentcharter/testing';
import { describe, expect, test } from 'vitest';
import { aiSdkSubject, startOnAiSdk } from '../../../../docs/examples/conformance/ai-sdk-subject.ts';
import {
  langgraphSubject,
  startOnLangGraph,
} from '../../../../docs/examples/conformance/langgraph-subject.ts';
import {
  exitCodeOf,
  orchestratorNames,
  orchestrators,
} from '../../../../docs/examples/conformance/orchestrators.ts';
import { comparisonPage } from '../../../../docs/examples/conformance/page.ts';
import { lineOf } from '../../../../docs/examples/conformance/words.ts';
import { workOf } from '../../../../docs/examples/conformance/scenario.ts';
import type { Work } from '../../../../docs/examples/conformance/work.ts';
import { reportOn, reportOnAll, rulesOf } from './reports.ts';

const folder = new URL('../../../../docs/examples/conformance/', import.meta.url);
const reports = await reportOnAll();
const programs = ['langgraph', 'ai-sdk'] as const;

const verdictsIn = ({ rules }: ConformanceReport): string =>
  rules.map(({ id, verdict }) => `${id.padEnd(31)} ${verdict}\n`).join('');

describe('Each compared orchestrator', () => {
  test.each(orchestratorNames)('%s has the printed verdicts', async (name) => {
    expect(reports[name].counts.rules).toBeGreaterThan(50);
    await expect(verdictsIn(reports[name])).toMatchFileSnapshot(`printed/${name}.txt`);
  });

  test.each(orchestratorNames)('%s delivers in the control scenario', (name) => {
    expect(rulesOf(reports[name], 'holds')).toEqual(
      expect.arrayContaining(['uaicp-4.1-deliver', 'uaicp-5.3-approval', 'uaicp-5.2-asked']),
    );
  });

  test.each(orchestratorNames)(
    '%s breaks rules by its behaviour, and none by an error of its adapter',
    (name) => {
      const traces = reports[name].rules.flatMap(({ trace }) => trace);
      expect(reports[name].counts.scenarios).toBeGreaterThan(30);
      expect(traces.filter(({ kind }) => kind === 'threw')).toEqual([]);
    },
  );
});

test('AgentCharter holds every rule, and offers every capability', () => {
  const { rules, holds, broken, notShown, notOffered } = reports.ours.counts;
  expect({ holds, broken, notShown, notOffered }).toEqual({
    holds: rules,
    broken: 0,
    notShown: 0,
    notOffered: 0,
  });
});

test('The exit code is 0 only when every rule holds', () => {
  const { counts } = reports.ours;
  expect(exitCodeOf({ counts })).toBe(0);
  expect(exitCodeOf({ counts: { ...counts, holds: counts.holds - 1 } })).toBe(1);
  expect(exitCodeOf({ counts: { ...counts, rules: 0, holds: 0 } })).toBe(1);
  expect(exitCodeOf(reports.langgraph)).toBe(1);
});

/** Asks for no evidence, no verifier and no approval. */
const askNothing = (work: Work): Work => ({
  tools: work.tools.map((tool) => ({ ...tool, isRisky: false })),
  requiredEvidence: [],
  verifiers: [],
  repairs: work.repairs,
});
const starts: Record<(typeof programs)[number], (scenario: Scenario, work: Work) => Run> = {
  langgraph: startOnLangGraph,
  'ai-sdk': startOnAiSdk,
};

describe('The comparison’s adapters', () => {
  test.each(programs)('give %s no guarantee that it was not asked for', async (name) => {
    const subject = name === 'langgraph' ? langgraphSubject : aiSdkSubject;
    const start = (scenario: Scenario): Run => starts[name](scenario, askNothing(workOf(scenario)));
    const asked = [
      'uaicp-4.1-repair-bounded',
      'uaicp-5.1-required',
      'uaicp-5.1-source',
      'uaicp-5.2-asked',
      'uaicp-5.2-pass',
      'uaicp-5.2-partial',
      'uaicp-5.2-throws',
      'uaicp-5.3-unapproved',
      'uaicp-5.3-approval-request',
      'uaicp-5.3-approval-refused',
    ];
    expect(rulesOf(reports[name], 'holds')).toEqual(expect.arrayContaining(asked));
    expect(rulesOf(await reportOn({ ...subject, start }), 'broken')).toEqual(expect.arrayContaining(asked));
  });

  test.each(programs)('mark for %s only rules without the needed capability as not offered', (name) => {
    const lacks: readonly string[] = orchestrators[name].subject.lacks;
    const untested = reports[name].rules.filter(({ verdict }) => verdict === 'not offered');
    expect(untested.length).toBeGreaterThan(20);
    expect(untested.filter((rule) => !rule.lacks.some((capability) => lacks.includes(capability)))).toEqual(
      [],
    );
    expect(new Set(untested.flatMap((rule) => rule.lacks))).toEqual(new Set(lacks));
  });
});

describe('docs/examples/conformance/report.md', () => {
  const page = comparisonPage(reports);

  test('equals the reports', async () => {
    await expect(page).toMatchFileSnapshot(new URL('report.md', folder).pathname);
  });

  test.each(programs)('%s breaks each rule by the printed events', async (name) => {
    const broken = reports[name].rules.filter(({ verdict }) => verdict === 'broken');
    const lines = broken.map(({ id, trace }) => `${id}: ${lineOf(trace)}\n`);
    for (const line of lines) expect(line).toMatch(/: plan 1 > .* > rests in \w+\n$/);
    await expect(lines.join('')).toMatchFileSnapshot(`printed/${name}-traces.txt`);
  });

  test('lists every rule, each broken rule, and the observations of each unshown rule', () => {
    const faults = programs.flatMap((name) => rulesOf(reports[name], 'broken'));
    const unshown = programs.flatMap((name) => rulesOf(reports[name], 'not shown'));
    for (const { id } of reports.ours.rules) expect(page).toContain(`\`${id}\``);
    expect(page.match(/\| broken: \S/gm)).toHaveLength(faults.length);
    expect(page.match(/\| not shown: saw \d+ of at least \d+ /gm)).toHaveLength(unshown.length);
  });

  test('names existing files and the installed versions', () => {
    const files = [...page.matchAll(/\]\(([\w-]+\.ts)\)/g)].map(([, file = '']) => file);
    expect(files.filter((file) => existsSync(new URL(file, folder)))).toEqual([
      'agentcharter.ts',
      'langgraph.ts',
      'ai-sdk.ts',
      'work.ts',
    ]);
    for (const name of ['@langchain/langgraph', '@langchain/core', 'ai']) {
      const manifest = new URL(`../../../node_modules/${name}/package.json`, folder);
      const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
      expect(page).toContain(`${name} ${version}`);
    }
  });
});
