import { defineTaskClass } from 'agentcharter';
import { createGuard, guardTool } from 'agentcharter/guard';
import { verifyLedger } from 'agentcharter/ledger';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { identity } from './bank.ts';

const input = z.object({
  when: z.date(),
  days: z.array(z.coerce.date()).default([]),
  note: z.string().default(''),
});
type Booking = z.infer<typeof input>;

/** A guard of a tool that takes dates, and what its functions were given. */
const openDiary = (store = memoryDatabase().connect()) => {
  const booked: Booking[] = [];
  const seen: Record<string, unknown> = {};
  const book = guardTool(
    { name: 'book', input, execute: (given) => booked.push(given) },
    {
      summary: ({ when }) => `Books ${when.getUTCFullYear()}.`,
      rollback: {
        describe: ({ when }) => ({
          type: 'booking.cancel',
          target: 'diary',
          payload: { at: when.getTime() },
        }),
        run: async () => {},
      },
    },
  );
  const guard = createGuard({
    tools: [book],
    store,
    taskClasses: [defineTaskClass({ id: 'diary', tools: ['book'], authorities: ['human'] })],
    policy: {
      decide: ({ arguments: given }) => {
        seen['policy'] = given;
        return { verdict: 'allow', reasons: [] };
      },
    },
  });
  return { guard, booked, seen };
};

const local = '2026-12-24T09:00:00+01:00';
const instant = '2026-12-24T08:00:00.000Z';

describe('A date in the arguments of a call', () => {
  it('is a text for the person and on record, and a Date for the tool, also after a restart', async () => {
    const database = memoryDatabase();
    const { guard, seen } = openDiary(database.connect());
    const run = await guard.begin({ taskClass: 'diary', payload: {}, identity });
    const given = { when: local, days: ['2026-12-25T00:00:00Z'] };
    expect(await run.call('book', given, { ref: 'c1' })).toMatchObject({ status: 'paused' });
    const [entry] = await run.questions();
    const { action } = entry!.message.payload as { action: { arguments: unknown; rollback: unknown } };
    const text = { when: instant, days: ['2026-12-25T00:00:00.000Z'], note: '' };
    expect(action.arguments).toEqual(text);
    expect(action.rollback).toMatchObject({ payload: { at: Date.parse(local) } });
    expect(entry!.message.explanation).toBe('Books 2026.');
    expect(seen['policy']).toEqual(text);
    await guard.close();

    const after = openDiary(database.connect());
    await using _ = after.guard;
    await after.guard.orchestrator.recover();
    await after.guard.orchestrator.respond(
      { type: 'approve', target: entry!.message.messageId },
      { by: 'kim' },
    );
    const resumed = await after.guard.resume(run.taskId);
    expect(await resumed.call('book', given, { ref: 'c1' })).toMatchObject({ status: 'done' });
    const dates = { when: new Date(instant), days: [new Date('2026-12-25T00:00:00Z')], note: '' };
    expect(after.booked).toEqual([dates]);
    const records = await after.guard.orchestrator.ledger(run.taskId);
    expect(await verifyLedger(records)).toMatchObject({ intact: true, findings: [] });
  });

  it('is one action however its instant is written', async () => {
    const { guard } = openDiary();
    await using _ = guard;
    const run = await guard.begin({ taskClass: 'diary', payload: {}, identity });
    await run.call('book', { when: local }, { ref: 'c1' });
    await run.call('book', { when: instant }, { ref: 'c2' });
    expect(await run.questions()).toHaveLength(1);
  });

  it.each([['next Friday'], ['2026-02-30T00:00:00Z'], ['2026-12-24T09:00:00'], [1_766_563_200_000], ['1']])(
    'is refused as %s',
    async (when) => {
      const { guard, booked } = openDiary();
      await using _ = guard;
      const run = await guard.begin({ taskClass: 'diary', payload: {}, identity });
      const refused = await run.call('book', { when: when as string });
      expect(refused).toMatchObject({
        status: 'refused',
        code: 'OUTPUT_INVALID',
        issues: [
          { path: '/arguments/when', message: 'must be a date and time, such as "2026-12-24T08:00:00Z"' },
        ],
      });
      expect(booked).toEqual([]);
    },
  );

  it('is no Date where its schema takes a text', async () => {
    const { guard, booked } = openDiary();
    await using _ = guard;
    const run = await guard.begin({ taskClass: 'diary', payload: {}, identity });
    await run.call('book', { when: instant, note: instant }, { ref: 'c1' });
    const [entry] = await run.questions();
    await guard.orchestrator.respond({ type: 'approve', target: entry!.message.messageId }, { by: 'kim' });
    await run.call('book', { when: instant, note: instant }, { ref: 'c1' });
    expect(booked).toEqual([{ when: new Date(instant), days: [], note: instant }]);
  });
});
