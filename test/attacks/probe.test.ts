import { expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import { settle } from '../src/orchestrator/simulated-clock.ts';
import { branch, vault } from './branch.ts';
import { signed } from './bank.ts';
import { sealedAnew } from '../src/ledger/made.ts';

test('P1 stale unsure', async () => {
  const site = branch();
  const guest = site.start({ options: { role: 'guest' } });
  let threw = false, raced = false;
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
  for (let n = 0; n < 10; n += 1) await settle();
  console.log('P1', await site.stateOf(taskId), site.done, (await site.recordsOf(taskId)).map((r) => r.kind + ' ' + r.fact?.type), owner.errors);
});

const asking = async (more: object = { confidence: 0.1 }) => {
  const site = vault();
  const first = site.start(more);
  const broken = await first.submit();
  const sound = await first.submit();
  await first.close();
  return { site, broken, sound };
};
const go = async (name: string, change: (one: Awaited<ReturnType<typeof asking>>) => unknown, more: object = { confidence: 0.1 }) => {
  const one = await asking(more);
  const { site, broken, sound } = one;
  const messages = new Map(await site.reading(async (s) => (await s.standings()).map((x) => [x.taskId, JSON.parse(x.summary).open[0]?.message.messageId] as const)));
  await change(one);
  const next = site.start(more);
  const said: unknown[] = [];
  const say = async (what: string, work: () => Promise<unknown>) => {
    try { said.push([what, await work()]); } catch (e) { said.push([what, (e as { code?: string }).code ?? String(e)]); }
  };
  await say('recover', async () => { const r = await next.recover(); return [r.taken, r.refused.map((x) => [(x.error as {code?: string}).code ?? String(x.error)])]; });
  await say('list', async () => (await next.orchestrator.list()).length);
  await say('inbox', async () => (await next.orchestrator.inbox()).length);
  await site.clock.advance(8 * 86_400_000);
  await say('reasons', async () => (await next.orchestrator.list()).map((x) => [x.state, x.reasons.map((r) => r.code)]));
  await say('answer broken', () => next.orchestrator.respond({ type: 'approve', target: messages.get(broken)! }, { by: 'dana' }));
  await settle(); await settle();
  await say('answer sound', () => next.orchestrator.respond({ type: 'approve', target: messages.get(sound)! }, { by: 'dana' }));
  await settle(); await settle();
  console.log(name, JSON.stringify(said), site.done.length, next.errors.map((e) => (e as {code?:string}).code ?? String(e)));
};
test('P2 deadlines deleted', () => go('deadlines deleted', ({ site, broken }) => site.sql('DELETE FROM deadline WHERE task = (SELECT id FROM task WHERE taskId = ?)', broken)));
test('P3 deadlines far', () => go('deadlines far', ({ site, broken }) => site.sql('UPDATE deadline SET at = 9e15 WHERE task = (SELECT id FROM task WHERE taskId = ?)', broken)));
test('P3b deadlines past', () => go('deadlines past', ({ site, broken }) => site.sql('UPDATE deadline SET at = 0 WHERE task = (SELECT id FROM task WHERE taskId = ?)', broken)));
test('P4 summary not json', () => go('summary not json', ({ site, broken }) => site.sql(`UPDATE task SET summary = 'x' WHERE taskId = ?`, broken)));
test('P4c summary empty object', () => go('summary {}', ({ site, broken }) => site.sql(`UPDATE task SET summary = '{}' WHERE taskId = ?`, broken)));
test('P4b summary not utf8', () => go('summary not utf8', ({ site, broken }) => site.sql(`UPDATE task SET summary = CAST(x'ff' AS TEXT) WHERE taskId = ?`, broken)));
test('P4d snapshot not utf8', () => go('snapshot not utf8', ({ site, broken }) => site.sql(`UPDATE task SET snapshot = CAST(x'ff' AS TEXT) WHERE taskId = ?`, broken)));
test('P5 isSettled 1', () => go('isSettled 1', async ({ site, broken }) => { site.sql(`UPDATE task SET isSettled = 1 WHERE taskId = ?`, broken); const p = site.start({ options: { role: 'guest' } }); console.log(await p.orchestrator.settled(broken).catch((e) => e)); await p.close(); }));
test('P6 asking 0', () => go('asking 0', ({ site, broken }) => site.sql(`UPDATE task SET asking = 0 WHERE taskId = ?`, broken)));
test('P7 isOwed 1', () => go('isOwed 1', ({ site, broken }) => site.sql(`UPDATE task SET isOwed = 1 WHERE taskId = ?`, broken)));
test('P8 inbox edited', () => go('inbox edited', ({ site, broken }) => { site.sql(`UPDATE task SET summary = replace(summary, 'NL91', 'XX00') WHERE taskId = ?`, broken); console.log(JSON.stringify(site.sql('SELECT summary FROM task')).includes('XX00')); }));

test('P9 owed, forgotten', async () => {
  const site = vault();
  const first = site.start({ make: (_, { signal }) => new Promise(() => signal) });
  const broken = await first.submit();
  await first.crash();
  console.log('P9 before', site.sql('SELECT isOwed, intents FROM task'), site.sql('SELECT "of", at FROM deadline'));
  site.sql('UPDATE task SET isOwed = 0');
  const two = site.start({});
  console.log(await two.recover());
  await site.clock.advance(86_400_000);
  console.log('isOwed 0', (await site.load(broken)).records.map((r) => r.fact?.type), site.done);
  await two.close();
});
test('P9b owed, forgotten, no deadlines', async () => {
  const site = vault();
  const first = site.start({ make: (_, { signal }) => new Promise(() => signal) });
  const broken = await first.submit();
  await first.crash();
  site.sql('UPDATE task SET isOwed = 0');
  site.sql('DELETE FROM deadline');
  const two = site.start({});
  console.log(await two.recover());
  await site.clock.advance(86_400_000);
  console.log('P9b', (await site.load(broken)).records.map((r) => r.fact?.type), site.done, two.errors);
});
