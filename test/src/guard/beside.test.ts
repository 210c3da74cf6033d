import { guardTool } from 'agentcharter/guard';
import { verifyLedger } from 'agentcharter/ledger';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Feedback } from '../../../src/base/feedback/feedback.ts';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { answer, openBank } from './bank.ts';

/** A bank whose policy wants a person to review payments, and a note that a test releases. */
const openDesk = (options: Parameters<typeof openBank>[1] = {}, limits = {}) => {
  const policy = {
    decide: ({ action }: { readonly action: string }) => ({
      verdict: action === 'pay' ? ('needs_review' as const) : ('allow' as const),
      reasons: ['r'],
    }),
  };
  return openBank({ limits, tools: ['note', 'pay'] }, { policy, ...options });
};

/** Proposes a payment, which waits for a person, and notes beside it. */
const step = (run: Awaited<ReturnType<ReturnType<typeof openBank>['begin']>>, ...lines: readonly string[]) =>
  Promise.all([
    run.call('pay', { to: 'dana' }, { ref: 'pay' }),
    ...lines.map((line) => run.call('note', { line }, { ref: line })),
  ]);

describe('A call that needs nobody', () => {
  it('is made while a person is asked about its neighbour, and so are the others, in their order', async () => {
    const bank = openDesk();
    await using _ = bank.guard;
    const run = await bank.begin();
    const [pay, ...notes] = await step(run, 'a', 'b');
    expect(pay).toMatchObject({ status: 'paused', questions: [{ question: { kind: 'approval' } }] });
    expect(notes).toMatchObject([{ status: 'done' }, { status: 'done' }]);
    expect(bank.done).toEqual(['note a', 'note b']);
    expect(await run.progress()).toMatchObject({ state: 'needsHumanDecision' });
    await answer(bank, run, { type: 'approve' });
    expect(await run.call('pay', { to: 'dana' }, { ref: 'pay' })).toMatchObject({ status: 'done' });
    expect(bank.done).toEqual(['note a', 'note b', 'pay dana']);
    const records = await bank.guard.orchestrator.ledger(run.taskId);
    expect(await verifyLedger(records)).toMatchObject({ intact: true, findings: [] });
  });

  it('answers an identical one beside it, which is not made again', async () => {
    const bank = openDesk();
    await using _ = bank.guard;
    const run = await bank.begin();
    const outcomes = await Promise.all([
      run.call('pay', { to: 'dana' }, { ref: 'pay' }),
      ...['a', 'b'].map((ref) => run.call('note', { line: 'one' }, { ref })),
    ]);
    expect(outcomes).toMatchObject([
      { status: 'paused' },
      { status: 'done' },
      { status: 'done', isRepeated: true },
    ]);
    expect(bank.done).toEqual(['note one']);
  });

  it('is told of on record once what cleared it was looked at again', async () => {
    const bank = openDesk();
    await using _ = bank.guard;
    const run = await bank.begin();
    await step(run, 'a');
    const types = (await bank.guard.orchestrator.ledger(run.taskId)).map(({ fact }) => fact?.type);
    expect(types.slice(-3)).toEqual(['call.cleared', 'call.started', 'call.succeeded']);
  });

  it('stays made when the person rejects its neighbour', async () => {
    const bank = openDesk();
    await using _ = bank.guard;
    const run = await bank.begin();
    await step(run, 'a');
    await answer(bank, run, { type: 'reject', content: 'Not today.' });
    expect(await run.call('pay', { to: 'dana' }, { ref: 'pay' })).toMatchObject({ code: 'HUMAN_REJECTED' });
    expect(await run.conclude({ payload: {} })).toMatchObject({ status: 'delivered' });
    expect(bank.done).toEqual(['note a']);
  });

  it('is not made beyond the limit on calls, and waits then', async () => {
    const bank = openDesk({}, { calls: 1 });
    await using _ = bank.guard;
    const run = await bank.begin();
    const [, a, b] = await step(run, 'a', 'b');
    expect([a, b]).toMatchObject([{ status: 'done' }, { status: 'paused' }]);
    expect(bank.done).toEqual(['note a']);
  });

  it('is made by the next process, where the one before died beside the question', async () => {
    const database = memoryDatabase();
    const hang = guardTool(
      { name: 'note', input: z.object({ line: z.string() }), execute: () => new Promise(() => {}) },
      { tier: 'write_low_risk', doubt: 'idempotent' },
    );
    const pay = guardTool(
      { name: 'pay', input: z.object({ to: z.string() }), execute: () => ({}) },
      { tier: 'write_low_risk' },
    );
    const first = openDesk({ store: database.connect(), tools: [hang, pay] });
    const begun = await first.begin();
    const left = step(begun, 'a').catch(String);
    await expect
      .poll(async () => (await begun.progress()).calls.map(({ status }) => status))
      .toContain('started');
    await first.guard.close();
    expect(await left).toMatch(/closed/);
    const made: string[] = [];
    const note = guardTool(
      { name: 'note', input: z.object({ line: z.string() }), execute: ({ line }) => made.push(line) },
      { tier: 'write_low_risk', doubt: 'idempotent' },
    );
    const second = openDesk({ store: database.connect(), tools: [note, pay] });
    await using _ = second.guard;
    await second.guard.orchestrator.recover();
    await expect.poll(() => made).toEqual(['a']);
    expect(await second.guard.orchestrator.task(begun.taskId)).toMatchObject({ state: 'needsHumanDecision' });
  });
});

it('does not forget a write that is being made: a person may ask for another plan once it is over', async () => {
  const released = new AbortController();
  const gate = new Promise((resolve) => released.signal.addEventListener('abort', resolve));
  const note = guardTool(
    { name: 'note', input: z.object({ line: z.string() }), execute: () => gate },
    { tier: 'write_low_risk' },
  );
  const pay = guardTool(
    { name: 'pay', input: z.object({ to: z.string() }), execute: () => ({}) },
    { tier: 'write_low_risk' },
  );
  const bank = openDesk({ tools: [note, pay] });
  await using _ = bank.guard;
  const run = await bank.begin();
  const made = step(run, 'a');
  await expect
    .poll(async () => (await run.progress()).calls.map(({ status }) => status))
    .toContain('started');
  const instruct = () => answer(bank, run, { type: 'instruction', content: 'Pay less.' });
  await expect(instruct()).rejects.toThrow(/a write has begun/);
  released.abort();
  expect((await made)[1]).toMatchObject({ status: 'done' });
  await expect(instruct()).resolves.not.toThrow();
});

it('says what is in the way of an edit: a write beside the question that has begun, and whose tool asks', async () => {
  const note = guardTool(
    {
      name: 'note',
      input: z.object({ line: z.string() }),
      execute: (_, { answer: given, met, notYet, needsHuman }) => {
        if (given !== null) return given;
        const explanation = 'Of a book that was sent for.';
        return met === null ? notYet({ dependency: 'book', explanation }) : needsHuman({ explanation });
      },
    },
    { tier: 'write_low_risk' },
  );
  const pay = guardTool(
    { name: 'pay', input: z.object({ to: z.string() }), execute: ({ to }) => ({ to }) },
    { tier: 'write_low_risk' },
  );
  const bank = openDesk({ tools: [note, pay] });
  await using _ = bank.guard;
  const run = await bank.begin();
  await step(run, 'a');
  await bank.guard.orchestrator.resolve(run.taskId, 'book', { pages: 9 }, { by: 'library' });
  await expect.poll(() => run.questions()).toHaveLength(2);
  const respond = async (kind: string, feedback: Omit<Feedback, 'target'>) => {
    const asked = (await run.questions()).find(({ question }) => question.kind === kind);
    const target = asked?.message.messageId ?? '';
    await bank.guard.orchestrator.respond({ ...feedback, target }, { by: 'kim' });
  };
  const edit = () => respond('approval', { type: 'edit', content: { value: { to: 'erin' } } });
  await expect(edit()).rejects.toThrow(/a write has begun.*first what its tool asks/);
  await respond('tool', { type: 'instruction', content: 'The last.' });
  expect(await run.call('note', { line: 'a' }, { ref: 'a' })).toMatchObject({ status: 'done' });
  await edit();
  expect(await run.call('pay', { to: 'dana' }, { ref: 'pay' })).toMatchObject({
    status: 'done',
    result: { to: 'erin' },
  });
});
