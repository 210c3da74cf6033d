import { describe, expect, test } from 'vitest';
import {
  EvidenceObject,
  EvidenceType,
  MessageEnvelope,
  ReasonCode,
  RiskTier,
  VerificationReport,
} from '../../schema/index.ts';

const envelope = {
  uaicp_version: '0.3',
  request_id: 'a3bb189e-8bf9-3888-9912-ace4e6543002',
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  state: 'intake',
  timestamp: '2026-11-21T04:58:37Z',
  identity: { agent_id: 'recommender', owner_id: 'acme', control_class: 'human-supervised' },
  outcome: 'pending',
};

const evidence = {
  evidence_id: 'e1',
  evidence_type: 'tool_result',
  source: 'search',
  collected_at: '2026-11-21T04:58:37Z',
  hash: 'sha256:00',
};

const report = {
  report_id: 'v1',
  request_id: envelope.request_id,
  status: 'pass',
  checks: [{ check_id: 'emails', result: 'pass' }],
  generated_at: '2026-11-21T04:58:37Z',
};

const without = <Document extends object>(document: Document, field: keyof Document): object =>
  Object.fromEntries(Object.entries(document).filter(([key]) => key !== field));

describe('UAICP baseline, category 1: state machine', () => {
  test('has exactly the states intake, plan, execute, verify, deliver, fail_safe, in that order', () => {
    expect(MessageEnvelope.shape.state.options).toEqual([
      'intake',
      'plan',
      'execute',
      'verify',
      'deliver',
      'fail_safe',
    ]);
  });

  test('accepts a valid envelope', () => {
    expect(MessageEnvelope.safeParse(envelope).success).toBe(true);
  });

  test('refuses an envelope without state', () => {
    expect(MessageEnvelope.safeParse(without(envelope, 'state')).success).toBe(false);
  });
});

describe('UAICP baseline, category 2: evidence gating', () => {
  test('accepts a valid evidence object', () => {
    expect(EvidenceObject.safeParse(evidence).success).toBe(true);
  });

  test('refuses an evidence object without source', () => {
    expect(EvidenceObject.safeParse(without(evidence, 'source')).success).toBe(false);
  });

  test('has the evidence type tool_result', () => {
    expect(EvidenceType.options).toContain('tool_result');
  });
});

describe('UAICP baseline, category 3: verification', () => {
  test('accepts a valid report', () => {
    expect(VerificationReport.safeParse(report).success).toBe(true);
  });

  test('refuses a report without checks', () => {
    expect(VerificationReport.safeParse(without(report, 'checks')).success).toBe(false);
  });
});

describe('UAICP baseline, category 4: policy gate, its documents', () => {
  test('requires one of three risk tiers, including the high-risk write', () => {
    expect(RiskTier.options).toEqual(['read_only', 'write_low_risk', 'write_high_risk']);
  });

  test('accepts the rollback action of a high-risk write in an envelope', () => {
    const rollback_action = { type: 'withdraw', target: 'invitation:1', payload: { to: ['ada'] } };
    expect(MessageEnvelope.parse({ ...envelope, rollback_action })).toHaveProperty(
      'rollback_action',
      rollback_action,
    );
  });

  test('gives an approval its own evidence type', () => {
    expect(EvidenceType.options).toContain('approval_token');
  });

  test('spells the outcome codes as published', () => {
    expect(ReasonCode.options).toEqual(
      expect.arrayContaining([
        'EVIDENCE_MISSING',
        'VERIFICATION_FAILED',
        'POLICY_BLOCKED',
        'APPROVAL_REQUIRED',
        'ROLLBACK_REQUIRED',
        'IDENTITY_INVALID',
        'TOOL_TIMEOUT',
      ]),
    );
  });
});

describe('UAICP baseline, category 5: audit', () => {
  test.each(['request_id', 'trace_id', 'timestamp', 'identity'] as const)(
    'refuses an envelope without %s',
    (field) => {
      expect(MessageEnvelope.safeParse(without(envelope, field)).success).toBe(false);
    },
  );
});
