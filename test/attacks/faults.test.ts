// Copy to test/attacks/faults.test.ts; each test asserts what should hold, and fails today.
import { expect, test } from 'vitest';
import type { Fact } from '../../machines/index.ts';
import { isCharterError, type Store } from '../../src/index.ts';
import { draft } from '../src/orchestrator/scripted.ts';
import { settle } from '../src/orchestrator/simulated-clock.ts';
import { signed } from './bank.ts';
import { branch, vault } from './branch.ts';
import { appended, copyOf, driven, putBack, rewrite, waiting } from './resealed.ts';
import { approve, day, dying, inboxOf, messageOf, mine, rob, setTask, unsure } from './robbery.ts';

test('F1 a store that threw once and had written: a later conflict is taken for a written record', async () => {
  const site = branch();
  const guest = site.start({ options: { role: 'guest' } });
  let threw = false;
  let raced = false;
  const store = (inner: Store): Store => ({
    ...inner,
    commit: async (step) => {
      if (!threw && step.record.fact?.type === 'plan.proposed') {
        threw = true;
        await inner.commit(step);
        throw new Error('written, and the answer was lost');
      }
      if (!raced && step.record.fact?.type === 'call.started') {
        raced = true;
        await guest.orchestrator.cancel(step.taskId, { by: 'dana' });
      }
      return inner.commit(step);
    },
  });
  const owner = site.start({ store });
  const taskId = await owner.submit();
  await site.clock.advance(60_000);
  expect(await site.stateOf(taskId)).toBe('cancelled');
  expect(await site.factsOf(taskId)).not.toContain('call.started');
  expect(site.done).toEqual([]); // today: one write, of a cancelled task, without an intent
});

test('F2 approval.granted with right hashes and no token: the write of high risk is made', async () => {
  const one = await rob({ isApproved: true });
  const { records } = await one.site.load(one.broken);
  const fact: Fact = { type: 'approval.granted', ...waiting(one), authority: 'approval', approver: 'kim' };
  const anew = driven(appended(records, fact));
  rewrite(one, anew.records, anew.snapshot);
  await one.site.start({ isApproved: true }).recover();
  await one.site.quiet();
  expect(one.site.done).toEqual([]);
});

test('F3 the evidence deadline moved away: stale evidence is delivered', async () => {
  const site = vault();
  const given = {
    taskClass: { maxAge: 60_000, limits: { repairs: 0, revisions: 0, corrections: 0 }, beforeDeliver: { evidence: [{ type: 'tool_result' as const }] } },
    model: ({ asks }: { asks: string }) =>
      asks === 'plan' ? { canProceed: true, confidence: 0.9, explanation: '', calls: [{ tool: 'write', arguments: {} }] } : draft({}, { confidence: 0.1 }),
  };
  const first = site.start(given);
  const taskId = await first.submit();
  const target = await messageOf(site, taskId);
  await first.close();
  site.sql(`UPDATE deadline SET at = 9e15 WHERE "of" = 'evidence'`);
  site.clock.leap(120_000);
  const next = site.start(given);
  await next.recover();
  await approve(next, target);
  await settle();
  expect((await next.orchestrator.list())[0]).toMatchObject({ reasons: [{ code: 'EVIDENCE_STALE' }] });
});

test.each(['DELETE FROM deadline WHERE task =', 'UPDATE deadline SET at = 9e15 WHERE task ='])(
  'F4 the deadline of a question is gone or far: it never expires, and an answer after it writes: %s',
  async (sql) => {
    const { site, broken } = await rob(unsure);
    const target = await messageOf(site, broken);
    site.sql(`${sql} ${mine}`, broken);
    const next = site.start(unsure);
    await next.recover();
    await site.clock.advance(8 * day);
    await approve(next, target).catch(() => {});
    expect(site.done).toEqual([]);
  },
);

test('F5 isOwed cleared and deadlines deleted: a write in doubt is forgotten, recover says nothing', async () => {
  const one = await rob(dying, 'crash');
  setTask('isOwed = 0')(one);
  one.site.sql(`DELETE FROM deadline WHERE task = ${mine}`, one.broken);
  const next = one.site.start();
  await next.recover();
  await one.site.clock.advance(600_000);
  expect((await inboxOf(next, one.broken)).question.kind).toBe('doubt');
});

test('F6 the inbox tells what the store says, not what was asked: an approval by word of something else', async () => {
  const one = await rob(unsure);
  setTask(`summary = replace(replace(summary, 'NL91', 'your own account'), '"amount":100', '"amount":1')`)(one);
  const next = one.site.start(unsure);
  await next.recover();
  const { message } = await inboxOf(next, one.broken);
  expect(JSON.stringify(message)).toContain('your own account'); // what the person sees
  await approve(next, message.messageId).catch(() => {});
  expect(one.site.done).toEqual([]);
});

test.each(['x', '{}'])('F7 one summary that cannot be read takes list and inbox away from every task: %s', async (summary) => {
  const one = await rob(unsure);
  setTask('summary = ?', summary)(one);
  const next = one.site.start(unsure);
  await next.recover();
  const error = await next.orchestrator.inbox().then(() => null, (thrown: unknown) => thrown);
  expect(error === null || isCharterError(error)).toBe(true); // today: SyntaxError, TypeError
  expect((await next.orchestrator.inbox()).map(({ taskId }) => taskId)).toContain(one.sound);
});

test('F7b one summary that is no UTF-8 takes recover away from every task', async () => {
  const one = await rob(dying, 'crash');
  setTask("summary = CAST(x'ff' AS TEXT)")(one);
  const next = one.site.start();
  expect(await next.recover()).toMatchObject({ taken: 1 });
});

test('F8 an older task put back whole, and its approval brought again: the write is made twice (under one key)', async () => {
  const site = vault();
  const first = site.start({ isApproved: true });
  await first.submit();
  const older = copyOf(site);
  const [token, asked] = [await signed(first), await first.question()];
  await first.bring(token, asked);
  await first.close();
  putBack(site, older); // all but the table `approval`
  const next = site.start({ isApproved: true });
  await next.recover();
  await next.bring(token, asked).catch(() => {});
  expect(site.done).toHaveLength(1);
});

test('F9 a used approval deleted: its name serves for another task', async () => {
  const site = vault();
  const first = site.start({ isApproved: true });
  await first.submit();
  await first.bring(await signed(first), await first.question());
  await first.close();
  site.sql('DELETE FROM approval');
  const next = site.start({ isApproved: true });
  const asked = await inboxOf(next, await next.submit());
  await next.bring(await signed(next, {}, {}, asked), asked).catch(() => {});
  expect(site.done).toHaveLength(1);
});

test('F10 the key of a submission deleted: it is sent again as another task', async () => {
  const site = vault();
  const first = site.start(unsure);
  const taskId = await first.submit({}, 'k');
  await first.close();
  site.sql('UPDATE record SET "key" = NULL');
  expect(await site.start(unsure).submit({}, 'k')).toBe(taskId);
});

test('F11 the key of a submission on a record that is none: another code than key_reused', async () => {
  const { site, broken } = await rob(unsure);
  site.sql(`UPDATE record SET "key" = 'submit k' WHERE seq = 2 AND task = ${mine}`, broken);
  await expect(site.start(unsure).submit({}, 'k')).rejects.toMatchObject({ code: 'key_reused' });
});

test('F12 isSettled set: settled() says not_found, "was erased", instead of task_corrupted', async () => {
  const one = await rob(unsure);
  setTask('isSettled = 1')(one);
  await expect(one.site.start(unsure).orchestrator.settled(one.broken)).rejects.toMatchObject({ code: 'task_corrupted' });
});

test('F13 the messageId of another task’s question, on an older emission: that question cannot be answered', async () => {
  const { site, broken, sound } = await rob(unsure);
  const target = await messageOf(site, sound);
  site.sql(`UPDATE emission SET messageId = ? WHERE record IN (SELECT id FROM record WHERE task = ${mine})`, target, broken);
  const next = site.start(unsure);
  await approve(next, target);
  expect(site.done).toHaveLength(1);
});
