import { describe, expect, it } from 'vitest';
import { guardTool } from 'agentcharter/guard';
import { defineTaskClass } from 'agentcharter';
import { z } from 'zod';
import { jwsApprovals } from 'agentcharter/approvals';
import { pay, read, served } from './served.ts';
import { forged, signedBy, trusted } from './desk.ts';

/** A run whose call waits for another agent. */
const delegated = async () => {
  const delegate = guardTool(
    {
      name: 'delegate',
      input: z.object({}),
      execute: (_, { met, notYet }) =>
        met ?? notYet({ dependency: 'search', agent: 'scout', explanation: 'Scout searches.' }),
    },
    { tier: 'read_only' },
  );
  const taskClass = defineTaskClass({ id: 'job', tools: ['delegate'] });
  const room = await served({ guard: { tools: [delegate], taskClasses: [taskClass] } });
  const taskId = await room.begin();
  const call = { tool: 'delegate', arguments: {}, ref: 'd-1' };
  const paused = await room.post(`/runs/${taskId}/calls`, call);
  const { threadId } = await room.get(`/runs/${taskId}`);
  const message = {
    messageId: crypto.randomUUID(),
    threadId,
    timestamp: new Date().toISOString(),
    state: 'completed',
    payload: { found: 3 },
    explanation: 'Scout found it.',
    agentId: 'scout',
  };
  return { ...room, taskId, call, paused, threadId: String(threadId), message };
};

describe('An agent that works for a run elsewhere', () => {
  it('resumes a waiting call with an UpFormat message', async () => {
    const { paused, post, message, taskId, call } = await delegated();
    expect(paused.said).toMatchObject({ status: 'paused', questions: [], awaits: ['search'] });
    expect((await post('/messages', message, { as: 'scout' })).status).toBe(204);
    expect((await post('/messages', message, { as: 'scout' })).status).toBe(204);
    const { said } = await post(`/runs/${taskId}/calls`, call);
    expect(said).toMatchObject({ status: 'done', result: { found: 3 } });
  });

  it('cannot speak for another agent', async () => {
    const { post, message, get, taskId } = await delegated();
    for (const sent of [message, { ...message, agentId: undefined }]) {
      const { status, said } = await post('/messages', sent, { as: 'teller' });
      expect([status, said['code']]).toEqual([409, 'message_refused']);
    }
    expect(await get(`/runs/${taskId}`)).toMatchObject({ awaits: ['search'] });
  });

  it('is refused when no run waits for it', async () => {
    const { post, message } = await delegated();
    const stray = { ...message, threadId: crypto.randomUUID() };
    const { status, said } = await post('/messages', stray, { as: 'scout' });
    expect([status, said['code']]).toEqual([409, 'message_refused']);
  });

  it('cannot tell the messages of other agents from unknown ones', async () => {
    const { post, message } = await delegated();
    expect((await post('/messages', message, { as: 'scout' })).status).toBe(204);
    const responseFor = async (messageId: string) => {
      const { status, said } = await post('/messages', { ...message, messageId, agentId: 'teller' });
      return [status, said];
    };
    expect(await responseFor(message.messageId)).toEqual(await responseFor(crypto.randomUUID()));
  });

  it('reads the thread if its host allows it', async () => {
    const { ask, threadId } = await delegated();
    expect((await ask(`/threads/${threadId}`, { as: 'scout' })).status).toBe(404);
    const open = await served({ wire: { mayRead: () => true } });
    const taskId = await open.begin();
    const run = await open.get(`/runs/${taskId}`, { as: 'scout' });
    const thread = await open.get(`/threads/${String(run['threadId'])}`, { as: 'scout' });
    expect(thread).toMatchObject({ messages: [{ state: 'submitted', agentId: 'teller' }] });
  });
});

it.each(['yes', 1, {}, Promise.resolve('yes')])(
  'denies reading to everyone when mayRead returns %j',
  async (said) => {
    const { ask, begin } = await served({ wire: { mayRead: () => said as boolean } });
    const taskId = await begin();
    expect((await ask(`/runs/${taskId}`, { as: 'scout' })).status).toBe(404);
  },
);

describe('The thread of two agents', () => {
  it('shows each agent the messages of its own runs', async () => {
    const { post, begin, get, guard } = await served();
    const taskId = await begin();
    const { threadId } = await get(`/runs/${taskId}`);
    await post('/runs', { taskClass: 'job', payload: { of: 'the colleague' }, threadId }, { as: 'scout' });
    const path = `/threads/${String(threadId)}`;
    expect(await guard.orchestrator.thread(String(threadId))).toHaveLength(2);
    expect(await get(path)).toMatchObject({ messages: [{ payload: { for: 'test' } }] });
    const colleagues = await get(path, { as: 'scout' });
    expect(colleagues).toMatchObject({ messages: [{ payload: { of: 'the colleague' } }] });
    expect(JSON.stringify(colleagues)).not.toContain('"for"');
    expect((await get(path, { as: 'kim' }))['messages']).toHaveLength(2);
  });

  it('is refused to an agent of another owner that names it, and the refusal is recorded', async () => {
    const { post, begin, get, guard } = await served();
    const taskId = await begin();
    const { threadId } = await get(`/runs/${taskId}`);
    const request = { taskClass: 'job', payload: {}, threadId };
    const { status, said } = await post('/runs', request, { as: 'rival' });
    expect([status, said['code']]).toEqual([403, 'thread_refused']);
    expect(await guard.orchestrator.thread(String(threadId))).toHaveLength(1);
    const last = (await guard.orchestrator.ledger(taskId)).at(-1);
    expect(last).toMatchObject({ kind: 'refusal', code: 'IDENTITY_INVALID', brought: { owner: 'emca' } });
  });
});

describe('The documents of a run', () => {
  it('are its UAICP envelopes, evidence, reports and messages', async () => {
    const { post, begin, get } = await served();
    const taskId = await begin();
    await post(`/runs/${taskId}/calls`, read);
    await post(`/runs/${taskId}/conclusion`, { payload: {} });
    const { documents } = await get(`/runs/${taskId}/envelopes`);
    const names = new Set((documents as { name: string }[]).map(({ name }) => name));
    expect([...names].toSorted()).toEqual(['EvidenceObject', 'MessageEnvelope', 'UpFormatMessage']);
  });

  it('show a signed approval to people only', async () => {
    const { post, begin, get, target, guard } = await served({
      contract: { authorities: ['approval'] },
      guard: { approvals: jwsApprovals(trusted) },
    });
    const taskId = await begin();
    await post(`/runs/${taskId}/calls`, pay);
    const [entry] = await guard.orchestrator.inbox(taskId);
    const approval = await signedBy(entry!);
    const feedback = { type: 'approve', target: await target(taskId) };
    expect((await post('/feedback', { feedback, approval }, { as: 'kim' })).status).toBe(204);
    await post(`/runs/${taskId}/calls`, pay);
    const path = `/runs/${taskId}/envelopes`;
    expect(JSON.stringify(await get(path, { as: 'kim' }))).toContain(approval);
    for (const place of [path, `/runs/${taskId}`])
      expect(JSON.stringify(await get(place))).not.toContain(approval);
  });
});

describe('An answer over HTTP', () => {
  it('counts in the person’s name that the host returns', async () => {
    const { post, begin, target, guard } = await served();
    const taskId = await begin();
    await post(`/runs/${taskId}/calls`, pay);
    const feedback = { type: 'approve', target: await target(taskId) };
    const byAgent = await post('/feedback', { feedback });
    expect([byAgent.status, byAgent.said['code']]).toEqual([403, 'identity_refused']);
    expect((await post('/feedback', { feedback, by: 'dana' }, { as: 'kim' })).status).toBe(422);
    expect(await guard.orchestrator.inbox(taskId)).toHaveLength(1);
    expect((await post('/feedback', { feedback }, { as: 'kim' })).status).toBe(204);
    const records = await guard.orchestrator.ledger(taskId);
    expect(records.find(({ fact }) => fact?.type === 'human.responded')?.actor).toEqual({
      kind: 'human',
      id: 'kim',
    });
  });

  it('with a forged approval is refused with its code, and quotes no token', async () => {
    const { post, begin, target, guard, done } = await served({
      contract: { authorities: ['approval'] },
      guard: { approvals: jwsApprovals(trusted) },
    });
    const taskId = await begin();
    await post(`/runs/${taskId}/calls`, pay);
    const [entry] = await guard.orchestrator.inbox(taskId);
    const approval = await forged(entry!);
    const feedback = { type: 'approve', target: await target(taskId) };
    const { status, said } = await post('/feedback', { feedback, approval }, { as: 'kim' });
    expect([status, said['reason']]).toEqual([422, 'APPROVAL_SIGNATURE_WRONG']);
    expect(JSON.stringify(said)).not.toContain(approval);
    expect(done).toEqual([]);
  });

  it('to an unknown question is refused, and names no other question', async () => {
    const { post, begin, target } = await served();
    const taskId = await begin();
    await post(`/runs/${taskId}/calls`, pay);
    const feedback = { type: 'approve', target: crypto.randomUUID() };
    const { status, said } = await post('/feedback', { feedback }, { as: 'kim' });
    expect([status, said['code']]).toEqual([404, 'not_found']);
    expect(JSON.stringify(said)).not.toContain(await target(taskId));
  });
});
