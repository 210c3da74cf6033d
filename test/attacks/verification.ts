import { expect } from 'vitest';
import type { Findings } from '../../src/index.ts';
import { fails, passes, scene } from '../src/core/shell/scene.ts';
import { call, draft, plan, readTool } from '../src/core/shell/scripted.ts';
import { settle } from '../src/core/shell/simulated-clock.ts';
import { defineVerifier, type VerificationSubject } from '../../src/index.ts';
import { failedSafe, type Attack, type Stop } from './attack.ts';

type Verify = (subject: VerificationSubject) => unknown;

const looked = { check_id: 'looks right', result: 'pass' } as const;
const another = '00000000-0000-4000-8000-00000000ffff';

const judged = (verify: Verify, requires?: readonly string[]) =>
  scene({
    model: [plan([call('read')]), draft()],
    tools: [readTool('read')],
    taskClass: {
      beforeDeliver: { evidence: [{ type: 'tool_result' }], verifiers: ['judge'] },
      limits: { repairs: 0 },
    },
    options: {
      verifiers: [
        defineVerifier({
          id: 'judge',
          verify: (subject) => verify(subject) as Findings,
          ...(requires && { requires }),
        }),
      ],
    },
  });

/** Nothing is delivered on such a report; the last reason about the verifier says why. */
const reported = (
  number: number,
  attempt: string,
  expected: Stop,
  verify: Verify,
  { source = 'UAICP 5.2', requires }: { source?: string; requires?: readonly string[] } = {},
): Attack => ({
  number,
  attempt,
  expected,
  source,
  run: async () => {
    const one = judged(verify, requires);
    const taskId = await one.submit();
    await one.clock.advance(120_000);
    expect(await failedSafe(one, taskId)).toBe('VERIFICATION_FAILED');
    return (await one.reasonsOf(taskId)).at(-1);
  },
});

const report = ({ requestId, evidence }: VerificationSubject) => ({
  report_id: 'r-1',
  request_id: requestId,
  verifier_id: 'judge',
  evidence_ids: evidence.map(({ evidence_id }) => evidence_id),
  status: 'pass',
  checks: [looked],
  generated_at: '2026-11-21T05:00:00Z',
});

const breaks = (): never => {
  throw new Error('down');
};

const junk: readonly Attack[] = [
  reported(16, 'a verifier that throws', 'VERIFIER_ERROR', breaks, { source: 'CWE-754' }),
  reported(16, 'a verifier that rejects', 'VERIFIER_ERROR', () => Promise.reject(new Error('down')), {
    source: 'CWE-754',
  }),
  reported(16, 'a verifier that throws what is no error', 'VERIFIER_ERROR', () => Promise.reject(undefined)),
  reported(16, 'a verifier that throws what cannot be read', 'VERIFIER_ERROR', () =>
    Promise.reject(
      Object.defineProperty(new Error('x'), 'message', {
        get: breaks,
      }),
    ),
  ),
  ...(
    [
      ['nothing', undefined],
      ['a text', 'pass'],
      ['true', true],
      ['a list', [looked]],
      ['a map', new Map([['checks', [looked]]])],
      [
        'a getter',
        {
          get checks() {
            return [looked];
          },
        },
      ],
      ['a proxy', new Proxy({ checks: [looked] }, {})],
      ['a result that is none', { checks: [{ check_id: 'a', result: 'PASS' }] }],
    ] satisfies readonly (readonly [string, unknown])[]
  ).map(([name, answer]) => reported(16, `a verifier that answers ${name}`, 'REPORT_INVALID', () => answer)),
];

const silent: readonly Attack[] = [
  reported(17, 'a verifier that never answers', 'VERIFIER_TIMEOUT', () => new Promise(() => {}), {
    source: 'CWE-400',
  }),
  {
    number: 17,
    attempt: 'a verifier that passes after its deadline',
    expected: 'VERIFIER_TIMEOUT',
    source: 'CWE-400',
    run: async () => {
      let pass: ((findings: unknown) => void) | undefined;
      const one = judged(() => new Promise((resolve) => (pass = resolve)));
      const taskId = await one.submit();
      await one.clock.advance(120_000);
      await failedSafe(one, taskId);
      pass?.({ checks: [looked] });
      await settle();
      expect(one.stateOf(taskId)).toBe('failed');
      return (await one.reasonsOf(taskId)).at(-1);
    },
  },
];

const contradictions: readonly Attack[] = [
  reported(18, 'a report that passes with a failed check', 'REPORT_CONTRADICTORY', (subject) => ({
    ...report(subject),
    checks: [looked, { check_id: 'balance', result: 'fail' }],
  })),
  reported(18, 'a pass of a check that was skipped', 'REPORT_CONTRADICTORY', (subject) => ({
    ...report(subject),
    checks: [{ check_id: 'looks right', result: 'skip' }],
  })),
  reported(18, 'a pass of no checks', 'REPORT_INVALID', (subject) => ({ ...report(subject), checks: [] })),
  reported(18, 'only a part of it passed', 'VERIFICATION_FAILED', (subject) => ({
    ...report(subject),
    status: 'partial',
  })),
  reported(18, 'every check was skipped', 'VERIFICATION_FAILED', () => ({
    checks: [{ check_id: 'a', result: 'skip' }],
  })),
  reported(18, 'a report that leaves out a check that is required', 'REPORT_INVALID', report, {
    requires: ['looks right', 'sums up'],
  }),
  reported(
    18,
    'a required check that was skipped',
    'VERIFICATION_FAILED',
    () => ({ checks: [looked, { check_id: 'sums up', result: 'skip' }] }),
    {
      requires: ['looks right', 'sums up'],
    },
  ),
  reported(18, 'a report on no evidence', 'REPORT_EVIDENCE_MISMATCH', (subject) => ({
    ...report(subject),
    evidence_ids: [],
  })),
  reported(18, 'a report on evidence from elsewhere', 'REPORT_EVIDENCE_MISMATCH', (subject) => ({
    ...report(subject),
    evidence_ids: [...report(subject).evidence_ids, 'e-0'],
  })),
  reported(18, 'a report of another request', 'REPORT_FOREIGN', (subject) => ({
    ...report(subject),
    request_id: another,
  })),
  reported(18, 'a report of another verifier', 'REPORT_FOREIGN', (subject) => ({
    ...report(subject),
    verifier_id: 'jury',
  })),
  reported(18, 'a report on another draft', 'REPORT_FOREIGN', (subject) => ({
    ...report(subject),
    'agentcharter:subject': `sha256:${'0'.repeat(64)}`,
  })),
];

const changing: readonly Attack[] = [
  {
    number: 19,
    attempt: 'two verifiers of which each passes once, never both at once',
    expected: 'VERIFICATION_FAILED',
    source: 'UAICP 5.2',
    run: async () => {
      const attempts = { first: 0, second: 0 };
      const one = scene({
        model: ({ asks }: { asks: string }) => (asks === 'plan' ? plan([call('read')]) : draft()),
        tools: [readTool('read')],
        verifiers: {
          first: (...asked) => (attempts.first++ % 2 === 0 ? passes : fails)(...asked),
          second: (...asked) => (attempts.second++ % 2 === 0 ? fails : passes)(...asked),
        },
        taskClass: { beforeDeliver: { verifiers: ['first', 'second'] }, limits: { repairs: 1 } },
      });
      const taskId = await one.submit();
      const stop = await failedSafe(one, taskId);
      expect(attempts).toEqual({ first: 2, second: 2 });
      return stop;
    },
  },
  {
    number: 19,
    attempt: 'a pass of the attempt before, for a draft that is the same',
    expected: 'VERIFICATION_FAILED',
    source: 'UAICP 4.1',
    run: async () => {
      let asked = 0;
      const one = scene({
        model: ({ asks }: { asks: string }) => (asks === 'plan' ? plan() : draft()),
        verifiers: { strict: fails, fickle: (...given) => (asked++ === 0 ? passes : fails)(...given) },
        taskClass: { beforeDeliver: { verifiers: ['fickle', 'strict'] }, limits: { repairs: 1 } },
      });
      const taskId = await one.submit();
      const stop = await failedSafe(one, taskId);
      expect(asked).toBe(2);
      expect(
        (await one.orchestrator.ledger(taskId)).findLast(
          ({ brought }) => brought.report?.verifier_id === 'fickle',
        )?.outcome,
      ).toBe('failure');
      return stop;
    },
  },
];

export const verification = [junk, silent, contradictions, changing].flat();
