import { expect } from 'vitest';
import { isCharterError, type Store } from '../../src/index.ts';
import { identity, never } from '../src/core/shell/scripted.ts';
import { settle } from '../src/core/shell/simulated-clock.ts';
import { errorOf, stopOf, type Attack, type Stop } from './attack.ts';
import { signed } from './bank.ts';
import { branch, unchanged, vault, type Branch, type Process } from './branch.ts';

export const number = 31;
export const source = 'CWE-362';
export const unsure = { confidence: 0.1 } as const;
const guest = { options: { role: 'guest' } } as const;
export const minute = 60_000;
const restarts = 'a restart in the middle of a call';

/** What stopped those that lost; that many won. */
export const lost = async (race: readonly Promise<unknown>[], won = 1): Promise<readonly Stop[]> => {
  const results = await Promise.allSettled(race);
  const reasons = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  expect(results.length - reasons.length).toBe(won);
  return reasons.map((reason) => {
    if (isCharterError(reason)) return stopOf(reason);
    throw new Error('the loser was told no code', { cause: reason });
  });
};

/** The one code that all were stopped by. */
const same = (stops: readonly (Stop | undefined)[]): Stop | undefined => {
  expect(new Set(stops).size).toBe(1);
  return stops[0];
};

const submission = { taskClass: 'work', payload: { wish: 'another' }, identity };

/** What an owner does that records something. */
const operations: Readonly<
  Record<string, (one: Process, taskId: string, messageId: string) => Promise<unknown>>
> = {
  'resumes tasks': ({ orchestrator }) => orchestrator.recover(),
  submits: ({ orchestrator }) => orchestrator.submit(submission),
  answers: ({ orchestrator }, _, target) => orchestrator.respond({ type: 'approve', target }, { by: 'dana' }),
  cancels: ({ orchestrator }, taskId) => orchestrator.cancel(taskId, { by: 'dana' }),
  'states a fact': ({ orchestrator }, taskId) =>
    orchestrator.tell(taskId, { type: 'task.cancelled' }, { by: 'dana' }),
  'meets a dependency': ({ orchestrator }, taskId) =>
    orchestrator.resolve(taskId, 'delivery', {}, { by: 'dana' }),
  'waits for an end': ({ orchestrator }, taskId) => orchestrator.settled(taskId),
};

const seconds: readonly Attack[] = Object.entries(operations).map(([what, operate]) => ({
  number,
  attempt: `a second owner that ${what} while the first is open`,
  expected: 'store_owned' as const,
  source,
  run: async () => {
    const site = branch();
    const first = site.start(unsure);
    const taskId = await first.submit();
    const { message } = await first.question();
    const second = site.start(unsure);
    const stop = await unchanged(site.reader, () => operate(second, taskId, message.messageId));
    expect(second.turns).toEqual([]);
    expect(site.done).toEqual([]);
    await first.answer('approve');
    expect(await first.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(site.done).toHaveLength(1);
    return stop;
  },
}));

/** A task whose process died in the middle of its write. */
const diedWriting = async (site: Branch): Promise<string> => {
  const first = site.start({ make: (_, { signal }) => never(signal) });
  const taskId = await first.submit();
  await first.crash();
  expect(site.done).toHaveLength(1);
  return taskId;
};

export const doubtOf = async (site: Branch, taskId: string): Promise<Stop | undefined> => {
  const facts = (await site.recordsOf(taskId)).flatMap(({ kind, fact }) =>
    kind === 'fact' && fact?.type === 'call.doubted' ? [fact.code] : [],
  );
  expect(facts.length).toBeLessThanOrEqual(1);
  return facts[0];
};

const owners: readonly Attack[] = [
  ...seconds,
  {
    number,
    attempt: 'a second owner of one file',
    expected: 'store_owned',
    source,
    run: async () => {
      const site = vault();
      const first = site.start(unsure);
      const taskId = await first.submit();
      const second = site.start(unsure);
      const before = site.rows();
      const stop = stopOf(await errorOf(() => second.orchestrator.recover()));
      expect(site.rows()).toEqual(before);
      await first.answer('approve');
      expect(await first.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
      expect(site.done).toHaveLength(1);
      return stop;
    },
  },
  {
    number,
    attempt: 'eight owners that take up one task at the same moment, after a crash in its write',
    expected: 'store_owned',
    source,
    trap: restarts,
    run: async () => {
      const site = branch();
      const taskId = await diedWriting(site);
      const all = Array.from({ length: 8 }, () => site.start());
      const stops = await lost(all.map(({ orchestrator }) => orchestrator.recover()));
      await settle();
      expect(await doubtOf(site, taskId)).toBe('EFFECT_IN_DOUBT');
      expect(site.done).toHaveLength(1);
      return same(stops);
    },
  },
  {
    number,
    attempt: 'two owners that take up one file at the same moment, after a crash in a write',
    expected: 'store_owned',
    source,
    trap: restarts,
    run: async () => {
      const site = vault();
      const first = site.start({ make: (_, { signal }) => never(signal) });
      const taskId = await first.submit();
      await first.crash();
      const both = [site.start(), site.start()];
      const stops = await lost(both.map(({ orchestrator }) => orchestrator.recover()));
      await settle();
      const { records } = await site.load(taskId);
      expect(records.filter(({ fact }) => fact?.type === 'call.doubted')).toHaveLength(1);
      expect(site.done).toHaveLength(1);
      return same(stops);
    },
  },
];

const guests: readonly Attack[] = [
  {
    number,
    attempt: 'a guest that submits, answers and resumes, so that its own tools are called',
    expected: 'QUESTION_EXPIRED',
    run: async () => {
      const site = branch();
      const owner = site.start(unsure);
      const taskId = await owner.submit();
      await owner.close();
      const one = site.start({ ...unsure, ...guest });
      const submitted = await one.submit();
      expect(await one.recover()).toMatchObject({ refused: [] });
      expect(await site.factsOf(submitted)).toEqual([]);
      expect(await site.factsOf(taskId)).toEqual(['request.accepted', 'plan.proposed']);
      await one.answer('approve');
      await one.recover();
      await site.clock.advance(1_000);
      expect((await site.factsOf(taskId)).slice(2)).toEqual(['human.responded']);
      expect({ turns: one.turns, done: site.done }).toEqual({ turns: [], done: [] });
      const next = site.start(unsure);
      await next.recover();
      await settle();
      expect(site.done).toHaveLength(1);
      await site.clock.advance(30 * 86_400_000);
      const { reasons } = await next.orchestrator.settled(submitted);
      expect(site.done).toHaveLength(1);
      return reasons[0]?.code;
    },
  },
  {
    number,
    attempt: 'a guest that resumes a write whose outcome a crash lost',
    expected: 'EFFECT_IN_DOUBT',
    trap: restarts,
    run: async () => {
      const site = branch();
      const taskId = await diedWriting(site);
      const one = site.start(guest);
      await one.recover();
      await one.orchestrator.recover();
      expect(await doubtOf(site, taskId)).toBeUndefined();
      expect(site.done).toHaveLength(1);
      await site.start().recover();
      expect(site.done).toHaveLength(1);
      return doubtOf(site, taskId);
    },
  },
  {
    number,
    attempt: 'a guest that brings an approval, and brings it again before its first use',
    expected: 'APPROVAL_SPENT',
    source: 'CWE-294',
    run: async () => {
      const site = branch();
      const owner = site.start({ isApproved: true });
      const taskId = await owner.submit();
      await owner.crash();
      const one = site.start({ isApproved: true, ...guest });
      const asked = await one.question();
      const token = await signed(one);
      await one.bring(token, asked);
      expect(site.done).toEqual([]);
      const stop = stopOf(await errorOf(() => one.bring(token, asked)));
      const next = site.start({ isApproved: true });
      await next.recover();
      await site.quiet();
      expect(await next.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
      expect(site.done).toHaveLength(1);
      return stop;
    },
  },
];

const twice: readonly Attack[] = [
  {
    number,
    attempt: 'one answer that is given in four processes at the same moment',
    expected: 'feedback_refused',
    source,
    run: async () => {
      const site = branch();
      const owner = site.start(unsure);
      const taskId = await owner.submit();
      const { message } = await owner.question();
      const all = [owner, ...[1, 2, 3].map(() => site.start({ ...unsure, ...guest }))];
      const feedback = { type: 'approve', target: message.messageId } as const;
      const stops = await lost(all.map(({ orchestrator }) => orchestrator.respond(feedback, { by: 'dana' })));
      expect(await owner.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
      expect((await site.factsOf(taskId)).filter((fact) => fact === 'human.responded')).toHaveLength(1);
      expect(site.done).toHaveLength(1);
      return same(stops);
    },
  },
  {
    number,
    attempt: 'a rejection in one process and an approval in another, at the same moment',
    expected: 'feedback_refused',
    source,
    run: async () => {
      const site = branch();
      const owner = site.start(unsure);
      const taskId = await owner.submit();
      const { message } = await owner.question();
      const both = [1, 2].map(() => site.start({ ...unsure, ...guest }));
      const stops = await lost(
        both.map(({ orchestrator }, at) =>
          orchestrator.respond(
            { type: at === 0 ? 'reject' : 'approve', target: message.messageId },
            { by: 'dana' },
          ),
        ),
      );
      await settle();
      const answers = (await site.recordsOf(taskId)).filter(({ fact }) => fact?.type === 'human.responded');
      expect(answers.filter(({ kind }) => kind === 'fact')).toHaveLength(1);
      expect(site.done.length).toBeLessThanOrEqual(1);
      return same(stops);
    },
  },
  {
    number,
    attempt: 'a guest that cancels a task at the moment of its write',
    expected: 'CANCELLED',
    source,
    run: async () => {
      const site = branch();
      const one = site.start(guest);
      const owner = site.start({
        store: (inner) =>
          before(inner, 'call.started', (taskId) => one.orchestrator.cancel(taskId, { by: 'dana' })),
      });
      const taskId = await owner.submit();
      await settle();
      const { reasons, state } = await owner.orchestrator.settled(taskId);
      expect(state).toBe('cancelled');
      expect(site.done).toEqual([]);
      return reasons[0]?.code;
    },
  },
  {
    number,
    attempt: 'one name for the approvals of two tasks, in two processes at the same moment',
    expected: 'APPROVAL_SPENT',
    source: 'RFC 9449, 11.1',
    run: async () => {
      const site = branch();
      const owner = site.start({ isApproved: true });
      const tasks = [await owner.submit(), await owner.submit()];
      const both = [1, 2].map(() => site.start({ isApproved: true, ...guest }));
      const asked = await owner.orchestrator.inbox();
      const tokens = await Promise.all(asked.map((entry) => signed(owner, {}, {}, entry)));
      await lost(
        both.map((one, at) => one.bring(tokens[at]!, asked[at]!)),
        2,
      );
      await site.quiet();
      expect(site.done).toHaveLength(1);
      const refused = (await Promise.all(tasks.map(site.recordsOf)))
        .flat()
        .flatMap(({ fact }) => (fact?.type === 'call.refused' ? [fact.code] : []));
      expect(refused).toHaveLength(1);
      return refused[0];
    },
  },
  {
    number,
    attempt: 'the name of an approval that a process used which is no more',
    expected: 'APPROVAL_SPENT',
    source: 'RFC 9449, 11.1',
    run: async () => {
      const site = branch();
      const first = site.start({ isApproved: true, make: (_, { signal }) => never(signal) });
      await first.submit();
      await first.bring(await signed(first), await first.question());
      expect(site.done).toHaveLength(1);
      await first.crash();
      const second = site.start({ isApproved: true });
      const taskId = await second.submit();
      const asked = (await second.orchestrator.inbox()).find((entry) => entry.taskId === taskId)!;
      await second.bring(await signed(second, {}, {}, asked), asked);
      expect(site.done).toHaveLength(1);
      const refused = (await site.recordsOf(taskId)).findLast(({ fact }) => fact?.type === 'call.refused');
      return refused?.fact?.type === 'call.refused' ? refused.fact.code : undefined;
    },
  },
];

/** A store in which something else happens before a fact is committed, once. */
const before = (inner: Store, type: string, happen: (taskId: string) => Promise<unknown>): Store => {
  let isNow = true;
  return {
    ...inner,
    commit: async (step) => {
      if (isNow && step.record.fact?.type === type) {
        isNow = false;
        await happen(step.taskId);
      }
      return inner.commit(step);
    },
  };
};

export const processes = [owners, guests, twice].flat();
