import { describe, expect, it, onTestFinished } from 'vitest';
import { chartVersion } from '../../../../machines/index.ts';
import { createOrchestrator, type OrchestratorOptions, type Store } from '../../../../src/index.ts';
import { replay, verifyLedger } from '../../../../src/core/ledger/index.ts';
import { memoryStore } from '../../../../src/stores/memory.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { charter, fixedIds, identity } from '../../../fixtures/chart-1/charter.ts';
import {
  copyInto,
  fixtureNames,
  fixtures,
  openNames,
  storeCopy,
  type FixtureName,
} from '../../../fixtures/chart-1/fixtures.ts';
import { settle, simulatedClock } from '../shell/simulated-clock.ts';

const settledNames = fixtureNames.filter((name) => !openNames.includes(name));
const openIds = openNames.map((name) => fixtures[name].taskId).toSorted();

/** An orchestrator of this version, over a store that chart 1 wrote. */
const over = (store: Store, options: Partial<OrchestratorOptions> = {}) => {
  const clock = simulatedClock(Date.parse('2026-11-22T01:00:00Z'));
  const orchestrator = createOrchestrator({ ...charter, store, clock, ids: fixedIds(3), ...options });
  const errors: unknown[] = [];
  orchestrator.on('error', ({ error }) => errors.push(error));
  onTestFinished(() => orchestrator.close());
  return { orchestrator, clock, errors };
};

const opened = (options: Partial<OrchestratorOptions> = {}) => {
  const file = storeCopy();
  const reader = sqliteStore(file);
  onTestFinished(() => reader.close());
  return { ...over(sqliteStore(file), options), file, reader };
};

const inMemory = async () => {
  const store = memoryStore();
  await copyInto(store);
  return store;
};

const stores: readonly (readonly [string, () => Store | Promise<Store>])[] = [
  ['memory', inMemory],
  ['SQLite', () => sqliteStore(storeCopy())],
];

/** What was recorded of a task since chart 1. */
const newsOf = async (reader: Pick<Store, 'load'>, name: FixtureName) =>
  (await reader.load(fixtures[name].taskId))?.records.slice(fixtures[name].records) ?? [];

const carryOvers = async (reader: Store) => {
  const records = await Promise.all(fixtureNames.map((name) => newsOf(reader, name)));
  return records.flat().filter(({ kind }) => kind === 'upgrade');
};

describe.each(stores)('recover, over tasks of chart 1 in %s', (_, storeOf) => {
  it('carries over every open task of the fixtures, and leaves the settled ones as they are', async () => {
    const store = await storeOf();
    const { orchestrator } = over(store);
    const { carriedOver, refused } = await orchestrator.recover();
    expect({ carriedOver: carriedOver.toSorted(), refused }).toEqual({ carriedOver: openIds, refused: [] });
    for (const name of settledNames) expect(await newsOf(store, name)).toEqual([]);
    for (const name of openNames) {
      const [record] = await newsOf(store, name);
      expect(record).toMatchObject({ kind: 'upgrade', from: fixtures[name].state, fact: null });
    }
  });
});

/** The tasks of chart 1 as they are stored before and after a recovery. */
const recovered = async () => {
  const { orchestrator, reader } = opened();
  const load = async (name: FixtureName) => {
    const task = await reader.load(fixtures[name].taskId);
    if (task === undefined) throw new Error(`there is no task ${name}`);
    return task;
  };
  const before = new Map(await Promise.all(openNames.map(async (name) => [name, await load(name)] as const)));
  const askedBefore = await orchestrator.inbox();
  await orchestrator.recover();
  await settle();
  const tasks = await Promise.all(
    openNames.map(async (name) => ({ name, before: before.get(name), after: await load(name) })),
  );
  return { tasks, askedBefore, askedAfter: await orchestrator.inbox() };
};

it('records both versions, and the snapshot that each puts a task in', async () => {
  for (const { name, before, after } of (await recovered()).tasks) {
    const { state, records: size } = fixtures[name];
    const record = after.records[size];
    const last = before?.records.findLast(({ snapshot }) => snapshot !== null);
    expect(record?.brought.upgrade, name).toEqual({
      from: { chart: '1', state, snapshot: last?.snapshot },
      to: { chart: chartVersion, state: record?.to, snapshot: record?.snapshot },
    });
    expect(record?.snapshot, name).not.toBe(last?.snapshot);
  }
});

it('leaves an intact ledger, whose states are derived from the carry-over on', async () => {
  for (const { name, after } of (await recovered()).tasks) {
    const { records, emissions } = after;
    const carriedOver = [{ seq: fixtures[name].records, from: '1', to: chartVersion }];
    expect(await verifyLedger(records, { emissions }), name).toMatchObject({
      intact: true,
      chart: '1',
      carriedOver,
      canReplay: true,
      findings: [],
    });
    expect(replay(records, { emissions }), name).toMatchObject({ verdict: 'same', chart: '1', carriedOver });
  }
});

it('keeps what the tasks said, and every question but approvals that a stricter class asks for anew', async () => {
  const { tasks, askedBefore, askedAfter } = await recovered();
  for (const { before, after } of tasks)
    expect(after.emissions.slice(0, before?.emissions.length)).toEqual(before?.emissions);
  const idsOf = (asked: typeof askedAfter) =>
    asked.map(({ taskId, question: { kind } }) => `${taskId} ${kind}`);
  expect(idsOf(askedAfter)).toEqual(expect.arrayContaining(idsOf(askedBefore)));
  const messages = askedBefore
    .filter(({ question }) => question.kind !== 'approval')
    .map(({ message }) => message);
  expect(askedAfter.map(({ message }) => message)).toEqual(expect.arrayContaining(messages));
});

it('goes on with each of them to its end', async () => {
  const { orchestrator, errors } = opened();
  await orchestrator.recover();
  await settle();
  const people = ['dana', 'kim'];
  for (const by of people) {
    for (const { question, message } of await orchestrator.inbox()) {
      const { messageId: target } = message;
      const type = question.accepts.includes('approve') ? 'approve' : 'edit';
      const content = { value: { place: 'Porto' } };
      await orchestrator.respond({ type, target, ...(type === 'edit' && { content }) }, { by });
      await settle();
    }
  }
  await orchestrator.resolve(fixtures.waiting.taskId, 'permit', { number: 4 }, { by: 'city', kind: 'agent' });
  await settle();
  for (const name of openNames) {
    const { taskId } = fixtures[name];
    expect([name, (await orchestrator.settled(taskId)).outcome]).toEqual([name, 'success']);
    const [records, emissions] = [await orchestrator.ledger(taskId), await orchestrator.documents(taskId)];
    expect(await verifyLedger(records, { emissions })).toMatchObject({ intact: true });
    expect(replay(records, { emissions })).toMatchObject({ verdict: 'same' });
  }
  expect(errors).toEqual([]);
});

it('carries a task over once, however often and by however many processes it is recovered', async () => {
  const store = await inMemory(); // it lets any number of orchestrators own it
  const [one, other] = [over(store), over(store)];
  const both = await Promise.all([one.orchestrator.recover(), other.orchestrator.recover()]);
  await settle();
  expect((await carryOvers(store)).map(({ taskId }) => taskId).toSorted()).toEqual(openIds);
  expect(both.flatMap(({ refused }) => refused)).toEqual([]);
  expect((await one.orchestrator.recover()).carriedOver).toEqual([]);
  expect((await over(store).orchestrator.recover()).carriedOver).toEqual([]);
  expect(await carryOvers(store)).toHaveLength(openIds.length);
});

it.each(['before', 'after'] as const)('survives a crash %s the store wrote a carry-over', async (when) => {
  const { file, reader } = opened();
  const broken = sqliteStore(file);
  const dying: Store = {
    ...broken,
    commit: async (step) => {
      if (step.record.kind !== 'upgrade' || step.taskId !== fixtures.question.taskId)
        return broken.commit(step);
      if (when === 'after') await broken.commit(step);
      throw new Error('the process dies');
    },
  };
  const first = over(dying);
  const { refused } = await first.orchestrator.recover();
  expect(refused).toMatchObject([{ taskId: fixtures.question.taskId, error: { code: 'store_failed' } }]);
  await first.orchestrator.close();
  const { carriedOver } = await over(sqliteStore(file)).orchestrator.recover();
  expect(carriedOver).toEqual(when === 'before' ? [fixtures.question.taskId] : []);
  expect((await carryOvers(reader)).filter(({ taskId }) => taskId === fixtures.question.taskId)).toHaveLength(
    1,
  );
  const { records = [], emissions = [] } = (await reader.load(fixtures.question.taskId)) ?? {};
  expect(await verifyLedger(records, { emissions })).toMatchObject({ intact: true, canReplay: true });
});

it('carries a task over when it is used before recover', async () => {
  const { orchestrator, reader } = opened();
  const [asked] = await orchestrator.inbox(fixtures.question.taskId);
  await orchestrator.respond({ type: 'approve', target: asked?.message.messageId ?? '' }, { by: 'dana' });
  expect((await newsOf(reader, 'question'))[0]).toMatchObject({ kind: 'upgrade' });
});

it('leaves carrying over to the owner of the store', async () => {
  const { orchestrator, reader } = opened({ role: 'guest' });
  const [asked] = await orchestrator.inbox(fixtures.question.taskId);
  const answer = { type: 'approve', target: asked?.message.messageId ?? '' } as const;
  await expect(orchestrator.respond(answer, { by: 'dana' })).rejects.toMatchObject({
    code: 'chart_unknown',
    details: { version: '1', known: [chartVersion], obstacle: null },
    message: expect.stringContaining('the owner of its store carries it over') as string,
  });
  expect(await orchestrator.recover()).toMatchObject({ carriedOver: [] });
  expect(await carryOvers(reader)).toEqual([]);
});

it('is seen by a guest that read the task before its owner carried it over', async () => {
  const { orchestrator: guest, file } = opened({ role: 'guest' });
  const { taskId, state } = fixtures.question;
  const before = await guest.task(taskId);
  const { orchestrator: owner } = over(sqliteStore(file));
  await owner.recover();
  await settle();
  expect(await guest.task(taskId)).toMatchObject({ state, request: before.request, answers: [] });
  const [asked] = await guest.inbox(taskId);
  await guest.respond({ type: 'approve', target: asked?.message.messageId ?? '' }, { by: 'dana' });
  const records = await guest.ledger(taskId);
  expect(records.map(({ kind }) => kind).filter((kind) => kind === 'upgrade')).toHaveLength(1);
  expect(replay(records)).toMatchObject({ verdict: 'same' });
  await owner.recover();
  await settle();
  expect(await guest.settled(taskId)).toMatchObject({ outcome: 'success' });
});

it('forgets a document that is erased after the end, and is read again from its ledger', async () => {
  const { orchestrator, file } = opened();
  const { taskId } = fixtures.question;
  const [asked] = await orchestrator.inbox(taskId);
  await orchestrator.respond({ type: 'approve', target: asked?.message.messageId ?? '' }, { by: 'dana' });
  await settle();
  await orchestrator.settled(taskId);
  const records = await orchestrator.ledger(taskId);
  const erase = (digest: string | undefined) => orchestrator.erase(taskId, digest ?? '', { by: 'dana' });
  await erase(records[0]?.documents.request); // of chart 1
  await erase(records.findLast(({ documents }) => documents.output !== undefined)?.documents.output); // of this one
  const { upgrade } = records.find(({ kind }) => kind === 'upgrade')!.documents;
  await expect(erase(upgrade)).rejects.toMatchObject({ code: 'not_found' });
  await orchestrator.close();
  const { orchestrator: next } = over(sqliteStore(file));
  const again = await next.ledger(taskId);
  const emissions = await next.documents(taskId);
  expect(await verifyLedger(again, { emissions })).toMatchObject({ intact: true, erased: 2, findings: [] });
  expect(replay(again, { emissions })).toMatchObject({ verdict: 'same', carriedOver: [{ from: '1' }] });
  expect(await next.task(taskId)).toMatchObject({ isSettled: true, request: {} });
});

it('names a task whose class is gone as refused, and goes on with the others', async () => {
  const taskClasses = charter.taskClasses.filter(({ id }) => id !== 'information');
  const { orchestrator, reader } = opened({ taskClasses });
  const { carriedOver, refused } = await orchestrator.recover();
  expect(refused).toMatchObject([{ taskId: fixtures.information.taskId, error: { code: 'not_found' } }]);
  expect(carriedOver).toHaveLength(openNames.length - 1);
  expect(await newsOf(reader, 'information')).toEqual([]);
});

it('goes on with its own tasks beside them', async () => {
  const { orchestrator } = opened();
  const { taskId } = await orchestrator.submit({ taskClass: 'delivered', payload: {}, identity });
  expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
});
