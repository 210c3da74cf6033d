import { defineTaskClass, type Tool } from 'agentcharter';
import { createGuard, guardTool, type Guard } from 'agentcharter/guard';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { answer, identity, isGood, openBank } from './bank.ts';

const judged = { beforeDeliver: { verifiers: ['good'] } };
const verifiers = { verifiers: [isGood] };

/** Feedback in which a person replaces the plan. */
const plan = (...calls: readonly object[]) => ({
  type: 'edit' as const,
  content: { value: { canProceed: true, confidence: 1, explanation: 'So.', calls } },
});

describe('A call', () => {
  it('that a person removed from the plan is refused here and in another process', async () => {
    const database = memoryDatabase();
    const done: string[] = [];
    const first = openBank({}, { store: database.connect() }, done);
    const run = await first.begin();
    const note = [{ line: 'a' }, { ref: 'c1', confidence: 0.2 }] as const;
    expect(await run.call('note', ...note)).toMatchObject({ status: 'paused' });
    await answer(first, run, plan({ tool: 'read', arguments: {} }));
    const refused = { status: 'refused', code: 'HUMAN_REJECTED' };
    expect(await run.call('note', ...note)).toMatchObject(refused);
    await first.guard.close();
    const second = openBank({}, { store: database.connect() }, done);
    await using _ = second.guard;
    await second.guard.orchestrator.recover();
    const resumed = await second.guard.resume(run.taskId);
    expect(await resumed.call('note', ...note)).toMatchObject(refused);
    expect(done).toEqual(['read all']);
  });

  it('with a waiting caller is made, even when another caller received paused', async () => {
    const bank = openBank({ limits: { rounds: 1 } }); // beyond it, a call waits for the answer
    await using _ = bank.guard;
    const run = await bank.begin();
    const paid = run.call('pay', { to: 'a' }, { waits: true });
    await expect.poll(() => run.questions()).toHaveLength(1);
    const read = run.call('read', {}, { ref: 'c2', waits: true });
    const concluded = run.conclude({ payload: {} }, { waits: true });
    expect(await run.call('read', {}, { ref: 'c2' })).toMatchObject({ status: 'paused' });
    expect(await run.conclude({ payload: {} })).toMatchObject({ status: 'paused' });
    await answer(bank, run, { type: 'approve' });
    await expect.poll(async () => (await run.questions())[0]?.question.kind).toBe('limit');
    await answer(bank, run, { type: 'approve' });
    const outcomes = await Promise.all([paid, read, concluded]);
    expect(outcomes.map(({ status }) => status)).toEqual(['done', 'done', 'delivered']);
  });

  it('is released at once, whenever the abort signal comes', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    expect(await run.call('pay', { to: 'a' }, { ref: 'c1' })).toMatchObject({ status: 'paused' });
    for (let turns = 0; turns < 40; turns += 1) {
      const gone = new AbortController();
      const { signal } = gone;
      const rejected = expect(
        run.call('pay', { to: 'a' }, { ref: 'c1', waits: true, signal }),
      ).rejects.toThrow('gone');
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      gone.abort(new Error('gone'));
      await rejected;
    }
  });

  it('is not reported as done after its rollback', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    const pay = () => run.call('pay', { to: 'a' }, { ref: 'c1' });
    await pay();
    await answer(bank, run, { type: 'approve' });
    expect(await pay()).toMatchObject({ status: 'done' });
    await bank.guard.orchestrator.cancel(run.taskId, { by: 'kim' });
    expect(await pay()).toMatchObject({ status: 'ended', state: 'cancelled' });
    expect(bank.done).toEqual(['pay a', 'recall a']);
  });

  it('under a reference of an earlier attempt returns the later call, also after a restart', async () => {
    const database = memoryDatabase();
    const first = openBank(judged, { ...verifiers, store: database.connect() });
    const run = await first.begin();
    await run.call('read', { of: 'a' }, { ref: 'c1' });
    expect(await run.conclude({ payload: {} })).toMatchObject({ status: 'repairing' });
    const later = { status: 'done', result: { of: 'b' } };
    expect(await run.call('read', { of: 'b' }, { ref: 'c1' })).toMatchObject(later);
    await first.guard.close();
    const second = openBank(judged, { ...verifiers, store: database.connect() });
    await using _ = second.guard;
    await second.guard.orchestrator.recover();
    const resumed = await second.guard.resume(run.taskId);
    expect(await resumed.call('read', { of: 'b' }, { ref: 'c1' })).toMatchObject(later);
  });

  it.each([
    ['a tool', 're\ud800ad', {}],
    ['a name', 'read', { ref: '\ud800' }],
    ['a confidence', 'read', { confidence: Number.NaN }],
  ])('with %s that is unreadable is refused, and its siblings are made', async (_, tool, options) => {
    const bank = openBank({ limits: { corrections: 0 } });
    await using __ = bank.guard;
    const run = await bank.begin();
    const [bad, good] = await Promise.all([run.call(tool, {}, options), run.call('read', {})]);
    expect(bad).toMatchObject({ status: 'refused', code: 'OUTPUT_INVALID' });
    expect(good).toMatchObject({ status: 'done' });
  });

  it('works after the store recovers from a failure', async () => {
    const database = memoryDatabase();
    const before = openBank({}, { store: database.connect() });
    const { taskId } = await before.begin();
    await before.guard.close();
    const store = database.connect();
    let isDown = true;
    const load: typeof store.load = (id) => (isDown ? Promise.reject(new Error('down')) : store.load(id));
    const bank = openBank({}, { store: { ...store, load } });
    await using _ = bank.guard;
    await expect(bank.guard.resume(taskId)).rejects.toThrow('down');
    isDown = false;
    const run = await bank.guard.resume(taskId);
    expect(await run.call('read', {})).toMatchObject({ status: 'done' });
  });

  it('with a slow schema is made before the conclusion that came after it', async () => {
    const input = z.object({}).refine(() => new Promise((resolve) => setTimeout(resolve, 20, true)));
    await using guard = createGuard({
      tools: [guardTool({ name: 'look', input, execute: () => ({}) }, { tier: 'read_only' })],
      taskClasses: [defineTaskClass({ id: 'job', tools: ['look'] })],
    });
    const run = await guard.begin({ taskClass: 'job', payload: {}, identity });
    const outcomes = await Promise.all([run.call('look', {}), run.conclude({ payload: {} })]);
    expect(outcomes.map(({ status }) => status)).toEqual(['done', 'delivered']);
  });
});

describe('A call of one request', () => {
  it('is not reused for a change request', async () => {
    const bank = openBank({ followup: () => ({ explanation: 'More?', payload: {}, byDefault: {} }) });
    await using _ = bank.guard;
    const run = await bank.begin();
    await run.call('read', {}, { ref: 'c1' });
    expect(await run.conclude({ payload: { a: 1 } })).toMatchObject({ status: 'delivered' });
    expect(await run.call('note', { line: 'late' }, { ref: 'c2' })).toMatchObject({ status: 'ended' });
    await answer(bank, run, { type: 'instruction', content: 'Once more.' });
    expect(await run.call('read', {}, { ref: 'c1' })).toMatchObject({ status: 'done' });
    expect(await run.conclude({ payload: { a: 1 } })).toMatchObject({ status: 'delivered' });
    expect(bank.done).toEqual(['read all', 'read all']); // the late note is never made
  });
});

describe('A repair', () => {
  it('keeps a write that a person marked as done', async () => {
    const bank = openBank(judged, verifiers);
    await using _ = bank.guard;
    bank.breaks.push('note');
    const run = await bank.begin();
    await run.call('note', { line: 'a' });
    await answer(bank, run, { type: 'approve' });
    expect(await run.conclude({ payload: {} })).toMatchObject({ status: 'repairing' });
    expect(await run.conclude({ payload: { good: true } })).toMatchObject({ status: 'delivered' });
  });

  it('keeps the calls of a person’s plan, whatever their references', async () => {
    const bank = openBank(judged, verifiers);
    await using _ = bank.guard;
    const run = await bank.begin();
    await run.call('read', {}, { confidence: 0.2 });
    await answer(bank, run, plan({ tool: 'note', arguments: { line: 'p' } }));
    expect(await run.conclude({ payload: {} })).toMatchObject({ status: 'repairing' });
    expect(await run.conclude({ payload: { good: true } })).toMatchObject({ status: 'delivered' });
    expect(bank.done).toEqual(['note p']);
  });

  it('does not repeat a write that a person removed from the plan and that was rolled back', async () => {
    const bank = openBank(judged, verifiers);
    await using _ = bank.guard;
    const run = await bank.begin();
    await run.call('pay', { to: 'a' });
    await answer(bank, run, { type: 'approve' });
    expect(await run.conclude({ payload: {} })).toMatchObject({ status: 'repairing' });
    await run.call('read', {}, { confidence: 0.2 });
    await answer(bank, run, plan({ tool: 'read', arguments: {} }));
    expect(await run.conclude({ payload: {} })).toMatchObject({ status: 'repairing' });
    expect(await run.conclude({ payload: { good: true } })).toMatchObject({ status: 'delivered' });
    expect(bank.done).toEqual(['pay a', 'recall a', 'read all', 'read all']);
  });
});

const openWith = (
  tools: readonly Tool[],
  store: ReturnType<ReturnType<typeof memoryDatabase>['connect']>,
): Guard =>
  createGuard({
    tools,
    store,
    ...verifiers,
    taskClasses: [defineTaskClass({ id: 'job', tools: tools.map(({ name }) => name), ...judged })],
    policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
  });

/** Schemas that change their input, also when they parse it again. */
const schemas: readonly (readonly [string, z.ZodType<object>, object])[] = [
  ['transforms its input', z.object({ a: z.string().transform((a) => `${a}!`) }), { a: 'x' }],
  ['converts its input to another type', z.object({ a: z.string().transform(Number) }), { a: '1' }],
  ['has a random default', z.object({ a: z.string().default(() => `${Math.random()}`) }), {}],
];

const look = (name: string): Tool =>
  guardTool({ name, input: z.object({}), execute: () => ({ name }) }, { tier: 'read_only' });

describe('A tool', () => {
  it.each(schemas)('whose schema %s makes one write over restarts and attempts', async (_, input, given) => {
    const database = memoryDatabase();
    const done: unknown[] = [];
    const contract = { tier: 'write_low_risk' } as const;
    const write = guardTool({ name: 'write', input, execute: (read) => done.push(read) }, contract);
    const first = openWith([write], database.connect());
    const run = await first.begin({ taskClass: 'job', payload: {}, identity });
    const made = await run.call('write', given, { ref: 'c1' });
    expect(made).toMatchObject({ status: 'done' });
    expect(await run.call('write', given, { ref: 'c1' })).toEqual(made);
    await first.close();
    await using second = openWith([write], database.connect());
    await second.orchestrator.recover();
    const resumed = await second.resume(run.taskId);
    expect(await resumed.call('write', given, { ref: 'c1' })).toEqual(made);
    expect(await resumed.conclude({ payload: {} })).toMatchObject({ status: 'repairing' });
    expect(await resumed.conclude({ payload: { good: true } })).toMatchObject({ status: 'delivered' });
    expect(done).toHaveLength(1);
  });

  it('that the guard lacks after a restart is skipped and blocks nothing', async () => {
    const database = memoryDatabase();
    const first = openWith([look('one'), look('other')], database.connect());
    const { taskId } = await first.begin({ taskClass: 'job', payload: {}, identity });
    await (await first.resume(taskId)).call('one', {});
    await first.close();
    await using second = openWith([look('other')], database.connect());
    await second.orchestrator.recover();
    const run = await second.resume(taskId);
    expect(await run.conclude({ payload: {} })).toMatchObject({ status: 'repairing' });
    expect(await run.call('other', {})).toMatchObject({ status: 'done' });
    expect(await run.conclude({ payload: { good: true } })).toMatchObject({ status: 'delivered' });
  });
});

describe('A guard', () => {
  it('drops a run that has ended', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    expect(await bank.guard.resume(run.taskId)).toBe(run);
    await run.conclude({ payload: {} });
    const over = await bank.guard.resume(run.taskId);
    expect(await bank.guard.resume(run.taskId)).not.toBe(over);
    expect(await over.conclude({ payload: {} })).toMatchObject({ status: 'delivered' });
  });
});
