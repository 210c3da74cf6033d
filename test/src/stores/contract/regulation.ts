import { describe, expect, it } from 'vitest';
import type { Claim, Regulated } from '../../../../src/base/ports/regulation.ts';
import type { Step, Store } from '../../../../src/base/ports/store.ts';
import { stepOf } from '../steps.ts';
import { connected, type Open } from './database.ts';

const claimOf = (given: Partial<Claim> = {}): Claim => ({
  quota: 'calls',
  window: '',
  call: 'c',
  amount: 1,
  most: 2,
  ...given,
});

const regulated = (given: Partial<Regulated>): { readonly regulated: Regulated } => ({
  regulated: { begins: [], claims: [], releases: [], ...given },
});

/** Begins a task, and with its second step a call that claims. */
const claim = async (store: Store, taskId: string, ...claims: readonly Claim[]): Promise<string> => {
  await store.commit(stepOf(0, { taskId }));
  return store.commit(stepOf(1, { taskId, ...regulated({ claims }) }));
};

const paid = (amount: number, window = '2026-11-29'): Claim =>
  claimOf({ quota: 'cents', window, amount, most: 100 });

const free = (call: string, isUndone = false) => regulated({ releases: [{ call, isUndone }] });

/** Tests pauses, and quotas over many tasks. */
export const pausesAndCounts = (open: Open): void => {
  describe('that pauses', () => {
    it('holds a step that begins under it, until it ends', async () => {
      const store = connected(open());
      await store.commit(stepOf(0));
      expect(await store.pause('tool send', 'dana', 'a bug', 7)).toBe(true);
      expect(await store.pause('tool send', 'erin', 'another', 8)).toBe(false);
      const call = stepOf(1, { key: 'k', ...regulated({ begins: ['tool send', 'taskClass class'] }) });
      expect(await store.commit(call)).toBe('held');
      expect((await store.load('task'))?.records).toHaveLength(1);
      const pause = { of: { tool: 'send' }, by: 'dana', reason: 'a bug', at: 7, ended: null };
      expect(await store.obstacle(call.regulated ?? regulated({}).regulated)).toEqual({ paused: pause });
      expect(await store.commit(stepOf(1, regulated({ begins: ['tool read'] })))).toBe('ok');
      expect(await store.resume('tool send', 'erin', 9)).toBe(true);
      expect(await store.resume('tool send', 'erin', 10)).toBe(false);
      expect(await store.commit({ ...stepOf(2), key: 'k', ...regulated({ begins: ['tool send'] }) })).toBe(
        'ok',
      );
    });

    it('tells other connections, and what has ended', async () => {
      const database = open();
      const [store, other] = [connected(database), connected(database)];
      await store.pause('agent a', 'dana', 'it loops', 1);
      await store.pause('taskClass class', 'dana', 'maintenance', 2);
      await other.resume('agent a', 'erin', 3);
      const lasting = { of: { taskClass: 'class' }, by: 'dana', reason: 'maintenance', at: 2, ended: null };
      expect(await other.pauses()).toEqual([lasting]);
      const ended = {
        of: { agent: 'a' },
        by: 'dana',
        reason: 'it loops',
        at: 1,
        ended: { by: 'erin', at: 3 },
      };
      expect(await store.pauses({ limit: 10 })).toEqual([ended, lasting]);
      expect(await store.pauses({ limit: 1 })).toEqual([lasting]);
      expect(await store.pause('agent a', 'dana', 'again', 4)).toBe(true);
    });
  });

  describe('that counts', () => {
    it('holds the call that is one too many, until another ends', async () => {
      const store = connected(open());
      expect(await claim(store, 'a', claimOf())).toBe('ok');
      expect(await claim(store, 'b', claimOf())).toBe('ok');
      expect(await claim(store, 'c', claimOf())).toBe('held');
      expect(await store.obstacle({ begins: [], claims: [claimOf()], releases: [] })).toEqual({
        full: { quota: 'calls', window: '', most: 2, amount: 1 },
        used: 2,
      });
      expect(await store.commit(stepOf(2, { taskId: 'a', ...free('other') }))).toBe('ok');
      expect(await store.commit(stepOf(1, { taskId: 'c', ...regulated({ claims: [claimOf()] }) }))).toBe(
        'held',
      );
      expect(await store.commit(stepOf(3, { taskId: 'a', ...free('c') }))).toBe('ok');
      expect(await store.commit(stepOf(1, { taskId: 'c', ...regulated({ claims: [claimOf()] }) }))).toBe(
        'ok',
      );
    });

    it('frees the places of a task that settles', async () => {
      const store = connected(open());
      for (const taskId of ['a', 'b']) expect(await claim(store, taskId, claimOf())).toBe('ok');
      await store.commit(stepOf(2, { taskId: 'a', indexEntry: { isSettled: true, isOwed: false } }));
      expect(await claim(store, 'c', claimOf())).toBe('ok');
      expect(await claim(store, 'd', claimOf())).toBe('held');
    });

    it('adds up what does not end with its call, and gives back what was undone', async () => {
      const store = connected(open());
      expect(await claim(store, 'a', paid(60))).toBe('ok');
      await store.commit(stepOf(2, { taskId: 'a', ...free('c') }));
      expect(await claim(store, 'b', paid(41))).toBe('held');
      expect(await store.commit(stepOf(1, { taskId: 'b', ...regulated({ claims: [paid(40)] }) }))).toBe('ok');
      expect(await claim(store, 'c', paid(1))).toBe('held');
      expect(await claim(store, 'd', paid(100, '2026-11-30'))).toBe('ok');
      await store.commit(stepOf(3, { taskId: 'a', ...free('c', true) }));
      expect(await store.commit(stepOf(1, { taskId: 'c', ...regulated({ claims: [paid(60)] }) }))).toBe('ok');
    });

    it('counts a call once against a quota, however often it begins', async () => {
      const store = connected(open());
      await claim(store, 'a', paid(60));
      expect(await store.commit(stepOf(2, { taskId: 'a', ...regulated({ claims: [paid(60)] }) }))).toBe('ok');
    });

    it('writes nothing of a step of which one claim is held', async () => {
      const store = connected(open());
      const [one, none] = [claimOf({ quota: 'a' }), claimOf({ quota: 'b', most: 0 })];
      expect(await claim(store, 'a', one, none)).toBe('held');
      for (const taskId of ['b', 'c']) expect(await claim(store, taskId, one)).toBe('ok');
    });

    it('lets no race of connections exceed a quota', async () => {
      const database = open();
      const stores = Array.from({ length: 4 }, () => connected(database));
      const names = Array.from({ length: 24 }, (_, index) => `t${index}`);
      const commit = async (step: Step, index: number) => stores[index % stores.length]?.commit(step);
      await Promise.all(names.map((taskId, index) => commit(stepOf(0, { taskId }), index)));
      const begin = (taskId: string, index: number) =>
        commit(stepOf(1, { taskId, ...regulated({ claims: [claimOf({ most: 5 })] }) }), index);
      const answers = await Promise.all(names.map(begin));
      expect(answers.filter((answer) => answer === 'ok')).toHaveLength(5);
      expect(answers.filter((answer) => answer === 'held')).toHaveLength(19);
    });

    it('copies what is counted, and pauses', async () => {
      const [from, to] = [connected(open()), connected(open())];
      await from.take({ charts: [], taskClasses: [], tools: [], agents: [] }, 1);
      await to.take({ charts: [], taskClasses: [], tools: [], agents: [] }, 1);
      await claim(from, 'a', claimOf({ most: 1 }));
      await from.pause('tool send', 'dana', 'a bug', 7);
      const copy = await from.transfer.readTask('a');
      if (copy === undefined) throw new Error('there is no copy');
      expect(copy.claims).toEqual([{ quota: 'calls', window: '', call: 'c', amount: 1 }]);
      await to.transfer.writeTask({ ...copy, needs: { taskClass: 'class', tools: [], isTurn: false } });
      for (let times = 0; times < 2; times += 1)
        await to.transfer.writePauses(await from.pauses({ limit: 10 }));
      await to.transfer.release();
      expect(await to.pauses()).toEqual(await from.pauses());
      expect(await claim(to, 'b', claimOf({ most: 1 }))).toBe('held');
    });
  });
};
