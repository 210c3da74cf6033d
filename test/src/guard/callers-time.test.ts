import type { GuardOptions } from 'agentcharter/guard';
import { expect, it } from 'vitest';
import { actionDigest } from '../../../src/gates/approvals/subject.ts';
import { simulatedClock } from '../core/shell/simulated-clock.ts';
import { openDesk, receipt } from './caller-desk.ts';

const hour = 3_600_000;

it('An approved call and a rollback wait for their caller longer than for a tool that is here', async () => {
  const clock = simulatedClock();
  await using desk = openDesk({}, { clock });
  const run = await desk.begin();
  await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
  await desk.answer(run.taskId, { type: 'approve' });
  await clock.advance(2 * hour); // `deadlines.start` is one
  expect(await run.clear('pay', { to: 'ada' }, { ref: 'c1' })).toMatchObject({ status: 'cleared' });
  await run.report('c1', receipt);
  await desk.guard.orchestrator.cancel(run.taskId, { by: 'kim' });
  await clock.advance(2 * hour); // `deadlines.rollback` is a minute
  expect(await run.rollbacks()).toHaveLength(1);
  await run.reportRollback('c1', { status: 'done' });
  expect(await desk.facts(run.taskId)).toContain('rollback.succeeded');
});

it('A guard that closes leaves no timer for a caller who has to undo a late write', async () => {
  const clock = simulatedClock();
  const desk = openDesk({}, { clock });
  const run = await desk.begin();
  await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
  await desk.answer(run.taskId, { type: 'approve' });
  await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
  await desk.guard.orchestrator.cancel(run.taskId, { by: 'kim' });
  await run.report('c1', { status: 'unknown', explanation: 'cut off' });
  await run.report('c1', receipt);
  await expect.poll(() => run.rollbacks()).toHaveLength(1);
  await desk.guard.close();
  expect(clock.sleeping()).toBe(0);
});

it('A caller that leaves while the policy is asked again is cleared nothing', async () => {
  const patience = new AbortController();
  let asked = -Infinity;
  const policy: GuardOptions['policy'] = {
    decide: async () => {
      asked += 1;
      if (asked === 1) patience.abort();
      await new Promise((soon) => setImmediate(soon));
      return { verdict: 'allow', reasons: [] };
    },
  };
  await using desk = openDesk({}, { policy });
  const run = await desk.begin();
  await run.clear('pay', { to: 'ada' }, { ref: 'c1' });
  await desk.answer(run.taskId, { type: 'approve' });
  asked = 0; // the next one is right before the intent
  const left = run.clear('pay', { to: 'ada' }, { ref: 'c1', signal: patience.signal });
  await expect(left).rejects.toThrow();
  for (let turn = 0; turn < 9; turn += 1) await new Promise((soon) => setImmediate(soon));
  const started = (await desk.guard.orchestrator.ledger(run.taskId)).filter(
    ({ kind, fact }) => kind === 'fact' && fact?.type === 'call.started',
  );
  expect(started).toEqual([]);
  expect(await run.clear('pay', { to: 'ada' }, { ref: 'c1' })).toMatchObject({ status: 'cleared' });
});

it('A write after one that its caller has to perform is paused, and names it', async () => {
  await using desk = openDesk();
  const run = await desk.begin();
  const both = () =>
    Promise.all([
      run.clear('pay', { to: 'ada' }, { ref: 'c1' }),
      run.call('note', { to: 'x' }, { ref: 'c2', after: ['c1'] }),
    ]);
  expect((await both()).map(({ status }) => status)).toEqual(['paused', 'paused']);
  await desk.answer(run.taskId, { type: 'approve' });
  expect(await run.call('note', { to: 'x' }, { ref: 'c2', after: ['c1'] })).toMatchObject({
    status: 'paused',
    awaits: ['c1'],
  });
});

it('An approval of a call here is none of the same call by its caller', () => {
  const action = { tool: 'note', version: '1', arguments: { to: 'x' }, rollback: null };
  expect(actionDigest('request', action)).not.toBe(
    actionDigest('request', { ...action, performs: 'caller' }),
  );
});
