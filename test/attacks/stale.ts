import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import type { Store } from '../../src/index.ts';
import { later as promised, plan } from '../src/core/shell/scripted.ts';
import { settle } from '../src/core/shell/simulated-clock.ts';
import type { Attack } from './attack.ts';
import { branch, unchanged, vault } from './branch.ts';
import { doubtOf, lost, minute, number, source, unsure } from './processes.ts';

/** A store that says to everybody that it is theirs, as one does whose lease lapses under a live holder. */
const anybodys = (inner: Store): Store => ({
  ...inner,
  take: async () => [{ taskId: null, fence: 1, lapsed: null, attempts: 0 }],
  commit: (step) => inner.commit({ ...step, fence: null }),
});

const lapsed = { store: anybodys } as const;

/** An owner that lost its store, or shares it with another, and goes on. */
export const stale: readonly Attack[] = [
  {
    number,
    attempt: 'an owner that lost its store while its model thought, and goes on to its write',
    expected: 'store_failed',
    run: async () => {
      const site = branch();
      const thought = promised();
      const first = site.start({ model: [() => thought.promise] });
      const taskId = await first.submit();
      await first.crash();
      const second = site.start();
      await second.recover();
      expect(await second.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
      expect(site.done).toHaveLength(1);
      const stop = await unchanged(site.reader, async () => {
        thought.resolve(plan([{ tool: 'write', arguments: { amount: 999 } }]));
        await settle();
        await site.clock.advance(minute);
        throw first.errors[0];
      });
      expect(site.done).toHaveLength(1);
      expect(first.errors.length).toBeGreaterThan(0);
      return stop;
    },
  },
  {
    number,
    attempt: 'a write that lands in a process that lost its store, after another has asked about it',
    expected: 'EFFECT_IN_DOUBT',
    trap: 'a restart in the middle of a call',
    run: async () => {
      const site = branch();
      const landed = promised();
      const first = site.start({ make: () => landed.promise });
      const taskId = await first.submit();
      await first.crash();
      const second = site.start();
      await second.recover();
      const before = await site.recordsOf(taskId);
      landed.resolve({ landed: true });
      await settle();
      await site.clock.advance(minute);
      expect(await site.recordsOf(taskId)).toEqual(before);
      expect((await second.question()).question.kind).toBe('doubt');
      expect(site.done).toHaveLength(1);
      return doubtOf(site, taskId);
    },
  },
  {
    number,
    attempt: 'an owner that closed, and is told to go on',
    expected: 'closed',
    run: async () => {
      const site = branch();
      const first = site.start(unsure);
      await first.submit();
      const { message } = await first.question();
      await first.close();
      const stop = await unchanged(site.reader, () =>
        first.orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana' }),
      );
      expect(site.done).toEqual([]);
      return stop;
    },
  },
  {
    number,
    attempt: 'a lease that lapses under a live owner, in the middle of its write',
    expected: 'EFFECT_IN_DOUBT',
    trap: 'a restart in the middle of a call',
    run: async () => {
      const site = branch();
      const landed = promised();
      const first = site.start({ make: () => landed.promise, ...lapsed });
      const taskId = await first.submit();
      const second = site.start(lapsed);
      await second.recover();
      const stop = await doubtOf(site, taskId);
      landed.resolve({ landed: true });
      await settle();
      await settle();
      expect(await second.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
      expect(site.done).toHaveLength(1);
      return stop;
    },
  },
  {
    number,
    attempt: 'two owners that were both let in, and answer for their task at the same moment',
    expected: 'store_conflict',
    source,
    run: async () => {
      const site = branch();
      const first = site.start({ ...unsure, ...lapsed });
      const taskId = await first.submit();
      const { message } = await first.question();
      await first.crash();
      const conflicts: string[] = [];
      const counted = (inner: Store): Store => ({
        ...anybodys(inner),
        commit: async (step) => {
          const answer = await inner.commit({ ...step, fence: null });
          if (answer === 'conflict') conflicts.push(step.record.fact?.type ?? '');
          return answer;
        },
      });
      const both = [1, 2].map(() => site.start({ ...unsure, store: counted }));
      await Promise.all(both.map(({ recover }) => recover()));
      const feedback = { type: 'approve', target: message.messageId } as const;
      await lost(both.map(({ orchestrator }) => orchestrator.respond(feedback, { by: 'dana' })));
      for (let turns = 0; turns < 20; turns += 1) await settle();
      expect(site.done.length).toBeLessThanOrEqual(1);
      expect((await site.factsOf(taskId)).filter((fact) => fact === 'call.started')).toHaveLength(1);
      expect(conflicts).not.toEqual([]);
      return 'store_conflict';
    },
  },
  {
    number,
    attempt: 'a cancellation right after a record that the store threw at, and had written',
    expected: 'CANCELLED',
    source,
    run: async () => {
      const site = branch();
      const guest = site.start({ options: { role: 'guest' } });
      const happened: string[] = [];
      const store = (inner: Store): Store => ({
        ...inner,
        commit: async (step) => {
          const type = step.record.fact?.type ?? '';
          const isFirst = !happened.includes(type);
          happened.push(type);
          if (isFirst && type === 'plan.proposed') {
            await inner.commit(step);
            throw new Error('its answer was lost');
          }
          if (isFirst && type === 'call.started')
            await guest.orchestrator.cancel(step.taskId, { by: 'dana' });
          return inner.commit(step);
        },
      });
      const owner = site.start({ store });
      const taskId = await owner.submit();
      await site.clock.advance(minute);
      const { state, reasons } = await owner.orchestrator.settled(taskId);
      expect(state).toBe('cancelled');
      expect(happened).toContain('call.started');
      expect(await site.factsOf(taskId)).not.toContain('call.started');
      expect(site.done).toEqual([]);
      return reasons[0]?.code;
    },
  },
  {
    number,
    attempt: 'a file whose lock is removed under its owner, for a second one',
    expected: 'EFFECT_IN_DOUBT',
    source: 'CWE-667',
    trap: 'a restart in the middle of a call',
    run: async () => {
      const site = vault();
      const landed = promised();
      const first = site.start({ make: () => landed.promise });
      const taskId = await first.submit();
      rmSync(`${site.file}.owner`);
      const second = site.start();
      await second.recover();
      const { records } = await site.load(taskId);
      const doubted = records.filter(({ fact }) => fact?.type === 'call.doubted');
      expect(doubted).toHaveLength(1);
      expect(site.done).toHaveLength(1);
      const fact = doubted[0]?.fact;
      return fact?.type === 'call.doubted' ? fact.code : undefined;
    },
  },
];
