import { describe, expect, it, onTestFinished } from 'vitest';
import { beginAnew } from '../../../../docs/examples/upgrade.ts';
import { createOrchestrator, type OrchestratorOptions, type Store } from '../../../../src/index.ts';
import { replay, verifyLedger } from '../../../../src/core/ledger/index.ts';
import { memoryStore } from '../../../../src/stores/memory.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { fixedIds } from '../../../fixtures/chart-1/charter.ts';
import { copyInto, fixtures, storeCopy, stranded, strandedCopy } from '../../../fixtures/chart-1/fixtures.ts';
import { strandedCharter } from '../../../fixtures/chart-1/stranded/charter.ts';
import { settle, simulatedClock } from './simulated-clock.ts';

const { paid, noter, manager } = stranded;

const over = (store: Store, options: Partial<OrchestratorOptions> = {}) => {
  const clock = simulatedClock(Date.parse('2026-11-22T01:00:00Z'));
  const orchestrator = createOrchestrator({ ...strandedCharter, store, clock, ids: fixedIds(3), ...options });
  const errors: unknown[] = [];
  orchestrator.on('error', ({ error }) => errors.push(error));
  onTestFinished(() => orchestrator.close());
  return { orchestrator, errors };
};

const opened = (options: Partial<OrchestratorOptions> = {}, file = strandedCopy()) => {
  const reader = sqliteStore(file);
  onTestFinished(() => reader.close());
  return { ...over(sqliteStore(file), options), reader, file };
};

const unknown = {
  code: 'chart_unknown',
  details: { version: '1', obstacle: { seq: 7, code: 'refused' } },
  message: expect.stringMatching(
    /record 7 does not carry over: the chart does not accept call\.started .*; read the task, cancel it, or begin it again/,
  ) as string,
};

const inMemory = async () => {
  const store = memoryStore();
  await copyInto(store, 'stranded/tasks.sqlite');
  return store;
};

describe('a task of chart 1 that does not carry over', () => {
  it.each([
    ['memory', inMemory],
    ['SQLite', () => sqliteStore(strandedCopy())],
  ])(
    'is refused by recover with the record that stands against it, and left as it is in %s',
    async (_, storeOf) => {
      const store = await storeOf();
      const before = await store.load(paid.taskId);
      const { carriedOver, refused } = await over(store).orchestrator.recover();
      expect(carriedOver).toEqual([manager.taskId]);
      expect(refused).toMatchObject([
        { taskId: paid.taskId, error: unknown },
        { taskId: noter.taskId, error: { code: 'chart_unknown', details: { obstacle: { seq: 5 } } } },
      ]);
      expect(await store.load(paid.taskId)).toEqual(before);
    },
  );

  it('takes no answer, and says why', async () => {
    const { orchestrator, reader } = opened();
    const before = await reader.load(paid.taskId);
    const [asked] = await orchestrator.inbox(paid.taskId);
    const answer = { type: 'approve', target: asked?.message.messageId ?? '' } as const;
    await expect(orchestrator.respond(answer, { by: 'dana' })).rejects.toMatchObject(unknown);
    await expect(orchestrator.resolve(paid.taskId, 'permit', 1, { by: 'city' })).rejects.toMatchObject(
      unknown,
    );
    expect(await reader.load(paid.taskId)).toEqual(before);
  });

  it('tells its progress, its question, its thread and its ledger', async () => {
    const { orchestrator, errors } = opened();
    await orchestrator.recover();
    expect(await orchestrator.task(paid.taskId)).toMatchObject({
      taskId: paid.taskId,
      state: 'needsHumanDecision',
      isSettled: false,
      request: { name: 'paid' },
      attempt: 0,
      calls: [
        { tool: 'read', status: 'succeeded', arguments: {} },
        { tool: 'pay', status: 'succeeded', arguments: {} },
      ],
      evidence: [{ payload: { order: 'o-7', cents: 18_000 } }, { payload: { paid: true } }],
      draft: { refund: { cents: 18_000 } },
      answers: [{ question: 'approval', by: 'dana' }],
      awaits: [],
    });
    const [asked] = await orchestrator.inbox(paid.taskId);
    expect(asked?.question.kind).toBe('draft');
    expect(await orchestrator.thread(asked?.message.threadId ?? '')).toContainEqual(asked?.message);
    const records = await orchestrator.ledger(paid.taskId);
    const emissions = await orchestrator.documents(paid.taskId);
    expect(await verifyLedger(records, { emissions })).toMatchObject({ intact: true, canReplay: false });
    expect(errors).toEqual([]);
  });

  it('is told of by a guest as well', async () => {
    const { orchestrator } = opened({ role: 'guest' });
    expect(await orchestrator.task(paid.taskId)).toMatchObject({ state: 'needsHumanDecision' });
  });

  it('tells nothing of itself where what is stored was changed', async () => {
    const store = await inMemory();
    const tampered: Store = {
      ...store,
      load: async (taskId) => {
        const task = await store.load(taskId);
        return task && { ...task, snapshot: task.snapshot.replace('"succeeded"', '"failed"') };
      },
    };
    const { orchestrator } = over(tampered);
    for (const ask of [orchestrator.task(paid.taskId), orchestrator.cancel(paid.taskId, { by: 'dana' })])
      await expect(ask).rejects.toMatchObject({ code: 'task_corrupted' });
  });
});

describe('cancel, of a task that does not carry over', () => {
  it('ends it, and names the writes that stand', async () => {
    const { orchestrator, reader } = opened();
    const before = await reader.load(paid.taskId);
    await orchestrator.cancel(paid.taskId, { by: 'dana' });
    const after = await reader.load(paid.taskId);
    const record = after?.records.at(-1);
    expect(after?.records.slice(0, -1)).toEqual(before?.records);
    expect(record).toMatchObject({
      kind: 'end',
      actor: { kind: 'human', id: 'dana' },
      from: 'needsHumanDecision',
      to: 'cancelled',
      outcome: 'uncertain',
      fact: null,
      snapshot: null,
      brought: { end: { chart: '1', state: 'needsHumanDecision', writes: [{ tool: 'pay', isKnown: true }] } },
    });
    expect(after?.indexEntry).toMatchObject({
      isSettled: true,
      isOwed: false,
      asking: 0,
      size: paid.records + 1,
    });
    expect(after).toMatchObject({ deadlines: [], intents: [], snapshot: before?.snapshot });
    expect(await orchestrator.inbox(paid.taskId)).toEqual([]);
    expect(await orchestrator.settled(paid.taskId)).toMatchObject({
      state: 'cancelled',
      outcome: 'uncertain',
      isSettled: true,
      reasons: [{ code: 'CANCELLED' }, { code: 'ROLLBACK_REQUIRED' }],
      message: {
        state: 'cancelled',
        explanation: expect.stringContaining('Done and not undone: pay.') as string,
      },
    });
  });

  it('leaves an intact ledger, whose end is known and whose states are not derived', async () => {
    const { orchestrator } = opened();
    await orchestrator.cancel(paid.taskId, { by: 'dana' });
    const [records, emissions] = [
      await orchestrator.ledger(paid.taskId),
      await orchestrator.documents(paid.taskId),
    ];
    const verified = await verifyLedger(records, { emissions });
    expect(verified).toMatchObject({ intact: true, verdict: 'unanchored', canReplay: false, findings: [] });
    expect(replay(records, { emissions })).toMatchObject({ verdict: 'not_derived' });
    const names = emissions.slice(-2).map(({ name }) => name);
    expect(names).toEqual(['MessageEnvelope', 'UpFormatMessage']);
  });

  it('happens once', async () => {
    const { orchestrator } = opened();
    await orchestrator.cancel(paid.taskId, { by: 'dana', key: 'end' });
    await orchestrator.cancel(paid.taskId, { by: 'dana', key: 'end' });
    await expect(orchestrator.cancel(paid.taskId, { by: 'dana' })).rejects.toMatchObject({
      code: 'fact_refused',
      details: { state: 'cancelled', accepts: [] },
    });
    expect(await orchestrator.ledger(paid.taskId)).toHaveLength(paid.records + 1);
  });

  it('ends one of two at a time: the record of the first counts', async () => {
    const store = await inMemory();
    const [one, other] = [over(store).orchestrator, over(store).orchestrator];
    const ends = await Promise.allSettled([
      one.cancel(paid.taskId, { by: 'dana' }),
      other.cancel(paid.taskId, { by: 'kim' }),
    ]);
    expect(ends.map((end) => (end.status === 'rejected' ? (end.reason as unknown) : null))).toEqual(
      expect.arrayContaining([null, expect.objectContaining({ code: 'fact_refused' })]) as unknown,
    );
    expect((await store.load(paid.taskId))?.records).toHaveLength(paid.records + 1);
  });

  it('wakes those who wait for its end', async () => {
    const { orchestrator } = opened();
    const end = orchestrator.settled(paid.taskId);
    await settle();
    await orchestrator.cancel(paid.taskId, { by: 'dana' });
    expect(await end).toMatchObject({ state: 'cancelled' });
  });

  it('is left to the owner of the store', async () => {
    const { orchestrator, reader } = opened({ role: 'guest' });
    await expect(orchestrator.cancel(paid.taskId, { by: 'dana' })).rejects.toMatchObject({
      code: 'chart_unknown',
    });
    expect((await reader.load(paid.taskId))?.records).toHaveLength(paid.records);
  });

  it('tells the task that called it, which was carried over', async () => {
    const { orchestrator, errors } = opened();
    await orchestrator.recover();
    await orchestrator.cancel(noter.taskId, { by: 'dana' });
    await settle();
    const records = await orchestrator.ledger(manager.taskId);
    expect(records.map(({ kind, fact }) => fact?.type ?? kind)).toContain('call.doubted'); // its note stands
    expect(records.find(({ fact }) => fact?.type === 'call.doubted')?.fact).toMatchObject({
      code: 'CHILD_FAILED',
      causes: ['CANCELLED', 'ROLLBACK_REQUIRED'],
    });
    expect(replay(records)).toMatchObject({ verdict: 'same' });
    expect(errors).toEqual([]);
  });

  it('of the task that called it ends it as well', async () => {
    const { orchestrator, errors } = opened();
    await orchestrator.recover();
    await orchestrator.cancel(manager.taskId, { by: 'dana' });
    await settle();
    expect((await orchestrator.ledger(noter.taskId)).at(-1)).toMatchObject({
      kind: 'end',
      actor: { kind: 'system', id: manager.taskId },
    });
    expect(errors).toEqual([]);
  });
});

describe('a task that is begun anew', () => {
  it('has the same request, in the same thread, below the message that ended the old one', async () => {
    const { orchestrator } = opened();
    const { taskId, threadId } = await beginAnew(orchestrator, paid.taskId, 'dana');
    const { message } = await orchestrator.settled(paid.taskId);
    await settle();
    expect(threadId).toBe(message.threadId);
    expect(await orchestrator.task(taskId)).toMatchObject({ request: { name: 'paid' } });
    const thread = await orchestrator.thread(threadId);
    expect(thread).toContainEqual(expect.objectContaining({ parentMessageId: message.messageId }));
  });

  it('is no call of another task: that task decides what it asks for again', async () => {
    const { orchestrator } = opened();
    await expect(beginAnew(orchestrator, noter.taskId, 'dana')).rejects.toThrow(
      `is a call of ${manager.taskId}`,
    );
  });
});

describe('a settled task of chart 1', () => {
  const { delivered, written, failed, cancelled } = fixtures;
  it.each([
    ['delivered', delivered, 'completed'],
    ['written', written, 'completed'],
    ['failed', failed, 'failed'],
    ['cancelled', cancelled, 'cancelled'],
  ])('tells how it ended and how far it came: "%s"', async (_, { taskId, state }, said) => {
    const { orchestrator } = opened({}, storeCopy());
    expect(await orchestrator.settled(taskId)).toMatchObject({ state, message: { state: said } });
    expect(await orchestrator.task(taskId)).toMatchObject({ state, isSettled: true });
  });

  it('forgets a document that is erased', async () => {
    const { orchestrator, reader } = opened({}, storeCopy());
    const [opening] = await orchestrator.ledger(delivered.taskId);
    const request = opening!.documents.request!;
    await orchestrator.erase(delivered.taskId, request, { by: 'dana' });
    const { records = [], emissions = [] } = (await reader.load(delivered.taskId)) ?? {};
    expect(records[0]?.brought.request).toBeUndefined();
    expect(records.at(-1)).toMatchObject({ kind: 'erasure', erased: request, actor: { id: 'dana' } });
    expect(await verifyLedger(records, { emissions })).toMatchObject({ intact: true, erased: 1 });
    expect(await orchestrator.task(delivered.taskId)).toMatchObject({ request: {} });
    await expect(orchestrator.erase(delivered.taskId, 'sha256:0', { by: 'dana' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('keeps its documents while it is open', async () => {
    const { orchestrator } = opened();
    const [opening] = await orchestrator.ledger(paid.taskId);
    const erased = orchestrator.erase(paid.taskId, opening!.documents.request!, { by: 'dana' });
    await expect(erased).rejects.toMatchObject({ code: 'task_unsettled' });
  });
});
