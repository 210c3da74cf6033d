import { setImmediate } from 'node:timers/promises';
import type { Guard, GuardedAgent, GuardOptions, Run } from 'agentcharter/guard';
import { verifyLedger } from 'agentcharter/ledger';
import { describe, expect, it } from 'vitest';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { identity, openBank } from './bank.ts';

const submission = { taskClass: 'job', payload: { for: 'test' }, identity };

const redact = (document: unknown, kind: string) => (kind === 'agentState' ? { kept: 'nothing' } : document);

/** The state after a turn, of nearly a megabyte. */
const large = (turn: number) => ({ turn, text: 'x'.repeat(900_000) });

/** Pays once and concludes; returns what the guard said. */
const payer: GuardedAgent = async (run) => {
  const paid = await run.call('pay', { to: 'alice' }, { ref: 'pay-1' });
  return paid.status === 'done' ? run.conclude({ payload: { said: 'paid' } }) : paid;
};

const answer = async (run: Run, guard: Guard): Promise<void> => {
  const [asked] = await run.questions();
  const target = asked?.message.messageId ?? '';
  await guard.orchestrator.respond({ type: 'approve', target }, { by: 'dana' });
};

const reopened = async (options: Partial<GuardOptions> = {}) => {
  const database = memoryDatabase();
  const first = openBank({}, { store: database.connect(), ...options });
  const run = await first.begin();
  return { database, first, run };
};

describe('The state of an agent', () => {
  const messages = [{ role: 'user', content: 'Pay alice.' }];

  it('is stored with the task, and read after a restart', async () => {
    const { database, first, run } = await reopened();
    expect(await run.savedState()).toBeNull();
    await run.saveState({ messages: [] });
    await run.saveState({ messages });
    await first.guard.close();
    const second = openBank({}, { store: database.connect() });
    const resumed = await second.guard.resume(run.taskId);
    expect(await resumed.savedState()).toEqual({ messages });
    const records = await second.guard.orchestrator.ledger(run.taskId);
    expect(records.at(-1)).toMatchObject({ kind: 'agent', fact: null, snapshot: null });
    expect(await verifyLedger(records)).toMatchObject({ findings: [] });
    await second.guard.close();
  });

  it('that was edited in the store is not given to an agent', async () => {
    const { database, first, run } = await reopened();
    await run.saveState({ messages });
    await first.guard.close();
    const store = database.connect();
    const load: typeof store.load = async (taskId) => {
      const stored = await store.load(taskId);
      if (stored === undefined) return undefined;
      const text = JSON.stringify(stored.records).replace('Pay alice.', 'Pay mallory.');
      return { ...stored, records: JSON.parse(text) as typeof stored.records };
    };
    const second = openBank({}, { store: { ...store, load } });
    await expect(second.guard.resume(run.taskId)).rejects.toMatchObject({
      code: 'task_corrupted',
      details: { reason: 'agentState is not what was sealed' },
    });
    await second.guard.close();
  });

  it('is kept as the last of many, and no more than 8 MiB of them in all', async () => {
    const { database, first, run } = await reopened();
    for (let turn = 0; turn < 14; turn += 1) await run.saveState(large(turn));
    const records = await first.guard.orchestrator.ledger(run.taskId);
    const onRecord = records.filter(({ brought }) => brought.agentState !== undefined);
    expect(onRecord.map(({ brought }) => brought.agentState)).toMatchObject(
      [5, 6, 7, 8, 9, 10, 11, 12, 13].map((turn) => ({ turn })),
    );
    expect(await verifyLedger(records)).toMatchObject({ findings: [] });
    await first.guard.close();
    const second = openBank({}, { store: database.connect() });
    const resumed = await second.guard.resume(run.taskId);
    expect(await resumed.savedState()).toEqual(large(13));
    await second.guard.close();
  });

  it('that is another document too is not erased, and each one once', async () => {
    const { first, run } = await reopened();
    await run.call('pay', { to: 'alice' });
    const { orchestrator } = first.guard;
    const outputsOf = async () =>
      (await orchestrator.ledger(run.taskId)).flatMap(({ brought }) => brought.output ?? []);
    const outputs = await outputsOf();
    for (const output of outputs) await run.saveState(output);
    await Promise.all(Array.from({ length: 14 }, (_, turn) => run.saveState(large(turn))));
    expect(await outputsOf()).toEqual(outputs);
    expect(outputs).not.toEqual([]);
    const erased = (await orchestrator.ledger(run.taskId)).flatMap((record) => record.erased ?? []);
    expect(erased.length).toBeGreaterThan(3);
    expect(new Set(erased).size).toBe(erased.length);
    await first.guard.close();
  });

  it('is redacted before it is stored', async () => {
    const { run, first } = await reopened({ redact });
    await run.saveState({ messages });
    expect(await run.savedState()).toEqual({ kept: 'nothing' });
    await first.guard.close();
  });

  it('is erased once its task is settled', async () => {
    const { run, first } = await reopened();
    await run.saveState({ messages });
    await run.conclude({ payload: {} });
    const { orchestrator } = first.guard;
    const saved = (await orchestrator.ledger(run.taskId)).find(({ kind }) => kind === 'agent');
    await orchestrator.erase(run.taskId, saved?.documents.agentState ?? '', { by: 'dana' });
    expect(JSON.stringify(await orchestrator.ledger(run.taskId))).not.toContain('Pay alice.');
    expect(await run.savedState()).toBeNull();
    await first.guard.close();
  });

  it.each([
    ['is not JSON', { at: new Map() }, 'a Map'],
    ['is larger than 8 MiB', { text: 'x'.repeat(8_388_609) }, 'the state of the agent'],
  ])('that %s is refused, and nothing is stored', async (_, state, words) => {
    const { run, first } = await reopened();
    await expect(run.saveState(state)).rejects.toMatchObject({
      code: 'value_not_json',
      message: expect.stringContaining(words) as string,
    });
    expect(await run.savedState()).toBeNull();
    await first.guard.close();
  });

  it.each<[string, Partial<GuardOptions>]>([
    ['', {}],
    [', redacted', { redact: (document) => document }],
  ])('may hold pictures: one of 2 MiB is there after a restart%s', async (_, options) => {
    const photo = { messages: [{ role: 'user', content: 'x'.repeat(2 * 1_048_576) }] };
    const { database, first, run } = await reopened(options);
    await run.saveState(photo);
    await first.guard.close();
    const second = openBank({}, { store: database.connect() });
    expect(await (await second.guard.resume(run.taskId)).savedState()).toEqual(photo);
    const records = await second.guard.orchestrator.ledger(run.taskId);
    expect(await verifyLedger(records)).toMatchObject({ findings: [] });
    await second.guard.close();
  });

  it('is that of the current request: changes of the request begin without one', async () => {
    const { guard, begin } = openBank({
      followup: () => ({ explanation: 'More?', payload: {}, byDefault: { more: false } }),
    });
    const run = await begin();
    await run.saveState({ messages });
    await run.conclude({ payload: {} });
    const [offer] = await run.questions();
    await guard.orchestrator.respond(
      { type: 'instruction', target: offer?.message.messageId ?? '', content: 'Pay bob too.' },
      { by: 'dana' },
    );
    expect(await run.savedState()).toBeNull();
    await guard.close();
  });

  it('is not stored once the task is settled', async () => {
    const { run, first } = await reopened();
    await run.conclude({ payload: {} });
    const before = await first.guard.orchestrator.ledger(run.taskId);
    await run.saveState({ messages });
    expect(await first.guard.orchestrator.ledger(run.taskId)).toEqual(before);
    await first.guard.close();
  });
});

describe('The agent of a run that the host began', () => {
  it('is not started by the guard', async () => {
    const started: string[] = [];
    const agents = { job: async (run: Run) => void started.push(run.taskId) };
    const { guard, begin } = openBank({}, { agents });
    const run = await begin();
    expect(await run.call('read', {})).toMatchObject({ status: 'done' });
    expect(await run.conclude({ payload: {} })).toMatchObject({ status: 'delivered' });
    expect(started).toEqual([]);
    await guard.close();
  });

  it('is started by the guard after a pause and an answer', async () => {
    const { guard, begin, done } = openBank({}, { agents: { job: payer } });
    const run = await begin();
    expect(await payer(run, { request: {}, answers: [], reviews: [], unmet: [], attempt: 0 })).toMatchObject({
      status: 'paused',
    });
    await answer(run, guard);
    expect(await guard.orchestrator.settled(run.taskId)).toMatchObject({
      message: { payload: { said: 'paid' } },
    });
    expect(done).toEqual(['pay alice']);
    await guard.close();
  });

  it('is started by the guard only after the agent of the host returned', async () => {
    const order: string[] = [];
    const agents: Record<string, GuardedAgent> = {
      job: async (run, turn) => {
        order.push('the guard starts it');
        return payer(run, turn);
      },
    };
    const { guard, begin, done } = openBank({}, { agents });
    const run = await begin();
    const leave = run.attend();
    await run.call('pay', { to: 'alice' }, { ref: 'pay-1' });
    await answer(run, guard);
    await expect.poll(() => done).toEqual(['pay alice']);
    for (let turns = 0; turns < 20; turns += 1) await setImmediate(); // the next turn opens
    order.push('the host returns');
    leave();
    await guard.orchestrator.settled(run.taskId);
    expect(order).toEqual(['the host returns', 'the guard starts it']);
    await guard.close();
  });

  it('is started by the guard in another process', async () => {
    const database = memoryDatabase();
    const first = openBank({}, { store: database.connect(), agents: { job: payer } });
    const run = await first.begin();
    await run.call('pay', { to: 'alice' }, { ref: 'pay-1' });
    await first.guard.close();
    const second = openBank({}, { store: database.connect(), agents: { job: payer } }, first.done);
    await second.guard.orchestrator.recover();
    await answer(await second.guard.resume(run.taskId), second.guard);
    expect(await second.guard.orchestrator.settled(run.taskId)).toMatchObject({ outcome: 'success' });
    expect(first.done).toEqual(['pay alice']);
    await second.guard.close();
  });
});

it('A submitted run is started by the guard', async () => {
  const { guard } = openBank({}, { agents: { job: (run) => run.conclude({ payload: {} }) } });
  const { taskId } = await guard.orchestrator.submit(submission);
  expect(await guard.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  await guard.close();
});
