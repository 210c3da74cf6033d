import { randomUUID } from 'node:crypto';
import type { Task } from '@a2a-js/sdk';
import { expect, it } from 'vitest';
import { approvalSubject, jwsApprovals, signApproval } from '../../../../src/gates/approvals/index.ts';
import type { InboxEntry } from '../../../../src/index.ts';
import { draft, plan, writeTool, together } from '../../core/shell/scripted.ts';
import { askedBy, feedback, ours, stage, stateOf } from './stage.ts';
import { generateKeys } from '../../../key-pair.ts';

const parties = { issuer: 'https://desk.example', audience: 'stage' };
const keyPair = () => {
  const { privateKey, publicKey } = generateKeys();
  const kid = 'desk-1';
  return {
    mine: { ...privateKey.export({ format: 'jwk' }), kid },
    yours: { ...publicKey.export({ format: 'jwk' }), kid, subjects: 'any' as const },
  };
};

/** What an approval desk signs of what a client of A2A was shown: the digests are recomputed there. */
const signed = (task: Task, key: ReturnType<typeof keyPair>['mine'], approver = 'ada') => {
  const message = askedBy(task);
  const question = message.payload['question'] as InboxEntry['question'];
  const { claims } = approvalSubject({ question, message });
  const times = { issuedAt: Date.now(), expiresAt: Date.now() + 600_000 };
  return signApproval({ ...parties, approver, claims, jti: randomUUID(), ...times, key });
};

it('signs what the wire shows, and rejects forged and spent tokens [UAICP 5.3]', async () => {
  const { mine, yours } = keyPair();
  const effects: unknown[] = [];
  const tool = writeTool('wire', { tier: 'write_high_risk', call: (input) => effects.push(input) });
  const { send } = await stage({
    options: { tools: [tool], approvals: jwsApprovals({ ...parties, keys: { keys: [yours] } }) },
    model: [plan([together('wire', { amount: 9 }), together('wire', { amount: 8 })]), draft()],
  });
  const task = await send();
  const answer = (asked: Task, approval: string) =>
    send({ task: asked, parts: feedback({ type: 'approve', target: askedBy(asked).messageId }), approval });

  const forged = await answer(task, await signed(task, keyPair().mine));
  expect([stateOf(forged), ours(forged)]).toMatchObject([
    'TASK_STATE_AUTH_REQUIRED',
    { refused: { code: 'APPROVAL_SIGNATURE_WRONG' } },
  ]);
  const token = await signed(task, mine);
  const next = await answer(task, token);
  expect(ours(next)).not.toHaveProperty('refused');
  const again = await answer(next, token);
  expect(ours(again)).toMatchObject({ refused: { code: 'APPROVAL_ARGUMENTS_MISMATCH' } });
  expect(effects).toEqual([]);
  const done = await answer(next, await signed(next, mine));
  expect(stateOf(done)).toBe('TASK_STATE_COMPLETED');
  expect(effects).toEqual([{ amount: 9 }, { amount: 8 }]);
});
