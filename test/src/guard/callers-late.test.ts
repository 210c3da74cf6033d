import { verifyLedger } from 'agentcharter/ledger';
import { describe, expect, it } from 'vitest';
import type { Feedback } from '../../../src/base/feedback/feedback.ts';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { openDesk, receipt } from './caller-desk.ts';

/** A run that was cancelled while its caller had a payment, of which the caller did not know. */
const cancelled = async (desk: ReturnType<typeof openDesk>) => {
  const run = await desk.begin();
  await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
  await desk.answer(run.taskId, { type: 'approve' });
  await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
  await desk.guard.orchestrator.cancel(run.taskId, { by: 'kim' });
  await run.report('c1', { status: 'unknown', explanation: 'cut off' });
  await desk.guard.orchestrator.settled(run.taskId);
  return desk.guard.resume(run.taskId);
};

describe('A write that its caller reports late', () => {
  it('is undone, and the report does not wait for that', async () => {
    await using desk = openDesk();
    const run = await cancelled(desk);
    expect(await run.report('c1', receipt)).toMatchObject({ status: 'ended' });
    await expect.poll(() => run.rollbacks()).toHaveLength(1);
    await run.reportRollback('c1', { status: 'done' });
    const records = await desk.guard.orchestrator.ledger(run.taskId);
    expect(records.at(-1)?.fact).toMatchObject({ type: 'rollback.succeeded' }); // recorded when it was acknowledged
    expect(await verifyLedger(records)).toMatchObject({ intact: true, findings: [] });
  });

  it('holds up neither the start of its process nor its end', async () => {
    const database = memoryDatabase();
    const first = openDesk({}, { store: database.connect() });
    const run = await cancelled(first);
    await run.report('c1', receipt);
    await expect.poll(() => run.rollbacks()).toHaveLength(1);
    await first.guard.close();
    await using second = openDesk({}, { store: database.connect() });
    await second.guard.orchestrator.recover();
    const again = await second.guard.resume(run.taskId);
    await expect.poll(() => again.rollbacks()).toHaveLength(1);
    await again.reportRollback('c1', { status: 'done' });
  });

  it.each<Omit<Feedback, 'target'>>([
    { type: 'reject' },
    { type: 'edit', content: { value: { effect: 'absent' } } },
  ])('is recorded and undone also after a person said that it did not happen', async (answer) => {
    await using desk = openDesk();
    const run = await desk.begin();
    await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
    await desk.answer(run.taskId, { type: 'approve' });
    await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
    await run.report('c1', { status: 'unknown', explanation: 'cut off' });
    await desk.answer(run.taskId, answer);
    void run.report('c1', receipt).catch(() => {});
    await expect.poll(() => run.rollbacks()).toHaveLength(1);
    const records = await desk.guard.orchestrator.ledger(run.taskId);
    expect(records.map(({ kind, fact }) => `${kind} ${fact?.type ?? ''}`)).toContain('orphan call.succeeded');
    await run.reportRollback('c1', { status: 'done' });
  });
});
