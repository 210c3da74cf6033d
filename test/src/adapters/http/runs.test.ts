import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryDatabase } from '../../../../src/stores/memory/database.ts';
import { pay, read, served } from './served.ts';

const job = { taskClass: 'job', payload: { for: 'test' } };

describe('An agent over HTTP', () => {
  it('begins a run, calls, concludes, and its answer passes deliver', async () => {
    const { post, get, done } = await served();
    const begun = await post('/runs', { ...job, explanation: 'A test.' });
    expect(begun).toMatchObject({ status: 201, said: { taskClass: 'job', attempt: 0, questions: [] } });
    const taskId = String(begun.said['taskId']);
    expect(begun.headers['location']).toBe(`runs/${taskId}`);
    const called = await post(`/runs/${taskId}/calls`, read);
    expect(called).toMatchObject({ status: 200, said: { status: 'done', result: { of: 'x' } } });
    const concluded = await post(`/runs/${taskId}/conclusion`, {
      payload: { said: 'done' },
      explanation: 'Read.',
    });
    expect(concluded.said).toMatchObject({ status: 'delivered', payload: { said: 'done' } });
    expect(await get(`/runs/${taskId}`)).toMatchObject({
      state: 'completed.settled',
      outcome: 'success',
      taskId,
    });
    expect(done).toEqual(['read x']);
  });

  it('receives the message that delivered, whole [UpFormat 4]', async () => {
    const output = z.object({ said: z.string().describe('what was said') });
    const { post, begin, guard } = await served({ contract: { output } });
    const taskId = await begin();
    const thoughts = { reasoning: ['It was read.'], questions: ['Was it?'], alternatives: [{ said: 'no' }] };
    const { said } = await post(`/runs/${taskId}/conclusion`, { payload: { said: 'done' }, ...thoughts });
    const { threadId } = await guard.orchestrator.task(taskId);
    expect(said).toMatchObject({
      message: {
        state: 'completed',
        payload: { said: 'done' },
        upThought: { ...thoughts, canProceed: true },
        upContext: { fields: { said: 'what was said' } },
      },
    });
    expect(said['message']).toEqual((await guard.orchestrator.thread(threadId)).at(-1));
    const late = await post(`/runs/${taskId}/calls`, read);
    expect(late.said).toMatchObject({ status: 'ended', message: said['message'] });
  });

  it('receives the message of a failure, with a call and with an answer', async () => {
    const evidence = [{ type: 'tool_result' as const }];
    const { post, begin } = await served({
      contract: { beforeDeliver: { evidence }, limits: { repairs: 0 } },
    });
    const taskId = await begin();
    const ended = await post(`/runs/${taskId}/conclusion`, { payload: {} });
    const message = { state: 'failed', payload: { reasonCodes: ['EVIDENCE_MISSING'] } };
    expect(ended.said).toMatchObject({ status: 'ended', message });
    expect((await post(`/runs/${taskId}/calls`, read)).said).toMatchObject({ status: 'ended', message });
  });

  it('receives no message if it may not read its run', async () => {
    const { post, begin } = await served({ wire: { mayRead: () => false } });
    const taskId = await begin();
    const { said } = await post(`/runs/${taskId}/conclusion`, { payload: { said: 'done' } });
    expect(said).toEqual({ status: 'delivered', payload: { said: 'done' } });
    expect((await post(`/runs/${taskId}/calls`, read)).said).not.toHaveProperty('message');
  });

  it('pauses for a person’s approval, and writes once however often it asks', async () => {
    const { post, begin, approve, done, get } = await served();
    const taskId = await begin();
    const paused = await post(`/runs/${taskId}/calls`, pay);
    expect(paused).toMatchObject({ status: 200, said: { status: 'paused', awaits: [] } });
    expect(await get(`/runs/${taskId}`)).toMatchObject({ questions: [{ question: { kind: 'approval' } }] });
    expect(done).toEqual([]);
    expect((await approve(taskId)).status).toBe(204);
    const again = await Promise.all([1, 2, 3].map(() => post(`/runs/${taskId}/calls`, pay)));
    expect(again.map(({ said }) => said['status'])).toEqual(['done', 'done', 'done']);
    expect(done).toEqual(['pay alice']);
  });

  it('goes on with what nobody needs to look at, while a person is asked', async () => {
    const { post, begin, get, done } = await served();
    const taskId = await begin();
    expect((await post(`/runs/${taskId}/calls`, pay)).said).toMatchObject({ status: 'paused' });
    expect((await post(`/runs/${taskId}/calls`, read)).said).toMatchObject({ status: 'done' });
    expect(await get(`/runs/${taskId}`)).toMatchObject({ state: 'needsHumanDecision' });
    expect(done).toEqual(['read x']);
  });

  it('waits in place on request, until a person answers', async () => {
    const { post, begin, approve, guard } = await served();
    const taskId = await begin();
    const asked = new Promise((resolve) => guard.orchestrator.on('question', resolve));
    const waiting = post(`/runs/${taskId}/calls`, { ...pay, waits: true });
    await asked;
    await approve(taskId);
    expect((await waiting).said).toMatchObject({ status: 'done' });
  });

  it('waits no longer than its host allows, and receives the current state', async () => {
    const { post, begin } = await served({ wire: { patience: 20 } });
    const taskId = await begin();
    const { said } = await post(`/runs/${taskId}/calls`, { ...pay, waits: true });
    expect(said).toMatchObject({ status: 'paused', questions: [{ question: { kind: 'approval' } }] });
  });

  it('proposes the calls of one step as one round of the chart', async () => {
    const { post, begin, guard, done } = await served();
    const taskId = await begin();
    const calls = [read, { ...read, ref: 'r-2', arguments: { of: 'y' } }, pay];
    const { said } = await post(`/runs/${taskId}/rounds`, { calls });
    expect(said).toMatchObject({ outcomes: [{ status: 'done' }, { status: 'done' }, { status: 'paused' }] });
    const records = await guard.orchestrator.ledger(taskId);
    expect(records.flatMap(({ fact }) => (fact?.type === 'plan.proposed' ? fact.calls.length : []))).toEqual([
      3,
    ]);
    expect(done.toSorted()).toEqual(['read x', 'read y']);
  });

  it.each([
    ['as stated', { confidence: 0.7 }, { confidence: 0.9 }, [0.7, 0.9]],
    ['as unstated by default', {}, {}, ['unstated', 'unstated']],
  ])('has its confidence recorded %s', async (_, call, answer, recorded) => {
    const { post, begin, guard } = await served();
    const taskId = await begin();
    await post(`/runs/${taskId}/rounds`, { calls: [{ ...read, ...call }] });
    await post(`/runs/${taskId}/conclusion`, { payload: {}, ...answer });
    const records = await guard.orchestrator.ledger(taskId);
    expect(
      records.flatMap(({ fact }) => (fact !== null && 'confidence' in fact ? [fact.confidence] : [])),
    ).toEqual(recorded);
  });

  it('pauses for a person when its task class asks about an unstated confidence', async () => {
    const { post, begin, done } = await served({ contract: { unstated: 'ask' } });
    const called = await post(`/runs/${await begin()}/calls`, read);
    expect(called.said).toMatchObject({ status: 'paused', questions: [{ question: { kind: 'plan' } }] });
    const taskId = await begin();
    const concluded = await post(`/runs/${taskId}/calls`, { ...read, confidence: 0.9 });
    expect(concluded.said).toMatchObject({ status: 'done' });
    expect((await post(`/runs/${taskId}/conclusion`, { payload: {} })).said).toMatchObject({
      status: 'paused',
      questions: [{ question: { kind: 'draft' } }],
    });
    expect(done).toEqual(['read x']);
  });

  it('reads what does not fit, repairs it, and reads that the run is over', async () => {
    const { post, begin } = await served({
      contract: { beforeDeliver: { evidence: [{ type: 'tool_result' }] } },
    });
    const taskId = await begin();
    const nothing = await post(`/runs/${taskId}/calls`, { tool: 'steal', arguments: {}, ref: 's-1' });
    expect(nothing.said).toMatchObject({ status: 'refused', code: 'OUTPUT_INVALID' });
    const conclude = () => post(`/runs/${taskId}/conclusion`, { payload: {} });
    expect((await conclude()).said).toMatchObject({
      status: 'repairing',
      unmet: [{ code: 'EVIDENCE_MISSING' }],
    });
    expect((await conclude()).said).toMatchObject({ status: 'repairing' });
    expect((await conclude()).said).toMatchObject({ status: 'ended', state: 'failed' });
    expect((await post(`/runs/${taskId}/calls`, read)).said).toMatchObject({ status: 'ended' });
  });

  it('changes nothing under a used name', async () => {
    const { post, begin, approve, done, guard } = await served();
    const taskId = await begin();
    await post(`/runs/${taskId}/calls`, pay);
    await approve(taskId);
    const changed = await post(`/runs/${taskId}/calls`, { ...pay, arguments: { to: 'mallory' } });
    expect(changed.said).toMatchObject({ status: 'refused', code: 'PROPOSAL_CHANGED' });
    expect(done).not.toContain('pay mallory');
    const records = await guard.orchestrator.ledger(taskId);
    expect(records.filter(({ code }) => code === 'PROPOSAL_CHANGED')).toHaveLength(1);
  });

  it('cancels its run once, in its own name', async () => {
    const { post, begin, guard } = await served();
    const taskId = await begin();
    const cancelled = await post(`/runs/${taskId}/cancel`, {});
    expect(cancelled).toMatchObject({ status: 200, said: { state: 'cancelled' } });
    expect(await post(`/runs/${taskId}/cancel`, {})).toMatchObject({
      status: 409,
      said: { code: 'fact_refused' },
    });
    const records = await guard.orchestrator.ledger(taskId);
    expect(records.find(({ fact }) => fact?.type === 'task.cancelled')?.actor).toEqual({
      kind: 'agent',
      id: 'teller',
    });
  });

  it('cancels its run urgently, on record, and refuses an urgency that is no yes or no', async () => {
    const { post, begin, guard } = await served();
    const taskId = await begin();
    expect(await post(`/runs/${taskId}/cancel`, { urgent: 'yes' })).toMatchObject({ status: 422 });
    await post(`/runs/${taskId}/cancel`, { urgent: true });
    const records = await guard.orchestrator.ledger(taskId);
    expect(records.flatMap(({ fact }) => (fact?.type === 'task.cancelled' ? fact.urgent : []))).toEqual([
      true,
    ]);
  });

  it('has a trace of its own, and records the one that it names', async () => {
    const { post, guard } = await served();
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${trace}-b7ad6b7169203331-01`;
    const { said } = await post('/runs', job, { headers: { traceparent, tracestate: 'a=b' } });
    const [first] = await guard.orchestrator.ledger(String(said['taskId']));
    expect(first).toMatchObject({
      trace_id: expect.not.stringMatching(trace),
      brought: { request: { linkedTraces: [{ traceparent, tracestate: 'a=b' }] } },
    });
    expect((await post('/runs', job, { headers: { traceparent: 'nonsense' } })).status).toBe(201);
  });
});

describe('An HTTP request that is sent twice', () => {
  const key = { headers: { 'idempotency-key': 'order 1' } };

  it('under one key begins one run, even at the same moment', async () => {
    const { post, guard } = await served();
    const both = await Promise.all([post('/runs', job, key), post('/runs', job, key)]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(both.map(({ said }) => said['taskId'])).size).toBe(1);
    expect(await guard.orchestrator.list()).toHaveLength(1);
  });

  it('under one key begins one run across a restart', async () => {
    const database = memoryDatabase();
    const before = await served({ guard: { store: database.connect() } });
    const first = await before.post('/runs', job, key);
    await before.close();
    const after = await served({ guard: { store: database.connect() } });
    const second = await after.post('/runs', job, key);
    expect([second.status, second.said['taskId']]).toEqual([201, first.said['taskId']]);
    expect(await after.guard.orchestrator.list()).toHaveLength(1);
  });

  it('under one key with another body is refused', async () => {
    const { post, guard } = await served();
    await post('/runs', job, key);
    const other = await post('/runs', { ...job, payload: {} }, key);
    expect(other).toMatchObject({ status: 422, said: { code: 'key_reused' } });
    expect(await guard.orchestrator.list()).toHaveLength(1);
  });

  it('under the key of another agent begins another run', async () => {
    const { post } = await served();
    const [mine, theirs] = await Promise.all([
      post('/runs', job, key),
      post('/runs', job, { ...key, as: 'rival' }),
    ]);
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(mine.said['taskId']).not.toBe(theirs.said['taskId']);
  });

  it('under one ref at the same moment acts once', async () => {
    const { post, begin, done } = await served();
    const taskId = await begin();
    const note = { tool: 'note', arguments: { line: 'paid' }, ref: 'n-1' };
    const both = await Promise.all([1, 2].map(() => post(`/runs/${taskId}/calls`, note)));
    expect(both.map(({ said }) => said['status'])).toEqual(['done', 'done']);
    expect(done).toEqual(['note paid']);
  });

  it('counts once as a person’s answer', async () => {
    const { post, begin, target, done } = await served();
    const taskId = await begin();
    await post(`/runs/${taskId}/calls`, pay);
    const feedback = { type: 'approve', target: await target(taskId) };
    const kim = { as: 'kim', headers: { 'idempotency-key': 'answer 1' } };
    const both = await Promise.all([
      post('/feedback', { feedback }, kim),
      post('/feedback', { feedback }, kim),
    ]);
    expect(both.map(({ status }) => status)).toEqual([204, 204]);
    await post(`/runs/${taskId}/calls`, pay);
    expect(done).toEqual(['pay alice']);
  });
});

describe('A restarted server over the same store', () => {
  it('resumes a paused run, and makes the approved write once', async () => {
    const database = memoryDatabase();
    const before = await served({ guard: { store: database.connect() } });
    const taskId = await before.begin();
    await before.post(`/runs/${taskId}/calls`, read);
    await before.post(`/runs/${taskId}/calls`, pay);
    await before.close();

    const after = await served({ guard: { store: database.connect() } });
    await after.guard.orchestrator.recover();
    expect((await after.post(`/runs/${taskId}/calls`, pay)).said).toMatchObject({ status: 'paused' });
    await after.approve(taskId);
    expect((await after.post(`/runs/${taskId}/calls`, pay)).said).toMatchObject({ status: 'done' });
    expect((await after.post(`/runs/${taskId}/conclusion`, { payload: { ok: true } })).said).toMatchObject({
      status: 'delivered',
    });
    expect([before.done, after.done]).toEqual([['read x'], ['pay alice']]);
  });
});
