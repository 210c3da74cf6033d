import { test } from 'vitest';
import { settle } from '../src/orchestrator/simulated-clock.ts';
import { never } from '../src/orchestrator/scripted.ts';
import { summaryDigest } from '../../src/approvals/subject.ts';
import { probes } from './stored.ts';
import { vault } from './branch.ts';
import type { Fact } from '../../machines/index.ts';
const { rob, driven, appended, rewrite, contextOf, inboxOf, approve, signed } = probes;
void summaryDigest;
const show = (name: string, ...what: unknown[]) => console.log(name, JSON.stringify(what));

test('Q1 approval.granted without document', async () => {
  const one = await rob({ isApproved: true });
  const { records } = await one.site.load(one.broken);
  const { request, calls } = contextOf(one);
  const [{ digest } = { digest: '' }] = Object.values(calls);
  const fact: Fact = { type: 'approval.granted', request, digest, authority: 'approval', approver: 'kim' };
  const anew = driven(appended(records, fact));
  rewrite(one, anew.records, anew.snapshot);
  const next = one.site.start({ isApproved: true });
  const r = await next.recover();
  await one.site.quiet();
  show('Q1', r.taken, r.refused.map((x) => String(x.error)), one.site.done, (await one.site.load(one.broken)).records.map((x) => [x.fact?.type, (x.fact as {code?:string})?.code]));
});
test('Q2 rollback + token again', async () => {
  const site = vault();
  const first = site.start({ isApproved: true });
  const taskId = await first.submit();
  const tables = ['task', 'record', 'document', 'emission', 'deadline'] as const;
  const old = tables.map((t) => [t, site.sql(`SELECT * FROM ${t}`)] as const);
  const token = await signed(first);
  await first.bring(token, await first.question());
  await settle();
  show('Q2 done', site.done.length, (await first.orchestrator.list())[0]?.state);
  await first.close();
  for (const [t] of [...old].reverse()) site.sql(`DELETE FROM ${t}`);
  for (const [t, rows] of old) for (const row of rows) {
    const cols = Object.keys(row).filter((c) => c !== 'isAsking');
    site.sql(`INSERT INTO ${t} (${cols.map((c) => `"${c}"`).join(',')}) VALUES (${cols.map(() => '?').join(',')})`, ...cols.map((c) => row[c]!));
  }
  show('approval rows', site.sql('SELECT * FROM approval'));
  const next = site.start({ isApproved: true });
  const r = await next.recover();
  await next.bring(token, await next.question()).catch((e) => show('bring', e.code));
  await settle();
  show('Q2 after', r, site.done.length, new Set(site.done).size, (await site.load(taskId)).records.at(-1)?.fact);
});
test('Q3 spends row deleted, name reused', async () => {
  const site = vault();
  const first = site.start({ isApproved: true });
  await first.submit();
  await first.bring(await signed(first), await first.question());
  await settle(); await settle();
  await first.close();
  site.sql('DELETE FROM approval');
  const next = site.start({ isApproved: true });
  const other = await next.submit();
  const asked = await inboxOf(next, other);
  await next.bring(await signed(next, {}, {}, asked), asked).catch((e) => show('Q3', e.code));
  await settle();
  show('Q3', site.done.length);
});
test('Q4 key deleted', async () => {
  const site = vault();
  const first = site.start({ confidence: 0.1 });
  const a = await first.submit({}, 'k');
  await first.close();
  site.sql('UPDATE record SET "key" = NULL');
  const b = await site.start({ confidence: 0.1 }).submit({}, 'k');
  show('Q4', a === b);
});
test('Q5 evidence deadline far', async () => {
  for (const edit of [false, true]) {
    const site = vault();
    const given = { write: {}, taskClass: { maxAge: 60_000, beforeDeliver: { evidence: [{ type: 'tool_result' as const }] }, drafts: 'review' } , confidence: 0.9 };
    const first = site.start({ ...given, model: ({ asks }: { asks: string }) => asks === 'plan' ? { canProceed: true, confidence: 0.9, explanation: '', calls: [{ tool: 'write', arguments: { amount: 1 } }] } : { canProceed: true, confidence: 0.1, explanation: '', payload: {} } } as never);
    const id = await first.submit();
    await settle();
    show('Q5 q', (await first.orchestrator.inbox()).map((x) => x.question.kind), site.sql('SELECT "of", id, at FROM deadline'));
    const asked = (await first.orchestrator.inbox())[0];
    await first.close();
    if (edit) site.sql(`UPDATE deadline SET at = 9e15 WHERE "of" = 'evidence'`);
    site.clock.leap(120_000);
    const next = site.start(given as never);
    await next.recover();
    if (asked) await approve(next, asked.message.messageId).catch((e) => show('approve', e.code));
    await settle(); await settle();
    show('Q5', edit, (await next.orchestrator.list())[0], (await site.load(id)).records.map((x) => x.fact?.type));
  }
});
test('Q6 inbox edited', async () => {
  const one = await rob({ confidence: 0.1 });
  one.site.sql(`UPDATE task SET summary = replace(summary, 'XX', 'YY'), threadId = 'evil' WHERE taskId = ?`, one.broken);
  const target = await inboxOf(one.site.start({ options: { role: 'guest' } }), one.broken);
  show('Q6', target.message.payload);
  one.site.sql(`UPDATE task SET summary = replace(summary, 'This is what I would do.', 'Nothing will be done.') WHERE taskId = ?`, one.broken);
  const next = one.site.start({ confidence: 0.1 });
  await next.recover();
  const asked = await inboxOf(next, one.broken);
  show('Q6', asked.message.explanation, (await next.orchestrator.thread('evil')).length);
  await approve(next, asked.message.messageId);
  show('Q6', one.site.done.length);
});
test('Q7 plain rollback', async () => { void never; });
test('Q8 messageId', async () => {
  const one = await rob({ confidence: 0.1 });
  const next0 = one.site.start({ options: { role: 'guest' } });
  const s = (await inboxOf(next0, one.sound)).message.messageId;
  one.site.sql(`UPDATE emission SET messageId = ? WHERE record IN (SELECT id FROM record WHERE task = (SELECT id FROM task WHERE taskId = ?))`, s, one.broken);
  const next = one.site.start({ confidence: 0.1 });
  await approve(next, s).then(() => show('Q8 ok'), (e) => show('Q8', e.code));
});
test('Q9 role changes: isSettled hides', async () => {
  const one = await rob({ confidence: 0.1 });
  one.site.sql(`UPDATE task SET isSettled = 1 WHERE taskId = ?`, one.broken);
  const next = one.site.start({ confidence: 0.1 });
  await next.recover();
  await next.orchestrator.settled(one.broken).catch((e) => show('Q9 settled', e.code));
  await next.orchestrator.erase(one.broken, 'sha256:0', { by: 'x' }).catch((e) => show('Q9 erase', e.code));
});
