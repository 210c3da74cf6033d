import { describe, expect, it } from 'vitest';
import {
  capabilities,
  conformance,
  conformancePage,
  type Documents,
  type Run,
  type Subject,
} from '../../../../src/testing/conformance/index.ts';
import { conformanceReport, reportOn } from '../../../../src/testing/conformance/report.ts';
import { rules } from '../../../../src/testing/conformance/rules/index.ts';
import { scenarios } from '../../../../src/testing/conformance/scenarios/index.ts';
import type { Seen } from '../../../../src/testing/conformance/seen.ts';
import { brokenIn, heldIn, turnsClock } from './findings.ts';
import { plain } from './plain/subject.ts';

const patient = { clock: turnsClock, patience: 3_000 };

const nothing: Documents = { envelopes: [], evidence: [], reports: [], audit: [], chunks: [], result: null };
type Kind = keyof Documents;
const kinds = Object.keys(nothing) as readonly Kind[]; // the keys of a constant

/** The plain orchestrator, which does everything and emits only some kinds of documents. */
const emitting = (emitted: readonly Kind[]): Subject => ({
  ...plain(),
  start: async (scenario) => {
    const run = await plain().start(scenario);
    return {
      state: (fact) => run.state(fact),
      quiet: () => run.quiet(),
      phase: () => run.phase(),
      documents: async (): Promise<Documents> => {
        const all = await run.documents();
        return { ...nothing, ...Object.fromEntries(emitted.map((kind) => [kind, all[kind]])) };
      },
    };
  },
});

/** A program that does nothing, and says that it is in one phase. */
const idle = (phase: 'intake' | 'execute' | 'deliver' | 'fail_safe', documents = nothing): Run => ({
  state: async () => 'refused',
  quiet: async () => {},
  phase: () => phase,
  documents: () => documents,
});

/** The rules about documents: what a run that emits none of them cannot hold. */
const aboutDocuments = [
  'uaicp-3-phases',
  'uaicp-4.1-deliver',
  'uaicp-4.1-repair-logged',
  'uaicp-4.2-stream-commit',
  'uaicp-4.2-stream-order',
  'uaicp-4.2-stream-unverified',
  'uaicp-4.3-parent',
  'uaicp-5.3-rollback-told',
  'uaicp-5.4-actor',
  'uaicp-5.4-calls',
  'uaicp-5.4-fields',
  'uaicp-5.4-transitions',
  'uaicp-6-envelope',
  'uaicp-6-evidence',
  'uaicp-6-one-run',
  'uaicp-6-report',
  'uaicp-7-missing-evidence',
  'uaicp-7-outcome',
  'uaicp-7-reasons',
  'uaicp-7-uncertain',
  'uaicp-9-version',
];

describe('A program without output', () => {
  it('holds no rule about documents', async () => {
    const held = heldIn(await conformance(emitting([]), patient));
    expect(held.filter((id) => aboutDocuments.includes(id))).toEqual([]);
    expect(held).toHaveLength(rules.length - aboutDocuments.length);
  });

  it.each<[Exclude<Kind, 'evidence' | 'reports'>, readonly string[]]>([
    [
      'envelopes',
      [
        'uaicp-3-phases',
        'uaicp-4.3-parent: not shown',
        'uaicp-5.3-rollback-told',
        'uaicp-6-envelope: not shown',
      ],
    ],
    [
      'audit',
      [
        'uaicp-4.1-repair-logged',
        'uaicp-5.4-actor',
        'uaicp-5.4-calls',
        'uaicp-5.4-fields: not shown',
        'uaicp-5.4-transitions',
      ],
    ],
    [
      'chunks',
      [
        'uaicp-4.2-stream-commit: not shown',
        'uaicp-4.2-stream-order: not shown',
        'uaicp-4.2-stream-unverified: not shown',
      ],
    ],
    [
      'result',
      [
        'uaicp-4.1-deliver',
        'uaicp-7-missing-evidence',
        'uaicp-7-outcome',
        'uaicp-7-reasons',
        'uaicp-7-uncertain',
      ],
    ],
  ])('of the kind %s breaks or does not show the rules about it', async (kind, expected) => {
    const others = kinds.filter((one) => one !== kind);
    expect(brokenIn(await conformance(emitting(others), patient))).toEqual(expected);
  });

  it('of one kind is listed on the page with what was not seen', async () => {
    const others = kinds.filter((one) => one !== 'chunks');
    const page = conformancePage(await conformance(emitting(others), patient));
    expect(page).toContain('Of 60 rules 57 hold. Broken: 0; not shown: 3; not offered: 0.');
    expect(page).toContain('| 0 of at least 2 chunks | not shown |');
    expect(page).not.toContain('## Broken rules');
    expect(page.split('## Rules that are not shown')[1]).toContain('The rule saw 0 of at least 2 chunks.');
  });

  it('without the means for documents is not offered the rule that they name one run', async () => {
    const lacks = ['envelopes', 'evidence', 'reports', 'audit'] as const;
    const { rules: found } = await conformance({ ...emitting([]), lacks }, patient);
    expect(found.find(({ id }) => id === 'uaicp-6-one-run')).toMatchObject({ verdict: 'not offered', lacks });
    const some = await conformance({ ...plain(), lacks: lacks.slice(0, 3) }, patient);
    expect(heldIn(some)).toContain('uaicp-6-one-run');
  });
});

describe('A program that does nothing', () => {
  it.each(['intake', 'execute', 'deliver', 'fail_safe'] as const)(
    'in the phase %s holds no rule',
    async (phase) => {
      const report = await conformance({ ...plain(), start: () => idle(phase) }, patient);
      expect(heldIn(report)).toEqual([]);
    },
  );

  it('except in the control scenarios holds only the rules that are judged there', async () => {
    const inOrder = new Set(rules.flatMap(({ control }) => control?.in ?? []));
    const { start } = plain();
    const failed = {
      ...nothing,
      result: { outcome: 'uncertain', reasonCodes: ['EVIDENCE_MISSING'], payload: null },
    } as const;
    const report = await conformance(
      {
        ...plain(),
        start: (scenario) =>
          inOrder.has(scenario.id as never) ? start(scenario) : idle('fail_safe', failed),
      },
      patient,
    );
    expect(heldIn(report)).toEqual([
      'uaicp-4.1-deliver',
      'uaicp-4.1-repair-logged',
      'uaicp-4.2-stream-unverified',
      'uaicp-4.2-stream-order',
      'uaicp-4.3-parent',
      'uaicp-5.2-asked',
      'uaicp-5.3-approval',
      'uaicp-5.3-rollback-told',
      'uaicp-5.4-calls',
      'uaicp-5.4-fields',
      'uaicp-6-envelope',
      'uaicp-6-evidence',
      'uaicp-6-report',
      'uaicp-6-one-run',
      'uaicp-7-outcome',
    ]);
  });
});

describe('The observation of a rule', () => {
  const empty: Seen = { scenario: '', trace: [], documents: nothing, phases: [], error: null };
  const unseen = new Map([...scenarios.keys()].map((scenario) => [scenario, { ...empty, scenario }]));

  it.each(rules)('is required, and is missing in a run without events: $id', (rule) => {
    const { saw, verdict } = reportOn(rule, unseen, []);
    expect(rule.sees.least).toBeGreaterThan(0);
    expect(saw).toMatchObject({ count: 0 });
    expect(saw?.least).toBeGreaterThan(0);
    expect(verdict).not.toBe('holds');
  });

  it('needs only the rule’s own capabilities', async () => {
    const { rules: bare } = await conformance({ ...plain(), lacks: capabilities }, patient);
    for (const { id, lacks: needs } of bare) {
      const lacks = capabilities.filter((one) => !needs.includes(one));
      const { rules: found } = await conformance({ ...plain(), lacks }, patient);
      expect(found.find((rule) => rule.id === id)).toMatchObject({ id, verdict: 'holds' });
    }
  });

  it('is required in each trial separately', async () => {
    const { start } = plain();
    const skipped = 'a hash that is no hash';
    const report = await conformance(
      { ...plain(), start: (scenario) => (scenario.id === skipped ? idle('fail_safe') : start(scenario)) },
      patient,
    );
    expect(report.rules.find(({ id }) => id === 'uaicp-5.1-hash')).toMatchObject({
      verdict: 'not shown',
      saw: { count: 1, least: 2 },
      fault: 'saw 1 of at least 2 answers with evidence of another party',
    });
  });

  it('is counted in the report', async () => {
    const report = conformanceReport(
      'nothing',
      rules.map((rule) => reportOn(rule, unseen, [])),
      0,
    );
    const { holds, broken, notShown, notOffered } = report.counts;
    expect({ holds, notOffered, all: broken + notShown }).toEqual({
      holds: 0,
      notOffered: 0,
      all: rules.length,
    });
    expect(notShown).toBeGreaterThan(30);
  });
});
