import { defineTaskClass } from 'agentcharter';
import { createGuard, guardTool, type CallOutcome } from 'agentcharter/guard';
import { verifyLedger } from 'agentcharter/ledger';
import type { PolicyRequest } from 'agentcharter/policies';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { identity } from './bank.ts';

/** A guard of a tool that turns a page, each time anew, and of one that breaks. */
const openBook = (
  review: boolean | ((asked: PolicyRequest) => boolean) = false,
  store = memoryDatabase().connect(),
) => {
  const pages: string[] = [];
  const undone: string[] = [];
  const tools = [
    guardTool(
      {
        name: 'next',
        input: z.object({ in: z.string() }),
        execute: ({ in: book }, { key }) => {
          pages.push(key);
          return { book, page: pages.length };
        },
      },
      {
        tier: 'write_low_risk',
        repeats: true,
        rollback: {
          describe: ({ in: book }) => ({ type: 'page.back', target: book, payload: {} }),
          run: async (_, { key }) => undone.push(key),
        },
      },
    ),
    guardTool(
      {
        name: 'look',
        input: z.object({ at: z.string() }),
        execute: ({ at }) => {
          if (at === 'nothing') throw new Error('nothing there');
          return at;
        },
      },
      { tier: 'read_only' },
    ),
  ];
  const guard = createGuard({
    tools,
    store,
    taskClasses: [defineTaskClass({ id: 'read', tools: ['next', 'look'], limits: { failures: 0 } })],
    policy: {
      decide: (asked) => {
        const isReviewed = typeof review === 'boolean' ? review : review(asked);
        return { verdict: isReviewed ? 'needs_review' : 'allow', reasons: ['r'] };
      },
    },
  });
  guard.orchestrator.on('error', () => {}); // a tool that throws is part of a test
  return { guard, pages, undone };
};

const pageOf = (outcome: CallOutcome): unknown =>
  outcome.status === 'done' ? outcome.result : outcome.status;

describe('A tool that repeats', () => {
  it('is called for each reference, once for each', async () => {
    const { guard, pages } = openBook();
    await using _ = guard;
    const run = await guard.begin({ taskClass: 'read', payload: {}, identity });
    const told: unknown[] = [];
    for (const ref of ['c1', 'c2', 'c3', 'c3']) {
      const outcome = await run.call('next', { in: 'b' }, { ref });
      expect(outcome).not.toHaveProperty('isRepeated');
      told.push(pageOf(outcome));
    }
    expect(told).toEqual([1, 2, 3, 3].map((page) => ({ book: 'b', page })));
    expect(new Set(pages).size).toBe(3); // a key each
    await run.conclude({ payload: {} });
    const records = await guard.orchestrator.ledger(run.taskId);
    expect(await verifyLedger(records)).toMatchObject({ intact: true, findings: [] });
  });

  it('asks for each call, and each approval is of one', async () => {
    const { guard, pages } = openBook(true);
    await using _ = guard;
    const run = await guard.begin({ taskClass: 'read', payload: {}, identity });
    for (const ref of ['c1', 'c2']) {
      expect(await run.call('next', { in: 'b' }, { ref })).toMatchObject({ status: 'paused' });
      const [entry] = await run.questions();
      await guard.orchestrator.respond({ type: 'approve', target: entry!.message.messageId }, { by: 'kim' });
      expect(await run.call('next', { in: 'b' }, { ref })).toMatchObject({ status: 'done' });
    }
    expect(pages).toHaveLength(2);
  });

  it('lets the policy decide on the second one, and a person allow it, who reads that it is not the first', async () => {
    const seen: number[] = [];
    const { guard, pages } = openBook(({ identical }) => {
      seen.push(identical);
      return identical > 0;
    });
    await using _ = guard;
    const run = await guard.begin({ taskClass: 'read', payload: {}, identity });
    expect(await run.call('next', { in: 'b' }, { ref: 'c1' })).toMatchObject({ status: 'done' });
    expect(await run.call('next', { in: 'another' }, { ref: 'c2' })).toMatchObject({ status: 'done' });
    expect(await run.call('next', { in: 'b' }, { ref: 'c3' })).toMatchObject({ status: 'paused' });
    const [entry] = await run.questions();
    expect(entry!.question.reasons).toEqual(['Identical writes that this request has made before: 1.', 'r']);
    await guard.orchestrator.respond({ type: 'approve', target: entry!.message.messageId }, { by: 'kim' });
    expect(await run.call('next', { in: 'b' }, { ref: 'c3' })).toMatchObject({ status: 'done' });
    expect(pages).toHaveLength(3);
    expect([...new Set(seen)]).toEqual([0, 1]);
    expect(await run.call('next', { in: 'b' }, { ref: 'c4' })).toMatchObject({ status: 'paused' });
    expect((await run.questions())[0]!.question.reasons?.[0]).toContain('before: 2');
  });

  it('keeps its calls in the next attempt, and undoes each when the run fails', async () => {
    const { guard, pages, undone } = openBook();
    await using _ = guard;
    const run = await guard.begin({ taskClass: 'read', payload: {}, identity });
    await run.call('next', { in: 'b' }, { ref: 'c1' });
    await run.call('next', { in: 'b' }, { ref: 'c2' });
    expect(await run.call('look', { at: 'nothing' }, { ref: 'c3' })).toMatchObject({ status: 'repairing' });
    await run.call('look', { at: 'cover' }, { ref: 'c4' });
    expect([pages.length, undone.length]).toEqual([2, 0]);
    await guard.orchestrator.cancel(run.taskId, { by: 'kim' });
    await guard.orchestrator.settled(run.taskId);
    expect([pages.length, new Set(undone).size]).toEqual([2, 2]);
  });

  it('may wait for a person over a restart', async () => {
    const database = memoryDatabase();
    const before = openBook(true, database.connect());
    const run = await before.guard.begin({ taskClass: 'read', payload: {}, identity });
    for (const ref of ['c1', 'c2']) {
      expect(await run.call('next', { in: 'b' }, { ref })).toMatchObject({ status: 'paused' });
      if (ref === 'c2') break;
      const [entry] = await run.questions();
      await before.guard.orchestrator.respond(
        { type: 'approve', target: entry!.message.messageId },
        { by: 'kim' },
      );
      await run.call('next', { in: 'b' }, { ref });
    }
    await before.guard.close();
    const after = openBook(true, database.connect());
    await using _ = after.guard;
    await after.guard.orchestrator.recover();
    const resumed = await after.guard.resume(run.taskId);
    const [entry] = await resumed.questions();
    await after.guard.orchestrator.respond(
      { type: 'approve', target: entry!.message.messageId },
      { by: 'kim' },
    );
    expect(await resumed.call('next', { in: 'b' }, { ref: 'c2' })).toMatchObject({ status: 'done' });
    expect([before.pages.length, after.pages.length]).toEqual([1, 1]);
  });

  it('is the same call after a restart', async () => {
    const database = memoryDatabase();
    const before = openBook(false, database.connect());
    const run = await before.guard.begin({ taskClass: 'read', payload: {}, identity });
    const first = await run.call('next', { in: 'b' }, { ref: 'c1' });
    await before.guard.close();
    const after = openBook(false, database.connect());
    await using _ = after.guard;
    const resumed = await after.guard.resume(run.taskId);
    expect(await resumed.call('next', { in: 'b' }, { ref: 'c1' })).toEqual(first);
    expect(after.pages).toEqual([]);
    await resumed.call('next', { in: 'b' }, { ref: 'c2' });
    expect(after.pages).toHaveLength(1);
  });
});
