import { describe, expect, it } from 'vitest';
import { served } from './served.ts';

const note = { tool: 'note', arguments: { line: 'hello' }, ref: 'c1', performs: 'caller' };

describe('An agent that performs its calls itself, over HTTP', () => {
  it('is told cleared, reports the outcome once, and delivers it', async () => {
    const { post, begin, get, done } = await served();
    const taskId = await begin();
    const calls = `/runs/${taskId}/calls`;
    const cleared = await post(calls, note);
    expect(cleared).toMatchObject({ status: 200, said: { status: 'cleared', ref: 'c1', fence: 1 } });
    expect(Object.keys(cleared.said).toSorted()).toEqual([
      'arguments',
      'expiresAt',
      'fence',
      'intent',
      'ref',
      'status',
    ]);
    const told = await post(`${calls}/c1/outcome`, { status: 'done', result: { receipt: 'r-1' } });
    expect(told).toMatchObject({ status: 200, said: { status: 'done', result: { receipt: 'r-1' } } });
    const again = await post(`${calls}/c1/outcome`, { status: 'done', result: { receipt: 'r-2' } });
    expect(again.said).toMatchObject({ status: 'done', result: { receipt: 'r-1' } });
    expect(await get(`/runs/${taskId}`)).toMatchObject({ evidence: [{ payload: { receipt: 'r-1' } }] });
    expect((await post(`/runs/${taskId}/conclusion`, { payload: { said: 'done' } })).said).toMatchObject({
      status: 'delivered',
    });
    expect(done).toEqual([]);
  });

  it('is refused an outcome of a call that it did not propose, was not cleared for, or that has another form', async () => {
    const { post, begin } = await served();
    const taskId = await begin();
    const calls = `/runs/${taskId}/calls`;
    expect(await post(`${calls}/c9/outcome`, { status: 'done' })).toMatchObject({
      status: 404,
      said: { code: 'not_found' },
    });
    const pay = { tool: 'pay', arguments: { to: 'alice' }, ref: 'a b/c', performs: 'caller' };
    expect((await post(calls, pay)).said).toMatchObject({ status: 'paused' });
    const path = `${calls}/${encodeURIComponent('a b/c')}/outcome`;
    expect(await post(path, { status: 'done' })).toMatchObject({
      status: 409,
      said: { code: 'fact_refused' },
    });
    expect(await post(path, { status: 'perhaps' })).toMatchObject({
      status: 422,
      said: { code: 'document_invalid' },
    });
    expect(await post(calls, { ...pay, performs: 'me' })).toMatchObject({ status: 422 });
  });

  it('is told what to undo, and reports that it is', async () => {
    const { post, begin, approve, get, guard } = await served();
    const taskId = await begin();
    const calls = `/runs/${taskId}/calls`;
    const pay = { tool: 'pay', arguments: { to: 'alice' }, ref: 'c1', performs: 'caller' };
    await post(calls, pay);
    await approve(taskId);
    expect((await post(calls, pay)).said).toMatchObject({ status: 'cleared' });
    await post(`${calls}/c1/outcome`, { status: 'done' });
    expect(await get(`/runs/${taskId}/rollbacks`)).toEqual({ rollbacks: [] });
    await post(`/runs/${taskId}/cancel`, {});
    await expect
      .poll(() => get(`/runs/${taskId}/rollbacks`))
      .toMatchObject({ rollbacks: [{ ref: 'c1', tool: 'pay', action: { type: 'money.recall' } }] });
    expect(await post(`/runs/${taskId}/rollbacks/c1/outcome`, { status: 'done' })).toMatchObject({
      status: 200,
      said: { rollbacks: [] },
    });
    await guard.orchestrator.settled(taskId);
    expect((await post(`/runs/${taskId}/rollbacks/c1/outcome`, { status: 'done' })).status).toBe(404);
  });
});
