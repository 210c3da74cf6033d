import { describe, expect, it } from 'vitest';
import type { Approvals } from '../../../src/index.ts';
import { scene } from './scene.ts';
import { call, draft, plan, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';
import { asked } from './situations.ts';

const told = (verify?: Approvals['verify']) =>
  scene({
    model: [plan([call('write')]), draft()],
    tools: [writeTool('write', { tier: 'write_high_risk' })],
    ...(verify && { options: { approvals: { verify } } }),
  });

it('clears a high-risk write, in the name of its approver', async () => {
  const { submit, answer, ended, invocations, orchestrator } = told(async () => ({ approver: 'kim' }));
  const taskId = await submit();
  expect(invocations).toEqual([]);
  await answer('approve', undefined, { approval: 'token' });
  expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
  const granted = (await orchestrator.ledger(taskId)).find(({ fact }) => fact?.type === 'approval.granted');
  expect(granted?.actor).toEqual({ kind: 'human', id: 'kim' });
  expect(JSON.stringify(await orchestrator.ledger(taskId))).not.toContain('token"');
});

describe('an approval token [UAICP 5.3, CHART 8]', () => {
  it.each([
    ['without approvals configured', undefined, 'approve', /no approvals are configured/],
    ['that is refused', async () => ({ refused: 'it has expired' }), 'approve', /it has expired/],
    [
      'that cannot be verified',
      () => Promise.reject(new Error('token xyz')),
      'approve',
      /could not be verified/,
    ],
    ['of the requesting agent', async () => ({ approver: 'recommender' }), 'approve', /no authority/],
    ['beside a rejection', async () => ({ approver: 'kim' }), 'reject', /a token goes with approve/],
    ['beside a comment', async () => ({ approver: 'kim' }), 'comment', /a token goes with approve/],
  ] as const)('%s counts for nothing, and the question stays open', async (_, verify, type, reason) => {
    const { submit, answer, invocations, orchestrator } = told(verify);
    await submit();
    const error: unknown = await answer(type, undefined, { approval: 'xyz' }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'feedback_refused' });
    expect(String(error)).toMatch(reason);
    expect(String(error)).not.toContain('xyz');
    expect(invocations).toEqual([]);
    expect(orchestrator.inbox()).toHaveLength(1);
  });

  it('counts only where an approval is asked', async () => {
    const { orchestrator, open } = await asked('plan');
    await expect(
      orchestrator.respond(
        { type: 'approve', target: open.message.messageId },
        { by: 'dana', approval: 'token' },
      ),
    ).rejects.toThrow(/asks for no approval/);
  });

  it('is what a high-risk write waits for: a plain word does not clear it', async () => {
    const { submit, answer, invocations } = told(async () => ({ approver: 'kim' }));
    await submit();
    await expect(answer('approve')).rejects.toMatchObject({ code: 'feedback_refused' });
    await settle();
    expect(invocations).toEqual([]);
  });

  it('counts once, although it comes twice at the same moment', async () => {
    const { submit, question, orchestrator, facts } = told(async () => ({ approver: 'kim' }));
    const taskId = await submit();
    const target = question().message.messageId;
    const say = () => orchestrator.respond({ type: 'approve', target }, { by: 'dana', approval: 'token' });
    const results = await Promise.allSettled([say(), say()]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await settle();
    expect((await facts(taskId)).filter((type) => type === 'approval.granted')).toHaveLength(1);
  });
});
