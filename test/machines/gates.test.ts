import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { violationsOf, type Call, type Context, type Gate, type Requirements } from '../../machines/index.ts';
import { brokenOf, isMendable } from '../../machines/gates.ts';
import { bare, before, pass, readCall, reportsOf, sure, writeCall } from './contexts.ts';
import { runs } from './generated.ts';

const gates = ['execute', 'write', 'deliver'] as const;

const reasons = (gate: Gate, c: Context): readonly string[] =>
  violationsOf(gate, c).map(({ code, about }) => `${code} ${about}`);

/** What stands against each gate, one condition at a time: what is changed, and what the gate says to it. */
type Row = readonly [condition: string, changes: Partial<Context>, says: readonly string[]];

const effect = {
  digest: 'action-x',
  tool: 'tool-x',
  rollback: true,
  authority: null,
  status: 'committed',
  evidence: null,
} as const;

const open: readonly Row[] = [
  ['a question is open', { questions: { q: { kind: 'help', about: 'plan' } } }, ['INPUT_REQUIRED q']],
  ['a dependency is outstanding', { dependencies: { x: ['r'] } }, ['AUDIT_INCOMPLETE x']],
  ['there is a reason to fail', { reasons: [{ code: 'CANCELLED', about: 'task' }] }, ['CANCELLED task']],
];

const unsure = (kind: 'plan' | 'draft'): readonly Row[] => [
  [`there is no ${kind}`, { [kind]: null }, [`OUTPUT_MISSING ${kind}`]],
  [
    `the ${kind} says that it cannot proceed`,
    { [kind]: { ...sure(kind), canProceed: false } },
    [`CANNOT_PROCEED ${kind}`],
  ],
  [
    `the confidence of the ${kind} equals the threshold`,
    { [kind]: { ...sure(kind), confidence: 0.5 } },
    [`CONFIDENCE_LOW ${kind}`],
  ],
  [
    `the confidence of the ${kind} is not a number`,
    { [kind]: { ...sure(kind), confidence: Number.NaN } },
    [`CONFIDENCE_LOW ${kind}`],
  ],
];

const withCall = (gate: Gate, call: Call): Partial<Context> => ({
  calls: { ...before(gate).calls, s: { ...call, at: 2 } },
});

const unsettled = (gate: Gate): readonly Row[] => [
  ...(['started', 'asking', 'waiting'] as const).flatMap((status): readonly Row[] => [
    [`a read is ${status}`, withCall(gate, readCall({ status })), ['AUDIT_INCOMPLETE s']],
    [`a write is ${status}`, withCall(gate, writeCall({ status })), ['AUDIT_INCOMPLETE s']],
  ]),
  ['a write is in doubt', withCall(gate, writeCall({ status: 'doubted' })), ['EFFECT_IN_DOUBT s']],
  ['a call failed', withCall(gate, readCall({ status: 'failed', code: 'TOOL_TIMEOUT' })), ['TOOL_TIMEOUT s']],
  ['a call failed without a code', withCall(gate, readCall({ status: 'failed' })), ['TOOL_FAILED s']],
  [
    'a write stands that no call asks for',
    { effects: [...before(gate).effects, effect] },
    ['ROLLBACK_REQUIRED action-x'],
  ],
  [
    'a write stands that could not be undone',
    { effects: [...before(gate).effects, { ...effect, status: 'stuck' }] },
    ['ROLLBACK_REQUIRED action-x'],
  ],
];

const unverified = (verifier: string, of: string): readonly Row[] => {
  const says = [`VERIFICATION_FAILED ${verifier}`];
  return [
    ['the verifier is silent', { reports: {} }, says],
    ['the verifier failed it', { reports: reportsOf(pass(verifier, of, { status: 'fail' })) }, says],
    ...(['VERIFIER_TIMEOUT', 'EVIDENCE_FOREIGN'] as const).map((code): Row => [
      `the verifier’s report does not count: ${code}`,
      { reports: reportsOf(pass(verifier, of, { status: 'fail', code })) },
      [...says, `${code} ${verifier}`],
    ]),
    ['the report is on something else', { reports: reportsOf(pass(verifier, 'other')) }, says],
    ['the report is of another verifier', { reports: reportsOf(pass('other', of)) }, says],
    ['evidence came after the report', { collected: 2 }, says],
    [
      'the verifier failed something else in this attempt',
      { reports: reportsOf(pass(verifier, of), pass(verifier, 'other', { status: 'fail' })) },
      says,
    ],
  ];
};

const table: Readonly<Record<Gate, readonly Row[]>> = {
  execute: [...open, ...unsure('plan')],
  write: [
    ...open,
    ...unsure('plan'),
    ...unsettled('write'),
    ...unverified('check', 'action-w'),
    [
      'the evidence is of another tool',
      { calls: { r: readCall({ tool: 'other' }), w: writeCall() } },
      ['EVIDENCE_MISSING tool_result:tool-r'],
    ],
    [
      'the evidence is of another type',
      {
        calls: {
          r: readCall({ evidence: { id: 'e', type: 'test_report', stale: false } }),
          w: writeCall(),
        },
      },
      ['EVIDENCE_MISSING tool_result:tool-r'],
    ],
    [
      'the evidence grew old',
      {
        calls: {
          r: readCall({ evidence: { id: 'e', type: 'tool_result', stale: true } }),
          w: writeCall(),
        },
      },
      ['EVIDENCE_STALE tool_result:tool-r', 'EVIDENCE_STALE r'],
    ],
    [
      'no policy has decided',
      { calls: { r: readCall(), w: writeCall({ status: 'proposed' }) } },
      ['POLICY_BLOCKED w'],
    ],
    [
      'nobody stands behind a high-risk write',
      { calls: { r: readCall(), w: writeCall({ authority: null }) } },
      ['APPROVAL_REQUIRED w'],
    ],
    [
      'nobody stands behind a write under review',
      { calls: { r: readCall(), w: writeCall({ tier: 'write_low_risk', review: true, authority: null }) } },
      ['APPROVAL_REQUIRED w'],
    ],
    [
      'a high-risk write declares no rollback',
      { calls: { r: readCall(), w: writeCall({ rollback: false }) } },
      ['ROLLBACK_REQUIRED w'],
    ],
    ...(['committed', 'undone', 'closed'] as const).map((status): Row => [
      `the action is ${status}`,
      { effects: [{ ...effect, digest: 'action-w', status }] },
      ['EFFECT_CLOSED w'],
    ]),
  ],
  deliver: [
    ...open,
    ...unsure('plan'),
    ...unsure('draft').map(([condition, changes, says]): Row => {
      const isGone = changes.draft === null;
      return [condition, changes, isGone ? [...says, 'VERIFICATION_FAILED facts'] : says];
    }),
    ...unsettled('deliver'),
    ...unverified('facts', 'draft'),
    [
      'evidence is missing',
      { calls: { w: writeCall({ status: 'succeeded' }) } },
      ['EVIDENCE_MISSING tool_result'],
    ],
    [
      'evidence grew old',
      { calls: { r: readCall({ evidence: { id: 'e', type: 'tool_result', stale: true } }) }, effects: [] },
      ['EVIDENCE_STALE tool_result'],
    ],
    ...(['proposed', 'allowed'] as const).map((status): Row => [
      `a write is ${status}`,
      withCall('deliver', writeCall({ status })),
      ['AUDIT_INCOMPLETE s'],
    ]),
    [
      'a high-risk write was made without its authority',
      { calls: { r: readCall(), w: writeCall({ status: 'succeeded', authority: null }) } },
      ['APPROVAL_REQUIRED w'],
    ],
    [
      'a high-risk write was made without its rollback',
      { calls: { r: readCall(), w: writeCall({ status: 'succeeded', rollback: false }) } },
      ['ROLLBACK_REQUIRED w'],
    ],
  ],
};

describe.each(gates)('the gate before %s [UAICP 4.1]', (gate) => {
  test('opens where everything holds', () => {
    expect(violationsOf(gate, before(gate))).toEqual([]);
  });

  test.each(table[gate])('is shut where %s', (_, changes, says) => {
    expect(reasons(gate, before(gate, changes))).toEqual(says);
  });

  test('names every violation at once, in the order of the gate', () => {
    const questions = { q: { kind: 'help', about: 'plan' } } as const;
    expect(reasons(gate, before(gate, { plan: null, questions })).slice(0, 2)).toEqual([
      'INPUT_REQUIRED q',
      'OUTPUT_MISSING plan',
    ]);
  });
});

test('a waiver lifts low confidence, for the digest that it is bound to', () => {
  const low = { ...sure('plan'), confidence: 0, canProceed: false };
  expect(reasons('execute', before('execute', { plan: { ...low, waived: true } }))).toEqual([]);
});

test('a refused write stands in the way of nothing', () => {
  const calls = { r: readCall(), w: writeCall({ status: 'refused', authority: null }) };
  expect(reasons('deliver', before('deliver', { calls, effects: [] }))).toEqual([]);
});

test('a write that was undone or ruled out is no stray', () => {
  const gone = (['undone', 'closed'] as const).map((status) => ({ ...effect, status }));
  expect(reasons('deliver', before('deliver', { effects: gone }))).toEqual([]);
});

const broken = (c: Context) => brokenOf(c).map(({ code, about }) => `${code} ${about}`);

describe('what is broken', () => {
  test('is not what is merely owed', () => {
    const calls = {
      r: readCall({ status: 'started' }),
      w: writeCall({ status: 'proposed', authority: null }),
    };
    const taskClass = { ...before('write').taskClass, beforeWrite: { evidence: [], verifiers: ['check'] } };
    expect(broken(before('write', { taskClass, calls, reports: {} }))).toEqual([]);
  });

  test('is a check that was asked for and did not pass, for each write', () => {
    const reports = reportsOf(pass('check', 'action-w', { status: 'fail' }));
    expect(broken(before('write', { reports }))).toEqual(['VERIFICATION_FAILED check']);
  });

  test('is nothing of a write where no write is owed', () => {
    expect(broken(bare({ plan: sure('plan') }))).toEqual([]);
  });
});

const to = (repairTo: 'plan' | 'execute', changes: Partial<Context>) =>
  before('write', { taskClass: { ...before('write').taskClass, repairTo }, ...changes });
const failing = (code: Call['code']) => ({
  calls: { r: readCall(), w: writeCall(), s: readCall({ status: 'failed', code }) },
});

describe('another attempt', () => {
  test('may come out otherwise where a call failed, planned anew or not', () => {
    expect(isMendable(to('plan', failing('TOOL_FAILED')))).toBe(true);
    expect(isMendable(to('execute', failing('TOOL_FAILED')))).toBe(true);
  });

  test.each(['EFFECT_CLOSED', 'HUMAN_REJECTED', 'ROLLBACK_REQUIRED'] as const)(
    'needs another plan after %s',
    (code) => {
      expect(isMendable(to('plan', failing(code)))).toBe(true);
      expect(isMendable(to('execute', failing(code)))).toBe(false);
    },
  );

  test('is none while an effect is in doubt', () => {
    const calls = { w: writeCall({ status: 'doubted' }) };
    expect(isMendable(to('plan', { calls }))).toBe(false);
    expect(isMendable(to('execute', { calls }))).toBe(false);
  });

  test('may bring missing evidence where a read is called again', () => {
    const missing = { r: readCall({ evidence: null }), w: writeCall() };
    expect(isMendable(to('execute', { calls: missing }))).toBe(true);
    expect(isMendable(to('execute', { calls: { w: writeCall() } }))).toBe(false);
  });
});

describe('asking for more', () => {
  const verifier = fc.constantFrom('check', 'facts', 'other', 'constructor', '__proto__', 'toString');
  const requirement = fc.record(
    {
      type: fc.constantFrom('tool_result', 'test_report'),
      tool: fc.constantFrom('tool-r', 'tool-w', 'constructor'),
    },
    { requiredKeys: ['type'] },
  );
  const required = fc.record({ evidence: fc.array(requirement), verifiers: fc.array(verifier) });
  const evidence = fc.option(
    fc.record({
      id: fc.constantFrom('e', 'f'),
      type: fc.constantFrom('tool_result' as const, 'test_report' as const),
      stale: fc.boolean(),
    }),
  );
  const status = fc.constantFrom<Call['status']>(
    'proposed',
    'allowed',
    'started',
    'succeeded',
    'failed',
    'refused',
  );
  const call = fc
    .tuple(fc.boolean(), status, evidence)
    .map(([isRead, status, evidence]) =>
      isRead ? readCall({ status, evidence }) : writeCall({ status, evidence }),
    );
  const report = fc.record({
    verifier,
    of: fc.constantFrom('action-r', 'action-w', 'draft'),
    evidence: fc.constantFrom(0, 1),
    status: fc.constantFrom('pass' as const, 'fail' as const),
    code: fc.constantFrom(null, 'VERIFIER_TIMEOUT' as const, 'EVIDENCE_FOREIGN' as const),
  });
  const run = fc.record({
    calls: fc.dictionary(fc.constantFrom('r', 'w', 's', 'constructor'), call, { noNullPrototype: true }),
    reports: fc.array(report).map((reports) => reportsOf(...reports)),
    draft: fc.constantFrom(null, sure('draft')),
  });

  test('never opens a gate', () => {
    const { seed, ...parameters } = runs();
    let opened = 0;
    fc.assert(
      fc.property(fc.constantFrom(...gates), run, required, required, (gate, changes, asked, more) => {
        const asking = (given: Requirements) => {
          const { taskClass } = before(gate);
          return reasons(
            gate,
            before(gate, {
              ...changes,
              taskClass: { ...taskClass, beforeWrite: given, beforeDeliver: given },
            }),
          );
        };
        const said = asking(asked);
        if (said.length === 0) opened += 1;
        expect(
          asking({
            evidence: [...asked.evidence, ...more.evidence],
            verifiers: [...asked.verifiers, ...more.verifiers],
          }),
        ).toEqual(expect.arrayContaining([...said]));
      }),
      { seed, ...parameters },
    );
    console.log(`monotonicity: ${parameters.numRuns} runs, FC_SEED=${seed}, ${opened} opened with less`);
    expect(opened).toBeGreaterThan(10);
  });
});
