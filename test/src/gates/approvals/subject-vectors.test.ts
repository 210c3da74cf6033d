import { describe, expect, it } from 'vitest';
import { actionDigest, approvalSubject } from '../../../../src/gates/approvals/index.ts';
import { summaryDigest } from '../../../../src/gates/approvals/subject.ts';
import { isCharterError } from '../../../../src/base/errors.ts';
import type { ApprovalClaims } from '../../../../src/base/ports/approvals.ts';
import { asked, elsewhere } from './desk.ts';

// The digests are Python's: `hashlib.sha256` of `json.dumps(…, sort_keys=True, separators=(',', ':'))`.
const ofAction = 'sha256:08cf9e6cf7cdf6b6e264931a17de65b654633a95003fc1bd0b5c23779f2bd555';
const ofBareAction = 'sha256:ba053b645336d3ad359c167311e21e86e974e62b5cf1fbfe72d8f3e0f29db9aa';
const ofSummary = 'sha256:6b274de9f3ef0f127ad2d7d70db87d2e4b9e3fea0208e69dd947770cf630d3f1';
const ofFound = 'sha256:b3e52266b5ed3ed21a2cc2ae5883f1280250b326d5207c23c971fedb0714b08e';
const ofNull = 'sha256:74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b';

const action = {
  id: 'call-1',
  tool: 'wire-transfer',
  version: '2',
  arguments: { to: 'kim', amount: 7 },
  rollback: { type: 'inverse', target: 'ledger', payload: { account: '7' } },
  digest: ofAction,
};
const collected_at = '2026-01-01T00:00:00Z';
const shown = {
  action,
  tier: 'write_high_risk',
  policy: { verdict: 'allow', reasons: ['below the limit'] },
  evidence: [
    {
      evidence_id: 'e-1',
      evidence_type: 'tool_result',
      source: 'search',
      collected_at,
      hash: ofFound,
      payload: { found: 3 },
    },
    { evidence_id: 'e-2', evidence_type: 'custom', source: 'clock', collected_at, hash: ofNull },
  ],
};
const explanation = 'May 7 be sent to kim?';
const claims: ApprovalClaims = { ...asked, action_digest: ofAction, summary_digest: ofSummary };

/** Returns what an approver sees of a question; `claimed` overrides claims. */
const subjectShown = (changed: object, claimed: Partial<ApprovalClaims> = {}) => {
  const message = { explanation, payload: { ...shown, ...changed } };
  const approval = { ...claims, summary_digest: summaryDigest(message), ...claimed };
  return approvalSubject({ question: { approval }, message });
};

const faultOf = (attempt: () => unknown): unknown => {
  try {
    attempt();
  } catch (error) {
    if (isCharterError(error, 'document_invalid')) return { ...error.details, message: error.message };
    throw error;
  }
  throw new Error('it was not refused');
};

const fault = (path: string, message: string) => ({
  document: 'ApprovalSubject',
  issues: [{ path, message }],
  message: `ApprovalSubject must not be signed: ${message}`,
});

describe('The digest that an approver signs [UAICP 5.3]', () => {
  it('for an action covers exactly request, tool, version, arguments and rollback', () => {
    expect(actionDigest(asked.request_id, action)).toBe(ofAction);
    const bare = { ...action, arguments: null, rollback: null };
    expect(actionDigest(asked.request_id, bare)).toBe(ofBareAction);
    expect(actionDigest(asked.request_id, { ...bare, arguments: undefined })).toBe(ofBareAction);
  });

  it('for a summary covers the explanation and everything shown except the question', () => {
    expect(summaryDigest({ explanation, payload: shown })).toBe(ofSummary);
    expect(summaryDigest({ explanation, payload: { ...shown, question: { id: 'q' } } })).toBe(ofSummary);
  });
});

describe('approvalSubject', () => {
  it('returns the subject and its claims', () => {
    expect(subjectShown({}, { summary_digest: ofSummary })).toEqual({
      subject: shown,
      claims: { ...claims, summary_digest: ofSummary },
    });
  });

  it('accepts an action without a policy decision', () => {
    expect(subjectShown({ policy: null }).subject.policy).toBeNull();
  });

  it.each<[string, () => unknown, string, string]>([
    [
      'a question of no approval',
      () => approvalSubject({ question: {}, message: { explanation, payload: shown } }),
      '',
      'the question asks for no approval',
    ],
    [
      'another summary',
      () => subjectShown({}, { summary_digest: elsewhere }),
      '',
      'it does not match the claims',
    ],
    [
      'other words',
      () => approvalSubject({ question: { approval: claims }, message: { explanation: '', payload: shown } }),
      '',
      'it does not match the claims',
    ],
    [
      'another action',
      () => subjectShown({ action: { ...action, arguments: {} } }),
      '/action',
      'it is not the action of the claims',
    ],
    [
      'an action of another request',
      () => subjectShown({}, { request_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }),
      '/action',
      'it is not the action of the claims',
    ],
    [
      'another tool in the claims',
      () => subjectShown({}, { tool: 'mail' }),
      '/action',
      'its tool or its tier does not match the claims',
    ],
    [
      'another version in the claims',
      () => subjectShown({}, { tool_version: '1' }),
      '/action',
      'its tool or its tier does not match the claims',
    ],
    [
      'another tier',
      () => subjectShown({ tier: 'write_low_risk' }),
      '/action',
      'its tool or its tier does not match the claims',
    ],
    [
      'evidence that was changed',
      () => subjectShown({ evidence: [{ ...shown.evidence[0], payload: { found: 4 } }] }),
      '/evidence/0',
      'its payload does not match its hash',
    ],
    [
      'evidence that was changed, behind some that was not',
      () => subjectShown({ evidence: [...shown.evidence, { ...shown.evidence[1], payload: 0 }] }),
      '/evidence/2',
      'its payload does not match its hash',
    ],
  ])('rejects %s', (_, attempt, path, message) => {
    expect(faultOf(attempt)).toEqual(fault(path, message));
  });

  it.each<[string, object, string]>([
    ['without its action', { action: undefined }, '/action'],
    ['with an action that has no name', { action: { ...action, id: undefined } }, '/action/id'],
    ['with an action without its digest', { action: { ...action, digest: 1 } }, '/action/digest'],
    ['of no tier', { tier: 'write' }, '/tier'],
    ['without a policy decision', { policy: { verdict: 'allow' } }, '/policy/reasons'],
    ['with reasons that are no words', { policy: { verdict: 'allow', reasons: [1] } }, '/policy/reasons/0'],
    ['without a verdict', { policy: { reasons: [] } }, '/policy/verdict'],
    ['with malformed evidence', { evidence: [{}] }, '/evidence/0/evidence_id'],
  ])('rejects a summary %s', (_, changed, path) => {
    const payload = JSON.parse(JSON.stringify({ ...shown, ...changed })) as Record<string, unknown>; // drops undefined members
    const message = { explanation, payload };
    const approval = { ...claims, summary_digest: summaryDigest(message) };
    expect(faultOf(() => approvalSubject({ question: { approval }, message }))).toMatchObject({
      document: 'ApprovalSubject',
      issues: expect.arrayContaining([expect.objectContaining({ path })]),
    });
  });
});
