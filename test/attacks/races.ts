import { expect } from 'vitest';
import { isCharterError, type InboxEntry } from '../../src/index.ts';
import { later as promised } from '../src/core/shell/scripted.ts';
import { settle } from '../src/core/shell/simulated-clock.ts';
import { writeTool, call, plan } from '../src/core/shell/scripted.ts';
import { scene } from '../src/core/shell/scene.ts';
import { stopOf, type Attack, type Stop } from './attack.ts';
import { bank, order, signed, type Bank } from './bank.ts';

/** Feedback on a question as it comes in, without waiting for anything. */
const respondTo = (
  one: Bank,
  { message: { messageId: target } }: InboxEntry,
  type: 'approve' | 'reject',
  approval?: string,
): Promise<void> =>
  one.orchestrator.respond({ type, target }, { by: 'dana', ...(approval !== undefined && { approval }) });

/** What stopped those that lost; that many won. */
const lost = async (one: Bank, race: readonly Promise<unknown>[], won = 1): Promise<readonly Stop[]> => {
  const results = await Promise.allSettled(race);
  await one.quiet();
  const reasons = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  expect(results.length - reasons.length).toBe(won);
  return reasons.map((reason) => {
    if (isCharterError(reason)) return stopOf(reason);
    throw new Error('the loser was told no code', { cause: reason });
  });
};

const granted = async (one: Bank, taskId: string): Promise<number> =>
  (await one.facts(taskId)).filter((type) => type === 'approval.granted').length;

const answers: readonly Attack[] = [
  {
    number: 30,
    attempt: 'one approval that arrives twice at the same moment',
    expected: 'APPROVAL_SPENT',
    source: 'CWE-362',
    run: async () => {
      const one = bank();
      const taskId = await one.submit();
      const asked = await one.question();
      const token = await signed(one);
      const [stop] = await lost(one, [
        respondTo(one, asked, 'approve', token),
        respondTo(one, asked, 'approve', token),
      ]);
      expect(one.paid).toHaveLength(1);
      expect(await granted(one, taskId)).toBe(1);
      return stop;
    },
  },
  {
    number: 30,
    attempt: 'eight approvals of one action, of eight approvers, at the same moment',
    expected: 'feedback_refused',
    source: 'CWE-362',
    run: async () => {
      const one = bank();
      const taskId = await one.submit();
      const asked = await one.question();
      const tokens = await Promise.all(
        Array.from({ length: 8 }, (_, n) => signed(one, { sub: `kim-${n}`, jti: `approval-${n}` })),
      );
      const stops = await lost(
        one,
        tokens.map((token) => respondTo(one, asked, 'approve', token)),
      );
      expect(stops).toHaveLength(7);
      expect(one.paid).toHaveLength(1);
      expect(await granted(one, taskId)).toBe(1);
      expect(new Set(stops)).toEqual(new Set(['feedback_refused']));
      return 'feedback_refused';
    },
  },
  {
    number: 30,
    attempt: 'one name for the approvals of two tasks, at the same moment',
    expected: 'APPROVAL_SPENT',
    source: 'CWE-362',
    run: async () => {
      const one = bank();
      const tasks = [await one.submit(), await one.submit()];
      const asked = await one.orchestrator.inbox();
      const tokens = await Promise.all(asked.map((entry) => signed(one, {}, {}, entry)));
      await lost(
        one,
        asked.map((entry, at) => respondTo(one, entry, 'approve', tokens[at])),
        2,
      );
      expect(one.paid).toHaveLength(1);
      const facts = (await Promise.all(tasks.map((taskId) => one.orchestrator.ledger(taskId))))
        .flat()
        .flatMap(({ fact }) => (fact?.type === 'call.refused' ? [fact.code] : []));
      expect(facts).toHaveLength(1);
      return facts[0];
    },
  },
  {
    number: 30,
    attempt: 'an approval and a rejection at the same moment',
    expected: 'feedback_refused',
    source: 'CWE-362',
    run: async () => {
      const one = bank();
      const taskId = await one.submit();
      const asked = await one.question();
      const token = await signed(one);
      const [stop] = await lost(one, [
        respondTo(one, asked, 'reject'),
        respondTo(one, asked, 'approve', token),
      ]);
      const answers = (await one.facts(taskId)).filter((type) => /^(?:approval|human)/.test(type));
      expect(answers).toHaveLength(1);
      expect(one.paid).toHaveLength(answers[0] === 'approval.granted' ? 1 : 0);
      return stop;
    },
  },
  {
    number: 30,
    attempt: 'an approval at the moment of its cancellation',
    expected: 'feedback_refused',
    source: 'CWE-362',
    run: async () => {
      const one = bank();
      const taskId = await one.submit();
      const asked = await one.question();
      const token = await signed(one);
      const cancelled = one.orchestrator.cancel(taskId, { by: 'dana' });
      const [stop] = await lost(one, [cancelled, respondTo(one, asked, 'approve', token)]);
      expect(one.stateOf(taskId)).toBe('cancelled');
      expect(one.paid).toEqual([]);
      return stop;
    },
  },
  {
    number: 30,
    attempt: 'an approval after its question has expired, before anybody has looked at the clock',
    expected: 'feedback_refused',
    source: 'CWE-367',
    run: async () => {
      const one = bank();
      const taskId = await one.submit();
      const asked = await one.question();
      one.clock.leap(8 * 86_400_000);
      const [stop] = await lost(one, [respondTo(one, asked, 'approve', await signed(one))], 0);
      expect(await one.reasonsOf(taskId)).toEqual(['QUESTION_EXPIRED']);
      expect(one.paid).toEqual([]);
      return stop;
    },
  },
];

/** A write that lands when it is no longer needed is kept as an orphan, and taken back once. */
const late = (
  attempt: string,
  expected: Stop,
  giveUp: (one: ReturnType<typeof scene>, taskId: string) => Promise<unknown>,
): Attack => ({
  number: 29,
  attempt,
  expected,
  source: 'CWE-362',
  run: async () => {
    const landed = promised();
    const one = scene({
      model: [plan([call('slow', order)])],
      tools: [writeTool('slow', { call: () => landed.promise })],
      taskClass: { limits: { repairs: 0 } },
    });
    const taskId = await one.submit();
    await giveUp(one, taskId);
    const { reasons } = await one.ended(taskId);
    const before = {
      list: await one.orchestrator.list(),
      facts: await one.facts(taskId),
      undone: [...one.undone],
    };
    landed.resolve({ landed: true });
    await settle();
    await settle();
    expect({ list: await one.orchestrator.list(), facts: await one.facts(taskId) }).toEqual({
      list: before.list,
      facts: before.facts,
    });
    expect(one.undone).toEqual(['slow']);
    const orphans = (await one.orchestrator.ledger(taskId)).filter(({ kind }) => kind === 'orphan');
    expect(orphans[0]?.fact?.type).toBe('call.succeeded');
    return reasons[0]?.code;
  },
});

const hour = 3_600_000;

const lateResults: readonly Attack[] = [
  late('a write that succeeds after the task was cancelled', 'CANCELLED', async (one, taskId) => {
    await one.orchestrator.cancel(taskId, { by: 'dana' });
    await one.clock.advance(hour);
  }),
  late(
    'a write that succeeds after a person has ruled out that it happened',
    'HUMAN_REJECTED',
    async (one) => {
      await one.clock.advance(hour);
      await one.answer('reject');
    },
  ),
];

export const races = [answers, lateResults].flat();
