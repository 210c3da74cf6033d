import { defineTaskClass } from 'agentcharter';
import { createGuard, defineCallerTool, type CallOutcome, type GuardOptions } from 'agentcharter/guard';
import { verifyLedger } from 'agentcharter/ledger';
import { describe, expect, it } from 'vitest';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { simulatedClock } from '../core/shell/simulated-clock.ts';
import { describeRecall, input, openDesk, receipt } from './caller-desk.ts';

describe('A call that its caller performs', () => {
  it('is cleared with the arguments that were approved, which a person may have changed', async () => {
    await using desk = openDesk();
    const run = await desk.begin();
    const clear = () => run.clear('pay', { to: 'alice' }, { ref: 'c1' });
    expect((await clear()).status).toBe('paused');
    await desk.answer(run.taskId, { type: 'edit', content: { value: { to: 'bob' } } });
    expect(await clear()).toMatchObject({ status: 'cleared', arguments: { to: 'bob' } });
  });

  it('is on record before it happens, is cleared once with its key, and what is reported is evidence', async () => {
    await using desk = openDesk({ beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'pay' }] } });
    const run = await desk.begin();
    const asked = await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
    expect(asked).toMatchObject({ status: 'paused', questions: [{ question: { kind: 'approval' } }] });
    const { message, question } = await desk.answer(run.taskId, { type: 'approve' });
    expect(message.payload).toMatchObject({ action: { performs: 'caller' } });
    expect(question.reasons).toContain('Its agent performs it itself, and reports what came of it.');
    expect(await desk.facts(run.taskId)).not.toContain('call.started'); // it waits for its caller

    const cleared = await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
    expect(cleared).toMatchObject({ status: 'cleared', ref: 'c1', fence: 1 });
    expect(await desk.facts(run.taskId)).toContain('call.started');
    const [call] = (await run.progress()).calls;
    expect(call).toMatchObject({ status: 'waiting', ref: 'c1' });
    const records = await desk.guard.orchestrator.ledger(run.taskId);
    const [document] = records.flatMap(({ brought }) => brought.calls ?? []);
    expect(cleared).toMatchObject({ intent: document?.digest });

    expect(await run.report('c1', receipt)).toMatchObject({ status: 'done', result: { receipt: 'r-1' } });
    expect(await run.conclude({ payload: { said: 'paid' } })).toMatchObject({ status: 'delivered' });
    const all = await desk.guard.orchestrator.ledger(run.taskId);
    expect(await verifyLedger(all)).toMatchObject({ intact: true, findings: [] });
    expect(all.find(({ fact }) => fact?.type === 'call.succeeded')?.actor).toEqual({
      kind: 'agent',
      id: 'teller',
    });
  });

  it('fails certainly with notDone, and leaves a write in doubt with unknown', async () => {
    await using desk = openDesk();
    const run = await desk.begin();
    await run.clear('put', { to: 'a' }, { ref: 'c1' });
    const outcome = await run.report('c1', { status: 'notDone', explanation: 'the shop is closed' });
    expect(outcome).toMatchObject({ status: 'refused', code: 'TOOL_FAILED' });
    expect((outcome as Extract<CallOutcome, { status: 'refused' }>).explanation).toContain('shop is closed');
    await run.clear('put', { to: 'b' }, { ref: 'c2' });
    const doubted = await run.report('c2', { status: 'unknown', explanation: 'the line was cut' });
    expect(doubted).toMatchObject({ status: 'paused', questions: [{ question: { kind: 'doubt' } }] });
    // the caller may find out before the person does
    expect(await run.report('c2', { status: 'done', result: 'put' })).toMatchObject({ status: 'done' });
    expect(await desk.guard.orchestrator.inbox(run.taskId)).toEqual([]);
  });

  it('is in doubt at its deadline, or failed if it reads', async () => {
    const clock = simulatedClock();
    await using desk = openDesk({ deadlines: { call: 1_000 } }, { clock });
    const run = await desk.begin();
    expect(await run.clear('put', { to: 'a' }, { ref: 'c1' })).toMatchObject({
      expiresAt: new Date(clock.now() + 1_000).toISOString(),
    });
    await clock.advance(1_001);
    expect(await desk.guard.orchestrator.inbox(run.taskId)).toMatchObject([{ question: { kind: 'doubt' } }]);
    await desk.answer(run.taskId, { type: 'edit', content: { value: { effect: 'done' } } });
    expect(await run.clear('put', { to: 'a' }, { ref: 'c1' })).toMatchObject({ status: 'done' });
    await run.clear('look', { to: 'a' }, { ref: 'c2' });
    await clock.advance(1_001);
    expect(await run.report('c2', { status: 'done', result: 1 })).toMatchObject({
      status: 'refused',
      code: 'TOOL_TIMEOUT',
    });
  });

  it('waits for its caller beside others: a write behind it is paused, a restart keeps it', async () => {
    const database = memoryDatabase();
    const first = openDesk({}, { store: database.connect() });
    const { taskId } = await first.begin();
    const run = await first.guard.resume(taskId);
    await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
    await first.answer(taskId, { type: 'approve' });
    expect(await run.call('note', { to: 'x' }, { ref: 'c2' })).toMatchObject({
      status: 'paused',
      awaits: ['c1'],
    });
    expect(await run.conclude({ payload: { said: 'done' } })).toMatchObject({ status: 'paused' });
    await first.guard.close();
    await using second = openDesk({}, { store: database.connect() });
    const again = await second.guard.resume(taskId);
    expect(await again.clear('pay', { to: 'ada' }, { ref: 'c1' })).toMatchObject({ status: 'cleared' });
    expect(await again.report('c1', receipt)).toMatchObject({ status: 'done' });
    expect(await again.call('note', { to: 'x' }, { ref: 'c2' })).toMatchObject({ status: 'done' });
    expect(second.here).toEqual(['x']);
  });

  it('may be reported after a restart, which finds it cleared', async () => {
    const database = memoryDatabase();
    const first = openDesk({}, { store: database.connect() });
    const { taskId } = await first.begin();
    expect(await (await first.guard.resume(taskId)).clear('put', { to: 'a' }, { ref: 'c1' })).toMatchObject({
      status: 'cleared',
    });
    await first.guard.close();
    await using second = openDesk({}, { store: database.connect() });
    const run = await second.guard.resume(taskId);
    expect(await run.report('c1', { status: 'done', result: 'put' })).toMatchObject({ status: 'done' });
  });

  it('is undone by its caller, who is told what was described before the write', async () => {
    await using desk = openDesk();
    const run = await desk.begin();
    await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
    await desk.answer(run.taskId, { type: 'approve' });
    await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
    await run.report('c1', receipt);
    expect(await run.rollbacks()).toEqual([]);
    await desk.guard.orchestrator.cancel(run.taskId, { by: 'kim' });
    await expect.poll(() => run.rollbacks()).toHaveLength(1);
    const [rollback] = await run.rollbacks();
    expect(rollback).toMatchObject({
      ref: 'c1',
      tool: 'pay',
      action: { type: 'recall', target: 'ada', payload: { to: 'ada' } },
    });
    await run.reportRollback('c1', { status: 'done' });
    const settled = await desk.guard.orchestrator.settled(run.taskId);
    expect(settled.message.state).toBe('cancelled');
    expect(await desk.facts(run.taskId)).toContain('rollback.succeeded');
    await expect(run.reportRollback('c1', { status: 'done' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is undone by a caller whose answer failed, and who is told that the run waits for that', async () => {
    await using desk = openDesk({
      limits: { repairs: 0 },
      beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'look' }] },
    });
    const run = await desk.begin();
    await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
    await desk.answer(run.taskId, { type: 'approve' });
    await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
    await run.report('c1', receipt);
    const answer = { payload: { said: 'paid' } };
    expect(await run.conclude(answer)).toMatchObject({ status: 'paused', awaits: ['c1'] });
    expect(await run.rollbacks()).toHaveLength(1);
    await run.reportRollback('c1', { status: 'done' });
    expect(await run.conclude(answer)).toMatchObject({ status: 'ended', state: 'failed' });
  });

  it('is not undone if its caller says so, and the last message names it', async () => {
    await using desk = openDesk();
    const run = await desk.begin();
    await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
    await desk.answer(run.taskId, { type: 'approve' });
    await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
    await run.report('c1', receipt);
    await desk.guard.orchestrator.cancel(run.taskId, { by: 'kim' });
    await expect.poll(() => run.rollbacks()).toHaveLength(1);
    await run.reportRollback('c1', { status: 'notDone', explanation: 'the money is spent' });
    const { message } = await desk.guard.orchestrator.settled(run.taskId);
    expect(message.explanation).toContain('the money is spent');
  });
});

describe('A caller', () => {
  it('does not make a write again that the host made in this request, nor the host that of its caller', async () => {
    await using desk = openDesk();
    const run = await desk.begin();
    await run.call('note', { to: 'x' }, { ref: 'c1' });
    expect(await run.clear('note', { to: 'x' }, { ref: 'c2' })).toMatchObject({ status: 'refused' });
    expect(await run.clear('note', { to: 'y' }, { ref: 'c3' })).toMatchObject({ status: 'cleared' });
    await run.report('c3', { status: 'done', result: 1 });
    expect(await run.call('note', { to: 'y' }, { ref: 'c4' })).toMatchObject({ status: 'refused' });
    expect(await run.clear('note', { to: 'y' }, { ref: 'c5' })).toMatchObject({
      status: 'done',
      isRepeated: true,
      of: 'c3',
    });
    expect(desk.here).toEqual(['x']);
  });

  it('who asks again after cleared, without a report, may have performed the call', async () => {
    await using desk = openDesk();
    const run = await desk.begin();
    await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
    await desk.answer(run.taskId, { type: 'approve' });
    expect(await run.clear('pay', { to: 'ada' }, { ref: 'c1' })).toMatchObject({ status: 'cleared' });
    expect(await run.clear('pay', { to: 'ada' }, { ref: 'c1' })).toMatchObject({
      status: 'paused',
      questions: [{ question: { kind: 'doubt' } }],
    });
    // an idempotent one is cleared again under the same key
    const other = await desk.begin();
    const first = await other.clear('put', { to: 'a' }, { ref: 'c1' });
    expect(await other.clear('put', { to: 'a' }, { ref: 'c1' })).toEqual(first);
  });

  it('is told also if it stops waiting at the moment of its clearance', async () => {
    await using desk = openDesk();
    const run = await desk.begin();
    const patience = new AbortController();
    desk.guard.orchestrator.on('record', ({ fact }) => {
      if (fact?.type === 'dependency.awaited') patience.abort();
    });
    const asked = run.clear('note', { to: 'a' }, { ref: 'c1', signal: patience.signal });
    expect(await asked).toMatchObject({ status: 'cleared' });
    expect(await run.report('c1', { status: 'done', result: 1 })).toMatchObject({ status: 'done' });
  });

  it('of a tool that was not one before does not get its approval', async () => {
    const database = memoryDatabase();
    const policy: GuardOptions['policy'] = { decide: () => ({ verdict: 'needs_review', reasons: [] }) };
    const first = openDesk({}, { store: database.connect(), policy });
    const { taskId } = await first.begin();
    await (await first.guard.resume(taskId)).call('note', { to: 'x' }, { ref: 'c1' });
    await first.guard.close();
    const note = defineCallerTool({ name: 'note', description: '', input, tier: 'write_low_risk' });
    await using guard = createGuard({
      tools: [note],
      taskClasses: [defineTaskClass({ id: 'job', tools: ['note'], authorities: ['human'] })],
      policy,
      store: database.connect(),
    });
    await guard.orchestrator.recover();
    const [entry] = await guard.orchestrator.inbox(taskId);
    const answer = { type: 'approve', target: entry?.message.messageId ?? '' } as const;
    await expect(guard.orchestrator.respond(answer, { by: 'kim' })).rejects.toThrow(
      'its performs was none and is "caller"',
    );
  });

  it('is alone: of several who ask at once one is told', async () => {
    await using desk = openDesk();
    const run = await desk.begin();
    await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
    await desk.answer(run.taskId, { type: 'approve' });
    const asked = await Promise.all([1, 2, 3].map(() => run.clear('pay', { to: 'ada' }, { ref: 'c1' })));
    expect(asked.filter(({ status }) => status === 'cleared')).toHaveLength(1);
  });

  it('cannot report twice, for another call, without clearance, or in another form', async () => {
    await using desk = openDesk();
    const run = await desk.begin();
    await run.clear('put', { to: 'a' }, { ref: 'c1' });
    await run.report('c1', { status: 'done', result: 'first' });
    expect(await run.report('c1', { status: 'done', result: 'second' })).toMatchObject({ result: 'first' });
    const progress = await run.progress();
    expect(progress.evidence.map(({ payload }) => payload)).toEqual(['first']);
    await expect(run.report('c9', { status: 'done' })).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'call', id: 'c9', known: ['c1'] },
    });
    await run.call('note', { to: 'x' }, { ref: 'c2' });
    await expect(run.report('c2', { status: 'done' })).rejects.toMatchObject({ code: 'not_found' });
    await run.clear('pay', { to: 'ada' }, { ref: 'c3' });
    await expect(run.report('c3', receipt)).rejects.toMatchObject({ code: 'fact_refused' });
    await expect(run.report('c3', { status: 'maybe' } as never)).rejects.toMatchObject({
      code: 'document_invalid',
    });
    expect((await run.progress()).state).toBe('needsHumanDecision'); // nothing of it changed anything
  });

  it('whose result its tool would not return leaves a write in doubt', async () => {
    await using desk = openDesk();
    const run = await desk.begin();
    await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
    await desk.answer(run.taskId, { type: 'approve' });
    await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
    expect(await run.report('c1', { status: 'done', result: { paid: true } })).toMatchObject({
      status: 'paused',
      questions: [{ question: { kind: 'doubt' } }],
    });
  });

  it('cannot make evidence of a read that lives here, nor change who performs a call', async () => {
    await using desk = openDesk();
    const run = await desk.begin();
    expect(await run.clear('read', { to: 'a' }, { ref: 'c1' })).toMatchObject({
      status: 'refused',
      code: 'OUTPUT_INVALID',
    });
    expect(await run.call('look', { to: 'a' }, { ref: 'c2' })).toMatchObject({
      status: 'refused',
      code: 'OUTPUT_INVALID',
    });
    await run.call('note', { to: 'x' }, { ref: 'c3' });
    expect(await run.clear('note', { to: 'x' }, { ref: 'c3' })).toMatchObject({
      status: 'refused',
      code: 'PROPOSAL_CHANGED',
    });
    expect(desk.here).toEqual(['x']);
  });

  it('of a policy that says no performs nothing', async () => {
    const policy: GuardOptions['policy'] = {
      decide: ({ performs }) =>
        performs === 'caller'
          ? { verdict: 'deny', ends: 'call', reasons: ['only here'] }
          : { verdict: 'allow', reasons: [] },
    };
    await using desk = openDesk({}, { policy });
    const run = await desk.begin();
    expect(await run.clear('note', { to: 'x' }, { ref: 'c1' })).toMatchObject({ status: 'refused' });
    expect(await run.call('note', { to: 'x' }, { ref: 'c2' })).toMatchObject({ status: 'done' });
  });
});

describe('defineCallerTool', () => {
  it('refuses a rollback that would run here, and a high-risk write without one', () => {
    const pay = { name: 'pay', description: '', input };
    expect(() => defineCallerTool(pay)).toThrow('rollback is required');
    expect(() =>
      defineCallerTool({ ...pay, rollback: { describe: describeRecall, run: () => {} } as never }),
    ).toThrow('the caller performs the rollback');
  });
});
