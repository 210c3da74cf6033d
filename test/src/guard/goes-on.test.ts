import { guardTool } from 'agentcharter/guard';
import { replay, verifyLedger } from 'agentcharter/ledger';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { answer, identity, openBank } from './bank.ts';

/** A bank whose policy wants a person to review payments. */
const openDesk = (options: Parameters<typeof openBank>[1] = {}, limits = {}) => {
  const policy = {
    decide: ({ action }: { readonly action: string }) => ({
      verdict: action === 'pay' ? ('needs_review' as const) : ('allow' as const),
      reasons: ['r'],
    }),
  };
  return openBank({ limits, tools: ['note', 'pay', 'read'] }, { policy, ...options });
};

/** A run that waits for a person who may approve a payment. */
const waitingRun = async (desk: ReturnType<typeof openDesk>) => {
  const run = await desk.begin();
  expect(await run.call('pay', { to: 'dana' }, { ref: 'pay' })).toMatchObject({ status: 'paused' });
  return run;
};

/** What is waited for until a test releases it. */
const held = () => {
  let [begin, release] = [(): void => {}, (): void => {}];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const waits = async <Result>(result: Result): Promise<Result> => {
    begin();
    await released;
    return result;
  };
  return { begun, waits, release: () => release() };
};

describe('An agent that was told to wait for a person', () => {
  it('reads and writes on meanwhile, and each call has its result', async () => {
    const desk = openDesk();
    await using _ = desk.guard;
    const run = await waitingRun(desk);
    expect(await run.call('read', { of: 'dana' })).toMatchObject({
      status: 'done',
      result: { of: 'dana' },
    });
    expect(await run.call('note', { line: 'a' })).toMatchObject({ status: 'done' });
    expect(await run.progress()).toMatchObject({ state: 'needsHumanDecision' });
    await answer(desk, run, { type: 'approve' });
    expect(await run.call('pay', { to: 'dana' }, { ref: 'pay' })).toMatchObject({ status: 'done' });
    expect(await run.conclude({ payload: {} })).toMatchObject({ status: 'delivered' });
    expect(desk.done).toEqual(['read dana', 'note a', 'pay dana']);
    const records = await desk.guard.orchestrator.ledger(run.taskId);
    expect(await verifyLedger(records)).toMatchObject({ intact: true, findings: [] });
  });

  it('is told of another question at once, and people may answer in any order', async () => {
    const desk = openDesk();
    await using _ = desk.guard;
    const run = await waitingRun(desk);
    const lee = await run.call('pay', { to: 'lee' }, { ref: 'lee' });
    expect(lee).toMatchObject({ status: 'paused' });
    const questions = await run.questions();
    expect(questions).toHaveLength(2);
    const messageId = questions[1]?.message.messageId ?? '';
    await desk.guard.orchestrator.respond({ type: 'approve', target: messageId }, { by: 'kim' });
    expect(await run.call('pay', { to: 'lee' }, { ref: 'lee' })).toMatchObject({ status: 'done' });
    expect(await run.call('pay', { to: 'dana' }, { ref: 'pay' })).toMatchObject({ status: 'paused' });
    expect(desk.done).toEqual(['pay lee']);
  });

  it('goes on at once with several calls, also one that waits for people', async () => {
    const desk = openDesk();
    await using _ = desk.guard;
    const run = await waitingRun(desk);
    const waiting = run.call('pay', { to: 'lee' }, { waits: true });
    const reads = ['a', 'b', 'c'].map((of) => run.call('read', { of }));
    expect(await Promise.all(reads)).toMatchObject(['a', 'b', 'c'].map((of) => ({ result: { of } })));
    await expect.poll(() => run.questions()).toHaveLength(2);
    for (const { message } of await run.questions())
      await desk.guard.orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'kim' });
    expect(await waiting).toMatchObject({ status: 'done' });
  });

  it('makes one call of two with the same ref, also after a repair', async () => {
    const desk = openDesk();
    await using _ = desk.guard;
    desk.breaks.push('read');
    const run = await desk.begin();
    expect(await run.call('read', {})).toMatchObject({ status: 'repairing' });
    expect(await run.call('pay', { to: 'dana' }, { ref: 'pay' })).toMatchObject({ status: 'paused' });
    const same = () => run.call('note', { line: 'a' }, { ref: 'n' });
    expect(await Promise.all([same(), same()])).toMatchObject([{ status: 'done' }, { status: 'done' }]);
    expect(desk.done).toEqual(['note a']);
  });

  it('reads why a call is not one, and is asked nothing else', async () => {
    const desk = openDesk();
    await using _ = desk.guard;
    const run = await waitingRun(desk);
    expect(await run.call('note', { line: 3 })).toMatchObject({
      status: 'refused',
      code: 'OUTPUT_INVALID',
      issues: [{ path: '/arguments/line' }],
    });
    expect(await run.call('nothing', {})).toMatchObject({ status: 'refused', code: 'OUTPUT_INVALID' });
    const refusals = (await desk.guard.orchestrator.ledger(run.taskId)).filter(
      ({ kind }) => kind === 'refusal',
    );
    expect(refusals).toHaveLength(2);
    expect(await run.questions()).toHaveLength(1);
  });

  it('concludes only after the answer', async () => {
    const desk = openDesk();
    await using _ = desk.guard;
    const run = await waitingRun(desk);
    expect(await run.conclude({ payload: {} })).toMatchObject({ status: 'paused' });
  });

  it('waits with a call that comes after the one that a person is asked about', async () => {
    const desk = openDesk();
    await using _ = desk.guard;
    const run = await waitingRun(desk);
    const tell = () => run.call('note', { line: 'paid' }, { ref: 'tell', after: ['pay'] });
    expect(await tell()).toMatchObject({ status: 'paused' });
    await answer(desk, run, { type: 'reject' });
    expect(await tell()).toMatchObject({ status: 'refused' });
    expect(desk.done).toEqual([]);
  });

  it('waits at its limit on rounds', async () => {
    const desk = openDesk({}, { rounds: 2 });
    await using _ = desk.guard;
    const run = await waitingRun(desk);
    expect(await run.call('read', { of: 'a' })).toMatchObject({ status: 'done' });
    expect(await run.call('read', { of: 'b' })).toMatchObject({ status: 'paused' });
    expect(await run.questions()).toHaveLength(1);
  });

  it('goes on in the next process, and its calls are made once', async () => {
    const database = memoryDatabase();
    const hang = guardTool(
      { name: 'note', input: z.object({ line: z.string() }), execute: () => new Promise(() => {}) },
      { tier: 'write_low_risk', doubt: 'idempotent' },
    );
    const pay = guardTool(
      { name: 'pay', input: z.object({ to: z.string() }), execute: () => ({}) },
      { tier: 'write_low_risk' },
    );
    const read = guardTool(
      { name: 'read', input: z.object({ of: z.string() }), execute: ({ of }) => ({ of }) },
      { tier: 'read_only' },
    );
    const first = openDesk({ store: database.connect(), tools: [hang, pay, read] });
    const begun = await waitingRun(first);
    const left = begun.call('note', { line: 'a' }, { ref: 'a' }).catch(String);
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
    const second = openDesk({ store: database.connect(), tools: [note, pay, read] });
    await using _ = second.guard;
    await second.guard.orchestrator.recover();
    const run = await second.guard.resume(begun.taskId);
    expect(await run.call('note', { line: 'a' }, { ref: 'a' })).toMatchObject({ status: 'done' });
    expect(await run.call('read', { of: 'a' })).toMatchObject({ status: 'done' });
    expect(made).toEqual(['a']);
  });

  it('is told of no pause while the policy decides on its call', async () => {
    const judged = held();
    const policy = {
      decide: ({ action }: { readonly action: string }) =>
        action === 'pay'
          ? ({ verdict: 'needs_review', reasons: ['r'] } as const)
          : judged.waits({ verdict: 'allow', reasons: ['r'] } as const),
    };
    const desk = openDesk({ policy });
    await using _ = desk.guard;
    const run = await waitingRun(desk);
    const noted = run.call('note', { line: 'a' });
    await judged.begun;
    await run.saveState({ at: 1 }); // something else happens meanwhile
    judged.release();
    expect(await noted).toMatchObject({ status: 'done' });
  });

  it('has its call made in the next turn, where the answer came while it was read', async () => {
    const check = held();
    let parsed = 0; // first by the guard, which compares calls, then by the task
    const tools = ['note', 'pay', 'read'].map((name) =>
      guardTool(
        {
          name,
          input: z
            .object({ to: z.string() })
            .refine(() => (name === 'note' && ++parsed > 1 ? check.waits(true) : true)),
          execute: () => ({}),
        },
        { tier: 'write_low_risk' },
      ),
    );
    const desk = openDesk({ tools });
    await using _ = desk.guard;
    const run = await waitingRun(desk);
    const noted = run.call('note', { to: 'a' }, { ref: 'a' });
    await check.begun;
    await answer(desk, run, { type: 'approve' });
    expect(await run.call('pay', { to: 'dana' }, { ref: 'pay' })).toMatchObject({ status: 'done' });
    check.release();
    expect(await noted).toMatchObject({ status: 'done' });
  });

  it('may use tools that it declares meanwhile', async () => {
    const desk = openDesk();
    await using _ = desk.guard;
    const run = await desk.guard.begin({ taskClass: 'job', payload: {}, identity, mandate: 'plan' });
    expect(await run.call('pay', { to: 'dana' })).toMatchObject({ status: 'paused' });
    expect(await run.declare(['note'])).toBe(true);
    expect(await run.call('note', { line: 'a' })).toMatchObject({ status: 'done' });
  });

  it('cannot pay by what a read has shown meanwhile: where a value is from is read once more', async () => {
    const account = 'GB29NWBK60161331926819';
    const look = held();
    const check = held();
    let parsed = 0; // first by the guard, which compares calls, then by the task
    const tools = [
      guardTool(
        {
          name: 'read',
          input: z.object({ of: z.string() }),
          execute: () => look.waits({ text: `pay ${account}` }),
        },
        { tier: 'read_only' },
      ),
      guardTool(
        {
          name: 'note',
          input: z.object({ line: z.string() }).refine(() => (++parsed > 1 ? check.waits(true) : true)),
          execute: () => ({}),
        },
        { tier: 'write_low_risk', flows: { '/line': { integrity: 'trusted' } } },
      ),
      guardTool(
        { name: 'pay', input: z.object({ to: z.string() }), execute: () => ({}) },
        { tier: 'write_low_risk' },
      ),
    ];
    const desk = openDesk({ tools });
    await using _ = desk.guard;
    const run = await waitingRun(desk);
    const looked = run.call('read', { of: 'mail' });
    await expect.poll(async () => (await run.progress()).calls.at(-1)?.status).toBe('started');
    const noted = run.call('note', { line: account });
    await check.begun;
    look.release();
    await looked;
    check.release();
    expect(await noted).toMatchObject({ status: 'paused' });
    expect((await run.progress()).calls.at(-1)).toMatchObject({ tool: 'note', status: 'asked' });
    const { orchestrator } = desk.guard;
    const emissions = await orchestrator.documents(run.taskId);
    expect(replay(await orchestrator.ledger(run.taskId), { emissions })).toMatchObject({ verdict: 'same' });
  });
});

it('is approved by the same person once more where a call of the same action was not made', async () => {
  const tools = ['note', 'pay', 'read'].map((name) =>
    guardTool(
      {
        name,
        input: z.object({ to: z.string() }),
        execute: (_given: object, { notDone }) => notDone('no stock'),
      },
      { tier: 'write_low_risk' },
    ),
  );
  const desk = openDesk({ tools }, { failures: 8 });
  await using _ = desk.guard;
  const run = await waitingRun(desk);
  await answer(desk, run, { type: 'approve' });
  expect(await run.call('pay', { to: 'dana' }, { ref: 'pay' })).toMatchObject({ status: 'refused' });
  expect(await run.call('pay', { to: 'dana' }, { ref: 'again' })).toMatchObject({ status: 'paused' });
  await answer(desk, run, { type: 'approve' });
  expect(await run.call('pay', { to: 'dana' }, { ref: 'again' })).toMatchObject({ status: 'refused' });
});
