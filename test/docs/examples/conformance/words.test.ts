import type { Approval, Happening } from 'agentcharter/testing';
import { expect, test } from 'vitest';
import { lineOf } from '../../../../docs/examples/conformance/words.ts';

const at = '2026-01-01T00:00:00.000Z';
const action = { tool: 'money.send', arguments: { cents: 1 } };
const approval = (changed: Partial<Approval>): Happening => ({
  kind: 'stated',
  answer: 'refused',
  fact: {
    type: 'approval.presented',
    approval: {
      id: 'one',
      approver: 'dana',
      decision: 'approve',
      action,
      request_id: null,
      issuedAt: Date.parse(at),
      expiresAt: Date.parse(at) + 1,
      isForged: false,
      ...changed,
    },
  },
});
const checks = [{ check_id: 'sum', result: 'skip' } as const];
const verified = { kind: 'verified', verifier: 'totals', evidence: 1 } as const;

const lines: readonly (readonly [string, Happening])[] = [
  ['plan 2', { kind: 'planned', attempt: 1 }],
  ['draft 1', { kind: 'drafted', attempt: 0 }],
  ['call money.send {"cents":1}', { kind: 'called', ...action, request_id: 'r', trace_id: 't' }],
  ['', { kind: 'answered', tool: 'money.send', evidence: null }],
  ['money.send fails', { kind: 'failed', tool: 'money.send' }],
  ['undo money.send', { kind: 'undone', ...action }],
  ['totals: throws', { ...verified, reported: 'throws' }],
  ['totals: partial (sum skip)', { ...verified, reported: { status: 'partial', checks } }],
  ['policy: deny money.send', { kind: 'decided', tool: 'money.send', verdict: 'deny' }],
  ['dana: approve money.send {"cents":1} (refused)', approval({})],
  ['dana: reject money.send {"cents":1}, forged (refused)', approval({ decision: 'reject', isForged: true })],
  ['dana: approve money.send {"cents":1}, expired (refused)', approval({ expiresAt: Date.parse(at) })],
  [
    'dana: refuse money.send (taken)',
    { kind: 'stated', answer: 'taken', fact: { type: 'approval.refused', by: 'dana', action } },
  ],
  ['dana: cancel (taken)', { kind: 'stated', answer: 'taken', fact: { type: 'run.cancelled', by: 'dana' } }],
  [
    'evidence arrives (refused)',
    { kind: 'stated', answer: 'refused', fact: { type: 'evidence.arrived', evidence: {} } },
  ],
  [
    '2 minutes pass (taken)',
    { kind: 'stated', answer: 'taken', fact: { type: 'time.passed', milliseconds: 120_000 } },
  ],
  ['what was held goes on', { kind: 'released' }],
  ['rests in deliver', { kind: 'rested', phase: 'deliver' }],
  ['', { kind: 'emitted', name: 'audit', document: {} }],
  ['version 99.0: not let in', { kind: 'admitted', version: '99.0', isLetIn: false }],
  ['version 0.3: let in', { kind: 'admitted', version: '0.3', isLetIn: true }],
  ['threw it broke', { kind: 'threw', error: 'it broke' }],
];

test.each(lines)('A step of a trace is printed as “%s”', (line, happening) => {
  expect(lineOf([{ at, ...happening }])).toBe(line);
});

test('A trace is printed on one line, in order', () => {
  const trace = lines.map(([, happening]) => ({ at, ...happening }));
  expect(lineOf(trace).split(' > ')).toEqual(lines.map(([line]) => line).filter((line) => line !== ''));
});
