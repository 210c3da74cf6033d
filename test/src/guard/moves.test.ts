import type { CallOutcome, Conclusion, Run } from 'agentcharter/guard';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FeedbackType } from '../../../schema/index.ts';
import { isCharterError } from '../../../src/base/errors.ts';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { runs } from '../../machines/generated.ts';
import { openBank, type Bank } from './bank.ts';

const tool = fc.constantFrom('read', 'note', 'pay');
/** What an agent, people and the machine may do at any time. */
const moves = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('call' as const),
        tool,
        of: fc.constantFrom('a', 'b'),
        ref: fc.constantFrom('1', '2', '3', '4'),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('conclude' as const), answer: fc.constantFrom(1, 2) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('answer' as const),
        type: fc.constantFrom('approve' as const, 'reject' as const, 'instruction' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('break' as const), tool }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  ),
  { minLength: 3, maxLength: 14 },
);

const inputOf = (tool: string, of: string): object =>
  tool === 'read' ? { of } : tool === 'note' ? { line: of } : { to: of };

const contract = {
  beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'read' }] },
} as const;

/** Ignores the error of a closing guard. */
const unlessClosed = (error: unknown): undefined => {
  if (isCharterError(error, 'closed')) return undefined;
  throw error;
};

const answerAny = async ({ guard }: Bank, run: Run, type: FeedbackType): Promise<void> => {
  const [entry] = await run.questions();
  if (entry === undefined) return;
  const content = type === 'instruction' ? { content: 'Otherwise.' } : {};
  await guard.orchestrator
    .respond({ type, target: entry.message.messageId, ...content }, { by: 'kim' })
    .catch((error: unknown) => {
      if (!isCharterError(error, 'feedback_refused')) throw error;
    });
};

/** Counts each write: made, minus rolled back. */
const standing = (done: readonly string[]): ReadonlyMap<string, number> => {
  const made = new Map<string, number>();
  for (const act of done) {
    const [what, of] = act.split(' ');
    const key = what === 'recall' ? `pay ${of}` : act;
    if (what !== 'read') made.set(key, (made.get(key) ?? 0) + (what === 'recall' ? -1 : 1));
  }
  return made;
};

it('A guard makes no write twice and delivers nothing unverified, in random runs with restarts', async () => {
  const seen: Record<string, number> = {};
  const count = (outcome: CallOutcome | Conclusion | undefined): void => {
    const { status } = outcome ?? { status: 'closed' };
    seen[status] = (seen[status] ?? 0) + 1;
  };
  await fc.assert(
    fc.asyncProperty(moves, fc.boolean(), async (played, isAtOnce) => {
      const database = memoryDatabase();
      const done: string[] = [];
      const open = () => openBank(contract, { store: database.connect() }, done);
      let bank = open();
      let run = await bank.begin();
      let waiting: Promise<void>[] = [];
      const observe = async (work: Promise<CallOutcome | Conclusion>): Promise<void> => {
        const counted = work.catch(unlessClosed).then(count);
        if (isAtOnce) waiting.push(counted);
        else await counted;
      };
      for (const move of played) {
        switch (move.kind) {
          case 'call':
            await observe(run.call(move.tool, inputOf(move.tool, move.of), { ref: move.ref }));
            break;
          case 'conclude':
            await observe(run.conclude({ payload: { answer: move.answer } }));
            break;
          case 'answer':
            await answerAny(bank, run, move.type);
            break;
          case 'break':
            bank.breaks.push(move.tool);
            break;
          case 'restart': {
            await bank.guard.close();
            await Promise.all(waiting);
            waiting = [];
            bank = open();
            await bank.guard.orchestrator.recover();
            run = await bank.guard.resume(run.taskId);
          }
        }
      }
      const { guard } = bank;
      if (!(await run.progress()).isSettled)
        await guard.orchestrator.cancel(run.taskId, { by: 'kim' }).catch((error: unknown) => {
          if (!isCharterError(error, 'fact_refused')) throw error;
        });
      await Promise.all(waiting);
      const { outcome } = await guard.orchestrator.settled(run.taskId);
      const records = await guard.orchestrator.ledger(run.taskId);
      const { evidence } = await run.progress();
      await guard.close();
      for (const [write, times] of standing(done)) expect(times, write).toBeLessThan(2);
      const sources = evidence.map(({ source }) => source);
      if (outcome === 'success') expect(sources).toContain('read');
      const paid = records.filter(
        ({ fact }) => fact?.type === 'approval.granted' || fact?.type === 'human.responded',
      );
      if (done.some((act) => act.startsWith('pay'))) expect(paid.length).toBeGreaterThan(0);
    }),
    runs(60),
  );
  for (const status of ['done', 'paused', 'refused', 'repairing', 'delivered'])
    expect(seen[status], status).toBeGreaterThan(0);
});
