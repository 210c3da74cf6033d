import { describe, expect, it, vi } from 'vitest';
import { trusting } from '../../core/shell/approvals.ts';
import { asked } from '../../core/shell/situations.ts';
import { scene } from '../../core/shell/scene.ts';
import { call, draft, plan, writeTool } from '../../core/shell/scripted.ts';
import { settle } from '../../core/shell/simulated-clock.ts';
import { served } from './served.ts';

const dana = { identity: () => 'dana' };
const answerTo = (target: string, more: object = {}) => ({
  feedback: { type: 'approve', target },
  key: crypto.randomUUID(),
  ...more,
});

describe('An answer from the console', () => {
  it('is refused when the host names no person, and the page learns why', async () => {
    const { orchestrator, open } = await asked('plan');
    const { get, post } = await served(orchestrator);
    expect(await get('api/session')).toEqual({ identity: null, operates: false });
    const { status, body } = await post('api/respond', answerTo(open.message.messageId));
    expect([status, JSON.parse(body)]).toMatchObject([403, { code: 'read_only' }]);
    expect(await orchestrator.inbox()).toHaveLength(1);
  });

  it('is recorded in the host’s name for the person, which a page cannot change', async () => {
    const { orchestrator, open } = await asked('plan');
    const { post } = await served(orchestrator, dana);
    const answer = answerTo(open.message.messageId);
    expect((await post('api/respond', { ...answer, by: 'kim' })).status).toBe(422);
    expect((await post('api/respond', answer)).status).toBe(200);
    await settle();
    const records = await orchestrator.ledger(open.taskId);
    const response = records.find(({ fact }) => fact?.type === 'human.responded');
    expect(response?.actor).toEqual({ kind: 'human', id: 'dana' });
  });

  it('counts once when it is sent twice', async () => {
    const { orchestrator, open } = await asked('plan');
    const { post } = await served(orchestrator, dana);
    const answer = answerTo(open.message.messageId);
    const both = await Promise.all([post('api/respond', answer), post('api/respond', answer)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('that does not fit is refused with the reason, and the question stays open', async () => {
    const { orchestrator, open } = await asked('plan');
    const { post } = await served(orchestrator, dana);
    const target = open.message.messageId;
    const feedback = { type: 'edit', target, content: { value: { calls: 'none' } } };
    const { status, body } = await post('api/respond', answerTo(target, { feedback }));
    expect([status, JSON.parse(body)]).toMatchObject([422, { code: 'feedback_refused' }]);
    expect(JSON.parse(body)).not.toHaveProperty('reason');
    expect(body).toContain('calls');
    expect(await orchestrator.inbox()).toHaveLength(1);
  });

  it('with a forged approval is refused with its code, and the question stays open', async () => {
    const { orchestrator, submit, question, invocations } = scene({
      model: [plan([call('write')]), draft()],
      tools: [writeTool('write', { tier: 'write_high_risk' })],
      options: {
        approvals: {
          verify: async () => ({
            refused: 'APPROVAL_SIGNATURE_WRONG',
            explanation: 'nobody we know signed it',
          }),
        },
      },
    });
    await submit();
    const { message } = await question();
    const { post } = await served(orchestrator, dana);
    const { status, body } = await post('api/respond', answerTo(message.messageId, { approval: 'forged' }));
    expect([status, JSON.parse(body)]).toMatchObject([422, { reason: 'APPROVAL_SIGNATURE_WRONG' }]);
    expect(body).not.toContain('forged');
    expect(invocations).toEqual([]);
    expect(await orchestrator.inbox()).toHaveLength(1);
  });

  it('with a valid approval releases the write', async () => {
    const { orchestrator, submit, question, invocations } = scene({
      model: [plan([call('write')]), draft()],
      tools: [writeTool('write', { tier: 'write_high_risk' })],
      options: { approvals: trusting },
    });
    await submit();
    const { message } = await question();
    const { post } = await served(orchestrator, dana);
    expect((await post('api/respond', answerTo(message.messageId, { approval: 'kim' }))).status).toBe(200);
    await settle();
    expect(invocations.map(({ tool }) => tool)).toEqual(['write']);
  });

  it('to an unknown question is refused', async () => {
    const { post } = await served(scene().orchestrator, dana);
    const { status, body } = await post('api/respond', answerTo(crypto.randomUUID()));
    expect([status, JSON.parse(body)]).toMatchObject([404, { code: 'not_found' }]);
  });

  it.each([
    ['invalid JSON', '{', 400],
    ['a duplicate key', '{"key":1,"key":2}', 400],
    ['a __proto__ key', '{"__proto__":{}}', 400],
    ['an empty body', '', 400],
    ['too many bytes', `"${'x'.repeat(1_048_577)}"`, 413],
    ['too many levels', '['.repeat(100_000), 400],
    ['another document', '{"feedback":{}}', 422],
  ])('of %s is refused, and the console continues', async (_, body, expected) => {
    const { ask, origin, get } = await served(scene().orchestrator, dana);
    const headers = { origin, 'content-type': 'application/json' };
    expect((await ask('api/respond', { method: 'POST', headers, body })).status).toBe(expected);
    const plain = { method: 'POST', headers: { origin, 'content-type': 'text/plain' }, body };
    expect((await ask('api/respond', plain)).status).toBe(415);
    expect(await get('api/session')).toEqual({ identity: 'dana', operates: false });
  });

  it('is refused when the host’s `by` throws, and the host learns why', async () => {
    const { orchestrator, open } = await asked('plan');
    const errors: unknown[] = [];
    const { post } = await served(orchestrator, {
      identity: () => Promise.reject(new Error('directory down: secret')),
      onError: (error) => errors.push(error),
    });
    const { status, body } = await post('api/respond', answerTo(open.message.messageId));
    expect([status, JSON.parse(body)]).toMatchObject([500, { code: 'broken' }]);
    expect(body).not.toContain('secret');
    expect(errors).toMatchObject([{ message: 'directory down: secret' }]);
    expect(await orchestrator.inbox()).toHaveLength(1);
  });

  it('is refused with a warning where the host handles no errors', async () => {
    const warning = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const { orchestrator, open } = await asked('plan');
    const { post } = await served(orchestrator, {
      identity: () => Promise.reject(new Error('directory down')),
    });
    await post('api/respond', answerTo(open.message.messageId));
    expect(warning).toHaveBeenCalledWith(
      'the console failed: Error: directory down; pass `onError` to handle this',
      {
        type: 'AgentCharterWarning',
        code: 'AGENTCHARTER_ERROR',
        detail: expect.stringContaining('respond.test.ts'),
      },
    );
    warning.mockRestore();
  });
});
