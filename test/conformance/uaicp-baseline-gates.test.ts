import { createActor } from 'xstate';
import { describe, expect, test } from 'vitest';
import { dutiesOf, taskMachine, violationsOf, type Fact } from '../../machines/index.ts';
import { hidePlanned } from '../planned.ts';

const request = '018f7d3a-7c1e-7b52-9f0e-3d2b8a6c4e10';
const ofCall = { request, attempt: 0, call: 'wire' };

const write = (rollback: boolean) => ({
  id: 'wire',
  tool: 'bank.wire',
  tier: 'write_high_risk' as const,
  digest: 'wire-1',
  rollback,
});

/** A run that has come as far as these facts take it. */
const after = (facts: readonly Fact[], verifiers: readonly string[] = []) => {
  const taskClass = { id: 'wire', limits: { repairs: 0 }, beforeWrite: { verifiers } };
  const actor = createActor(taskMachine, { input: { taskClass, request } }).start();
  actor.send({ type: 'request.accepted' });
  for (const fact of facts) actor.send(fact);
  return actor.getSnapshot();
};

const planned = (rollback = true): Fact => ({
  type: 'plan.proposed',
  digest: 'plan-1',
  confidence: 0.9,
  canProceed: true,
  calls: [write(rollback)],
});
const allowed: Fact = { type: 'policy.decided', ...ofCall, digest: 'wire-1', verdict: 'allow' };
const started: Fact = { type: 'call.started', ...ofCall, digest: 'wire-1' };
const reported = (status: 'pass' | 'fail'): Fact => ({
  type: 'verifier.reported',
  request,
  attempt: 0,
  verifier: 'ticket',
  of: 'wire-1',
  evidence: 0,
  status,
});
const codes = (snapshot: ReturnType<typeof after>) =>
  violationsOf('write', snapshot.context).map(({ code }) => code);

describe('UAICP baseline, category 4: policy gate, in operation', () => {
  test('refuses a high-risk write without approval with APPROVAL_REQUIRED, and asks a person', () => {
    const snapshot = after([planned(), allowed]);
    expect(codes(snapshot)).toContain('APPROVAL_REQUIRED');
    expect(snapshot.value).toBe('needsHumanDecision');
    expect(snapshot.can(started)).toBe(false);
  });

  test('refuses a high-risk write without rollback metadata with ROLLBACK_REQUIRED', () => {
    const snapshot = after([planned(false)]);
    expect(snapshot.value).toBe('failed');
    expect(snapshot.context.reasons.map(({ code }) => code)).toEqual(['ROLLBACK_REQUIRED']);
  });

  test('allows a high-risk write with approval and rollback metadata', () => {
    const granted: Fact = {
      type: 'approval.granted',
      request,
      digest: 'wire-1',
      authority: 'approval',
      approver: 'kim',
    };
    expect(after([planned(), allowed, granted]).can(started)).toBe(false);
    const cleared: Fact = { type: 'call.cleared', request, attempt: 0, call: 'wire', digest: 'wire-1' };
    const snapshot = after([planned(), allowed, granted, cleared]);
    expect(codes(snapshot)).toEqual([]);
    expect(snapshot.can(started)).toBe(true);
  });

  test('runs verification before policy', () => {
    expect(dutiesOf(after([planned()], ['ticket'])).map(({ kind }) => kind)).toContain('verify');
    const passed = after([planned(), reported('pass')], ['ticket']);
    expect(dutiesOf(passed).map(({ kind }) => kind)).toContain('decide');
  });

  test('asks no policy after a failed verification', () => {
    hidePlanned('warn', /^Event "policy\.decided" was sent to stopped actor/);
    const failed = after([planned(), reported('fail'), allowed], ['ticket']);
    expect(failed.value).toBe('failed');
    expect(failed.context.reasons.map(({ code }) => code)).toEqual(['VERIFICATION_FAILED']);
  });
});
