import { expect } from 'vitest';
import { jwsApprovals, signApproval } from '../../../../src/gates/approvals/index.ts';
import type { Emission } from '../../../../src/index.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { edKey, trustedKey } from '../../gates/approvals/desk.ts';
import { passes, scene } from '../shell/scene.ts';
import { call, draft, plan, readTool, writeTool } from '../shell/scripted.ts';

const desk = { issuer: 'desk', audience: 'here' };

/** The keys that may sign for Kim. */
export const approvalKeys = { keys: [trustedKey(edKey, ['kim'])] };

/** A run that reads, asks about its plan, and writes what Kim signs. */
export const signedWrite = async (): Promise<{
  readonly records: readonly LedgerRecord[];
  readonly emissions: readonly Emission[];
}> => {
  const one = scene({
    model: [plan([call('read', { of: 'o-7' }), call('write', { amount: 7 })], { confidence: 0.2 }), draft()],
    tools: [readTool('read'), writeTool('write', { tier: 'write_high_risk' })],
    verifiers: { check: passes },
    taskClass: { beforeDeliver: { verifiers: ['check'] } },
    options: { approvals: jwsApprovals({ ...desk, keys: approvalKeys }) },
  });
  const taskId = await one.submit();
  await one.answer('approve');
  const { question } = await one.question();
  const issuedAt = one.clock.now();
  const token = await signApproval({
    ...desk,
    claims: question.approval!,
    approver: 'kim',
    jti: 'approval-1',
    issuedAt,
    expiresAt: issuedAt + 3_600_000,
    key: edKey,
  });
  await one.answer('approve', undefined, { approval: token });
  expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
  const [records, emissions] = [
    await one.orchestrator.ledger(taskId),
    await one.orchestrator.documents(taskId),
  ];
  return JSON.parse(JSON.stringify({ records, emissions }));
};
