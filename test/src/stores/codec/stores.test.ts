import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { codingOf } from '../../../../src/stores/codec.ts';
import { verifyLedger } from 'agentcharter/ledger';
import { aesCodec, type Codec } from 'agentcharter/stores';
import { digest } from '../../../../src/base/canonical/digest.ts';
import type { Store } from '../../../../src/base/ports/store.ts';
import { answer, openBank } from '../../guard/bank.ts';
import { deadlineOf, emissionOf, erasureOf, evidence, saying, stepOf, takeTasks } from '../steps.ts';
import { both, first, keyOf, keys, places, second, useCluster, type Place } from './places.ts';

useCluster();

const secret = 'a name that nobody else has'; // of `evidence`

const canaries = [
  'canary-request',
  'canary-result',
  'canary-argument',
  'canary-state',
  'canary-answer',
  'canary-conclusion',
];

/** Runs a task whose request, result, question, answer, state and conclusion each have a canary. */
const runTask = async (place: Place, codec?: Codec): Promise<string> => {
  const blobs = { store: place.openBlobs(codec), above: 4_096 };
  const bank = openBank({}, { store: place.open(codec), blobs });
  const { orchestrator } = bank.guard;
  await orchestrator.recover();
  const identity = { agent_id: 'teller', owner_id: 'acme', control_class: 'human-supervised' } as const;
  const payload = { for: 'canary-request' };
  const run = await bank.guard.begin({ taskClass: 'job', payload, identity });
  await run.call('read', { of: `canary-result ${'of many words '.repeat(1_000)}` });
  await run.saveState({ said: 'canary-state' });
  expect(await run.call('pay', { to: 'canary-argument' })).toMatchObject({ status: 'paused' });
  await answer(bank, run, { type: 'instruction', content: { text: 'canary-answer' } });
  await run.conclude({ payload: { said: 'canary-conclusion' } });
  return run.taskId;
};

const foundIn = (raw: Buffer): readonly string[] => canaries.filter((canary) => raw.includes(canary));

/** Two steps of a task that rests, and one of a task that does not. */
const fill = async (store: Store): Promise<void> => {
  if (store.lease === Infinity) await takeTasks(store); // it then packs what rests when it closes
  const deadlines = [deadlineOf('q', 9)];
  const steps = [
    stepOf(0, { brought: { evidence }, emissions: [emissionOf(evidence), saying('m-1')] }),
    stepOf(1, { snapshot: null, deadlines, indexEntry: { isOwed: false, asking: 1 } }),
    stepOf(0, { taskId: 'other', key: 'key', brought: { evidence } }),
  ];
  for (const step of steps) expect(await store.commit(step)).toBe('ok');
};

/** Returns all that a store gives of the tasks of `fill`. */
const contentsOf = async (store: Store): Promise<object> => ({
  tasks: [await store.load('task'), await store.load('other')],
  index: await store.taskIndex(),
  due: await store.due(9),
  stalled: await store.stalled(2e12, 9),
  copy: await store.transfer.readTask('task'),
});

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

const unusable = (...words: readonly string[]) =>
  expect.objectContaining({
    code: 'store_unusable',
    message: expect.stringMatching(new RegExp(words.join('[^]*'))),
  });

/** Returns the errors of all that reads what is encoded. */
const errorsOf = async (store: Store): Promise<readonly unknown[]> => [
  await errorOf(store.load('task')),
  await errorOf(store.taskIndex()),
  await errorOf(store.stalled(2e12, 9)),
  await errorOf(store.transfer.readTask('task')),
];

const four = (error: unknown): readonly unknown[] => [error, error, error, error];

describe.each(places)('a codec of a store in %s', (_, open) => {
  it('leaves nothing readable of a payload, an answer, a result or a state', async () => {
    const place = open();
    const taskId = await runTask(place, first);
    expect(foundIn(await place.raw())).toEqual([]);
    const store = place.open(first);
    const stored = await store.load(taskId);
    const verified = await verifyLedger(stored!.records, {
      emissions: stored!.emissions,
      blobs: place.openBlobs(first),
    });
    expect(verified).toMatchObject({ intact: true, findings: [], blobs: { named: 1, notKeptHere: [] } });
    expect(JSON.stringify(stored)).toContain('canary-answer');
  });

  it('encodes everything with content, of a step, an erasure and a copy', async () => {
    const [place, target] = [open(), open()];
    const store = place.open(first);
    await fill(store);
    expect(await place.beginnings()).toEqual(new Set(['%e1:']));
    expect(await store.erase(erasureOf(2, digest(evidence)), digest(evidence))).toBe('ok');
    expect(await place.beginnings()).toEqual(new Set(['%e1:']));
    const copy = await store.transfer.readTask('task');
    expect(await target.open(both).transfer.writeTask(copy!)).toBe('ok');
    expect(await target.beginnings()).toEqual(new Set(['%e1:']));
    expect(await target.open(second).load('task')).toEqual(await store.load('task'));
  });

  it('is what hides them: without one they are found', async () => {
    const place = open();
    await runTask(place);
    expect(foundIn(await place.raw())).toEqual(canaries);
  });

  it('gives what was stored, to the next process too', async () => {
    const [plain, place] = [open().open(), open()];
    await fill(plain);
    const store = place.open(first);
    await fill(store);
    const contents = await contentsOf(plain);
    expect(await contentsOf(store)).toEqual(contents);
    await store.close(); // a file is packed
    expect(foundIn(await place.raw())).toEqual([]);
    expect(await contentsOf(place.open(first))).toEqual(contents);
  });

  it('reads what an older key encoded, and encodes with the current one', async () => {
    const place = open();
    const before = place.open(first);
    await fill(before);
    await before.close();
    const rotated = place.open(both);
    expect(await rotated.commit(stepOf(2, { snapshot: 'rotated' }))).toBe('ok');
    expect(await rotated.commit(stepOf(0, { taskId: 'new' }))).toBe('ok');
    const stored = await rotated.load('task');
    expect(stored?.records).toHaveLength(3);
    expect(stored?.snapshot).toBe('rotated');
    await rotated.close();
    expect(await place.open(both).load('task')).toEqual(stored);
    const without = place.open(second);
    expect(await errorOf(without.load('task'))).toEqual(unusable('key "k1" is missing', 'add that key'));
    expect((await without.load('new'))?.snapshot).toBe('snapshot 0');
    await without.close();
  });

  it('reads rows from before it', async () => {
    const place = open();
    const plain = place.open();
    await fill(plain);
    const contents = await contentsOf(plain);
    await plain.close();
    const store = place.open(first);
    expect(await contentsOf(store)).toEqual(contents);
    await store.commit(stepOf(2, { brought: { evidence }, indexEntry: { isOwed: false } }));
    const stored = await store.load('task');
    expect(stored?.records).toHaveLength(3);
    await store.close(); // a file packs the plain and the encoded steps together
    expect(await place.open(first).load('task')).toEqual(stored);
  });

  it('is asked for by whoever opens an encoded store without it', async () => {
    const place = open();
    const store = place.open(first);
    await fill(store);
    const error = unusable('it is encoded', 'option `codec`');
    expect(await errorsOf(place.open())).toEqual(four(error));
    await store.close();
    expect(await errorsOf(place.open())).toEqual(four(error));
  });

  it('is asked for the key that it lacks', async () => {
    const place = open();
    const store = place.open(first);
    await fill(store);
    const error = unusable('key "k1" is missing, it has k2');
    expect(await errorsOf(place.open(second))).toEqual(four(error));
    await store.close();
    expect(await errorsOf(place.open(second))).toEqual(four(error));
  });

  it.each([
    [
      'another key of the same name',
      aesCodec({ keys: { k1: keyOf(3) }, current: 'k1' }),
      'key "k1" is not the one that encoded it',
    ],
    ['no codec', undefined, 'it is encoded'],
  ])('is not written to with %s, nor is it pruned', async (_name, codec, why) => {
    const place = open();
    const store = place.open(first);
    await fill(store);
    await store.close();
    const wrong = place.open(codec);
    const refused = { code: 'store_unusable', message: expect.stringContaining(why) };
    expect(await errorOf(wrong.commit(stepOf(0, { taskId: 'new' })))).toMatchObject(refused);
    expect(await errorOf(wrong.prune([{ taskId: 'other', size: 1 }], 9))).toMatchObject(refused);
    expect(await errorOf(wrong.taskIndex())).toMatchObject(refused);
    const right = place.open(first);
    expect((await right.taskIndex()).map(({ taskId }) => taskId)).toEqual(['task', 'other']);
  });

  it('keeps nobody out whose newest record is damaged alone', () => {
    const { check, text } = codingOf(first, 'store');
    const damaged = text('a').replace(/.{4}$/, 'AAAA');
    expect(() => check([damaged, text('b')])).not.toThrow();
    expect(() => check([damaged])).toThrow('of what was written last, it cannot be decoded: key "k1"');
    expect(() => check([])).not.toThrow();
  });

  it.each([true, false])('reports a changed byte; packed: %s', async (isPacked) => {
    const place = open();
    const store = place.open(first);
    await fill(store);
    if (isPacked) await store.close();
    const next = isPacked ? place.open(first) : store;
    await next.counts(); // where nothing can be read, it is not opened
    await place.damage();
    const changed = { code: 'task_corrupted', message: expect.stringContaining('cannot be decoded: key') };
    expect(await errorOf(next.load('task'))).toMatchObject(changed);
    expect(await errorOf(next.transfer.readTask('task'))).toMatchObject(changed);
    expect(await errorOf(next.load('other'))).toMatchObject(changed);
    expect(await next.taskIndex()).toHaveLength(2);
    expect(await next.due(9)).toMatchObject({ taskIds: ['task'] });
  });

  it.each([true, false])('erases a document of encoded steps; packed: %s', async (isPacked) => {
    const place = open();
    const store = place.open(first);
    await fill(store);
    if (isPacked) await store.close();
    const next = isPacked ? place.open(both) : store;
    expect(await next.erase(erasureOf(2, digest(evidence)), digest(evidence))).toBe('ok');
    const stored = await next.load('task');
    expect(stored?.emissions).toEqual([saying('m-1')]);
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(stored?.records.map(({ brought }) => Object.keys(brought))).toEqual([[], [], []]);
    await next.close();
    const raw = await place.raw();
    expect(raw.includes(secret)).toBe(false);
    expect(await place.open(both).load('task')).toEqual(stored);
  });

  it('that returns a promise is refused before anything is written', async () => {
    const later = { encode: async (plain: Uint8Array) => plain, decode: async () => new Uint8Array() };
    const place = open();
    const store = place.open(later as unknown as Codec); // from JavaScript
    await expect(store.commit(stepOf(0))).rejects.toThrow('encode of the codec must return a Uint8Array');
    expect(await store.taskIndex()).toEqual([]);
    const blobs = place.openBlobs(later as unknown as Codec); // from JavaScript
    await expect(blobs.put('task', 'sha256:0', Buffer.from('bytes'))).rejects.toThrow('no promise');
  });

  it('is refused if it has no functions', () => {
    expect(() => open().open({ encode: 1 } as unknown as Codec)).toThrow(
      expect.objectContaining({ code: 'definition_invalid', message: expect.stringContaining('/codec') }),
    );
    expect(() => open().openBlobs(keys as unknown as Codec)).toThrow(
      expect.objectContaining({ code: 'definition_invalid', message: expect.stringContaining('aesCodec') }),
    );
  });
});

describe.each(places)('a codec of large values in %s', (_, open) => {
  const bytes = new Uint8Array(Buffer.from('canary-result '.repeat(100)));
  const name = `sha256:${hash('sha256', bytes)}`;

  it('hides them, and gives them back under every key that it has', async () => {
    const place = open();
    await place.openBlobs(first).put('task', name, bytes);
    place.open(first);
    expect(await place.openBlobs(both).get('task', name)).toEqual(bytes);
    const others = { code: 'store_unusable' };
    await expect(place.openBlobs().get('task', name)).rejects.toMatchObject({
      ...others,
      message: expect.stringContaining('option `codec`'),
    });
    await expect(place.openBlobs(second).get('task', name)).rejects.toMatchObject({
      ...others,
      message: expect.stringContaining('key "k1" is missing'),
    });
    const wrong = aesCodec({ keys: { k1: keyOf(3) }, current: 'k1' });
    await expect(place.openBlobs(wrong).get('task', name)).rejects.toMatchObject({
      ...others,
      message: expect.stringContaining(`${name} of task task: it cannot be decoded`),
    });
  });

  it('reads those from before it, also what begins as encoded bytes do', async () => {
    const place = open();
    const plain = place.openBlobs();
    const odd = new Uint8Array(Buffer.from('%b1:odd'));
    const oddName = `sha256:${hash('sha256', odd)}`;
    await plain.put('task', name, bytes);
    await plain.put('task', oddName, odd);
    for (const blobs of [plain, place.openBlobs(first)]) {
      expect(await blobs.get('task', name)).toEqual(bytes);
      expect(await blobs.get('task', oddName)).toEqual(odd);
    }
    const coded = place.openBlobs(first);
    await coded.put('other', oddName, odd);
    expect(await coded.get('other', oddName)).toEqual(odd);
  });
});
