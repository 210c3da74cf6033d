import { expect, test } from 'vitest';
import { approvalSubject, type ApprovalSubject } from '../../../../src/gates/approvals/index.ts';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { scene } from '../../core/shell/scene.ts';
import { call, draft, plan, readTool, writeTool } from '../../core/shell/scripted.ts';

const asked = async () => {
  const one = scene({
    model: [plan([call('read'), call('write', { amount: 7 })]), draft()],
    tools: [readTool('read'), writeTool('write', { tier: 'write_high_risk' })],
    policy: () => ({ verdict: 'allow', reasons: ['below the limit'] }),
  });
  await one.submit();
  return await one.question();
};

const refused = expect.objectContaining({ code: 'document_invalid' }) as Error;

test('approvalSubject shows the action, its rollback, the policy decision and the whole evidence', async () => {
  const { subject, claims } = approvalSubject(await asked());
  expect(subject).toMatchObject({
    action: { tool: 'write', arguments: { amount: 7 }, rollback: { type: 'inverse' } },
    tier: 'write_high_risk',
    policy: { verdict: 'allow', reasons: ['below the limit'] },
    evidence: [{ source: 'read', payload: { read: 'read' } }],
  });
  expect(claims.action_digest).toBe(subject.action.digest);
});

type Change = (payload: ApprovalSubject) => unknown;

test.each<[string, Change]>([
  ['other arguments', (payload) => ({ ...payload, action: { ...payload.action, arguments: { amount: 1 } } })],
  ['a lower tier', (payload) => ({ ...payload, tier: 'write_low_risk' })],
  ['another policy decision', (payload) => ({ ...payload, policy: { verdict: 'allow', reasons: [] } })],
  ['no evidence', (payload) => ({ ...payload, evidence: [] })],
  ['nothing', () => ({})],
])('approvalSubject rejects %s that the claims do not cover', async (_, change) => {
  const { question, message } = await asked();
  const payload = { ...(change(message.payload as ApprovalSubject) as object), question };
  expect(() => approvalSubject({ question, message: { ...message, payload } })).toThrow(refused);
});

test('approvalSubject rejects evidence that differs from what was collected, even under a recomputed summary digest', async () => {
  const { question, message } = await asked();
  const { question: _, ...shown } = message.payload;
  const [first] = approvalSubject({ question, message }).subject.evidence;
  const payload = { ...shown, evidence: [{ ...first, payload: { read: 'something else' } }] };
  const approval = {
    ...question.approval!,
    summary_digest: digest({ explanation: message.explanation, payload }),
  };
  expect(() => approvalSubject({ question: { approval }, message: { ...message, payload } })).toThrow(
    /does not match its hash/,
  );
});

test.each(['action_digest', 'tool', 'tool_version', 'tier'] as const)(
  'approvalSubject rejects another %s in the claims',
  async (claim) => {
    const { question, message } = await asked();
    const approval = { ...question.approval!, [claim]: 'write_low_risk' };
    expect(() => approvalSubject({ question: { approval }, message })).toThrow(refused);
  },
);

test('approvalSubject rejects a question that asks for no approval', async () => {
  const { message } = await asked();
  expect(() => approvalSubject({ question: {}, message })).toThrow(/asks for no approval/);
});
