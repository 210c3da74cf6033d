import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { verifyLedger } from '../../../../src/core/ledger/verify.ts';
import type { Step, Store } from '../../../../src/base/ports/store.ts';
import { connect } from '../../../../src/stores/sqlite/connection.ts';
import { migrations } from '../../../../src/stores/sqlite/layout.ts';
import { bytesOfName, nameOfBytes } from '../../../../src/stores/sqlite/names.ts';
import { headIn, isPack, maxLength, pack, summaryIn, unpack } from '../../../../src/stores/sqlite/pack.ts';
import { createStore } from '../../../../src/stores/sqlite/store.ts';
import { createReader, createWriter, maxValueBytes } from '../../../../src/stores/sqlite/tokens.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { runs } from '../../base/canonical/generated.ts';
import { newFile } from '../folder.ts';
import { deadlineOf, emissionOf, erasureOf, evidence, other, saying, stepOf } from '../steps.ts';
import { eventually } from '../../../waits.ts';

/** Opens a store that packs tasks soon after they come to rest. */
const opened = (file: string, packAfter = 5): Store => {
  const store = createStore(file, 500, { timeout: 5_000, migrations }, packAfter);
  onTestFinished(() => store.close());
  return store;
};

const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

interface Row {
  readonly seq: number;
  readonly body: ArrayBuffer;
}

const inFile = <Result>(file: string, work: (connection: ReturnType<typeof connect>) => Result): Result => {
  const connection = connect(file, 1000);
  try {
    return work(connection);
  } finally {
    connection.close();
  }
};

const rowsIn = (file: string) =>
  inFile(
    file,
    (connection) =>
      connection.cells('SELECT seq, CAST(body AS BLOB) AS body FROM record ORDER BY seq') as readonly Row[],
  );

/** Waits until the rows of a file are these: the number of each one's last step, and whether it is a pack. */
const expectRows = (
  file: string,
  rows: readonly (readonly [seq: number, isPack: boolean])[],
): Promise<void> =>
  eventually(() => expect(rowsIn(file).map(({ seq, body }) => [seq, isPack(body)])).toEqual(rows));

const atRest = { indexEntry: { isOwed: false, asking: 1 } };

const steps = [
  stepOf(0, { brought: { evidence, explanation: 'why' }, emissions: [emissionOf(evidence)] }),
  stepOf(1, { snapshot: null, emissions: [saying('m-1')] }),
  stepOf(2, { ...atRest, emissions: [saying('m-2')], deadlines: [deadlineOf('a', 5), deadlineOf('b', 9)] }),
];

const filled = async (file: string): Promise<Store> => {
  const store = opened(file);
  for (const step of steps) await store.commit(step);
  await expectRows(file, [[2, true]]);
  return store;
};

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
const head = 'a1'.repeat(32);
const texts = fc.array(
  fc.oneof(
    hex(64),
    hex(32),
    fc.uuid(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.constantFrom(
      head,
      '2026-11-25T19:07:54.123Z',
      '2026-02-30T00:00:00.000Z',
      '01a2141c-5779-72f4-8cdc-3324cb964a56',
    ),
    fc.string({ unit: 'grapheme' }),
  ),
);

describe('A pack', () => {
  it('restores every text', () => {
    fc.assert(
      fc.property(texts, texts, (one, two) => {
        const given = [JSON.stringify(one), JSON.stringify(two)];
        const writer = createWriter(head);
        const written = given.map(writer.write);
        expect(written.map(createReader(writer.values(), head))).toEqual(given);
      }),
      runs(300),
    );
  });

  it('keeps values in its text that have no room beside it', () => {
    const digests = Array.from({ length: 2_100 }, (_, index) => digest(index).slice(7));
    const { write, values } = createWriter(head);
    const written = write(JSON.stringify(digests));
    expect(values().length).toBeLessThanOrEqual(maxValueBytes);
    expect(createReader(values(), head)(written)).toBe(JSON.stringify(digests));
  });

  it('restores names from their bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uuid(),
          hex(64).map((text) => `sha256:${text}`),
          fc.string(),
          hex(15),
          hex(31),
        ),
        (name) => {
          expect(nameOfBytes(bufferOf(bytesOfName(name)))).toBe(name);
        },
      ),
      runs(300),
    );
  });

  it('restores steps, what is beside them, and the digests that it leaves out', () => {
    const bodies = steps.map(({ record, emissions }) => ({ record, emissions }));
    const beside = { summary: '{"a":"ü"}', intents: '[]', deadlines: '[]', snapshot: null };
    const made = bufferOf(pack(bodies, beside) ?? new Uint8Array());
    expect(unpack(made)).toEqual({ beside, bodies });
    expect(summaryIn(made)).toBe(beside.summary);
    expect(headIn(made)).toBe(bodies.at(-1)?.record.hash);
    expect(unpack(bufferOf(pack(bodies, null) ?? new Uint8Array()))).toEqual({ beside: null, bodies });
  });

  it.each([null, 'snapshot 2', 'another snapshot'])(
    'restores the digests of snapshots beside %j',
    (snapshot) => {
      const bodies = steps.map(({ record, emissions }) => ({ record, emissions }));
      const beside = { summary: '{}', intents: '[]', deadlines: '[]', snapshot };
      expect(unpack(bufferOf(pack(bodies, beside) ?? new Uint8Array()))).toEqual({ beside, bodies });
    },
  );

  it('keeps the digests of a step that lost an emission in a layout before 4', () => {
    const { record } = stepOf(0, { emissions: [emissionOf(evidence), emissionOf(other)] });
    const bodies = [{ record, emissions: [emissionOf(other)] }];
    expect(unpack(bufferOf(pack(bodies, null) ?? new Uint8Array())).bodies).toEqual(bodies);
  });

  it.each(['\u0000', '\u0001', '\u0005 ', '\u0008', ''])(
    'is not made of a text that it could not restore: %j',
    (summary) => {
      expect(pack([stepOf(0)], { summary, intents: '[]', deadlines: '[]', snapshot: null })).toBeNull();
    },
  );
});

const bodyOf = ({ record, emissions }: Step) => ({ record, emissions });

describe('A task that rests', () => {
  it('has one row, and is loaded as it was committed', async () => {
    const file = newFile();
    const store = await filled(file);
    const [last] = steps.slice(-1);
    expect(await store.load('task')).toEqual({
      indexEntry: last?.indexEntry,
      snapshot: 'snapshot 2',
      records: steps.map(({ record }) => record),
      emissions: steps.flatMap(({ emissions }) => emissions),
      deadlines: last?.deadlines,
      intents: [],
    });
    expect(await store.taskIndex()).toEqual([last?.indexEntry]);
    expect(await store.due(5)).toEqual({ taskIds: ['task'], next: 9 });
    expect(await store.find({ message: 'm-1' })).toEqual({ taskId: 'task', seq: 1 });
  });

  it('goes on, and keeps the snapshot of its pack until there is another', async () => {
    const file = newFile();
    const store = await filled(file);
    await store.commit(stepOf(3, { snapshot: null }));
    expect(await store.load('task')).toMatchObject({ snapshot: 'snapshot 2', deadlines: [] });
    await store.commit(stepOf(4, { snapshot: null, ...atRest }));
    await expectRows(file, [
      [2, true],
      [4, true],
    ]);
    expect((await store.load('task'))?.snapshot).toBe('snapshot 2');
    await store.commit(stepOf(5));
    const task = await store.load('task');
    expect(task?.snapshot).toBe('snapshot 5');
    expect(task?.records.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('keeps steps apart that are too long to be packed', async () => {
    const file = newFile();
    const store = opened(file);
    await store.commit(stepOf(0, { brought: { explanation: 'long '.repeat(40_000) } }));
    await store.commit(stepOf(1));
    await store.commit(stepOf(2, atRest));
    await expectRows(file, [
      [0, false],
      [2, true],
    ]);
    expect((await store.load('task'))?.records).toHaveLength(3);
  });

  it('packs the steps of a long run while it goes on', async () => {
    const file = newFile();
    const store = opened(file);
    for (let seq = 0; seq < 70; seq += 1) await store.commit(stepOf(seq));
    const loose = [64, 65, 66, 67, 68, 69].map((seq) => [seq, false] as const);
    await expectRows(file, [[31, true], [63, true], ...loose]);
    expect((await store.load('task'))?.records).toHaveLength(70);
  });

  it('leaves no byte of an erased document', async () => {
    const file = newFile();
    const store = await filled(file);
    const [row] = rowsIn(file);
    const before = Buffer.from(row!.body).subarray(-100, -20);
    expect(readFileSync(`${file}-wal`).includes(before)).toBe(true);
    const summary = JSON.stringify(other);
    const erasure = erasureOf(3, digest(evidence), { indexEntry: { isOwed: false, summary } });
    expect(await store.erase(erasure, digest(evidence))).toBe('ok');
    for (const name of [file, `${file}-wal`]) expect(readFileSync(name).includes(before)).toBe(false);
    const packed = rowsIn(file).find(({ body }) => isPack(body));
    expect(JSON.stringify(unpack(packed!.body))).not.toContain('nobody else');
    expect(unpack(packed!.body).beside).toBeNull();
    const task = await store.load('task');
    expect(task).toMatchObject({ snapshot: 'snapshot 2', indexEntry: { summary, size: 4 } });
    expect(task?.records[0]?.documents).toEqual(steps[0]?.record.documents);
    expect(task?.records[0]?.brought).toEqual({ explanation: 'why' });
    expect(task?.emissions).toHaveLength(2);
  });

  it('is erased from although its pack is as long as a pack can be', async () => {
    const file = newFile();
    const store = opened(file);
    const faces = '\u{1f600}'.repeat(60_000); // two code units each, and one character of SQLite
    const stepWith = (length: number) =>
      stepOf(0, { ...atRest, brought: { explanation: 'w', reasons: [faces + 'x'.repeat(length)] } });
    const beside = { summary: '{"seq":0}', intents: '[]', deadlines: '[]', snapshot: 'snapshot 0' };
    let length = maxLength - JSON.stringify(bodyOf(stepWith(0))).length + 500;
    while (pack([bodyOf(stepWith(length))], beside) === null) length -= 1;
    await store.commit(stepWith(length));
    await expectRows(file, [[0, true]]);
    expect(await store.erase(erasureOf(1, digest('w')), digest('w'))).toBe('ok');
    const [record] = (await store.load('task'))?.records ?? [];
    expect(record?.brought).toEqual({ reasons: [faces + 'x'.repeat(length)] });
    expect(record?.documents).toEqual(stepWith(length).record.documents);
  });

  it('is read and erased from although an earlier version packed it', async () => {
    const file = newFile();
    writeFileSync(file, gunzipSync(readFileSync(new URL('./pack-1.db.gz', import.meta.url))));
    const versions = () => rowsIn(file).map(({ body }) => new Uint8Array(body)[0]);
    expect(versions()).toEqual([1]);
    const store = opened(file);
    const deadlines = [deadlineOf('a', 10), deadlineOf('b', 20)];
    const emissions = [emissionOf(evidence), saying('m-1')];
    const first = stepOf(0, { brought: { evidence, explanation: 'why' }, emissions, deadlines });
    const second = stepOf(1, { ...atRest, snapshot: null, emissions: [emissionOf(other)], deadlines });
    expect(await store.load('task')).toEqual({
      indexEntry: second.indexEntry,
      snapshot: 'snapshot 0',
      records: [first.record, second.record],
      emissions: [...emissions, ...second.emissions],
      deadlines,
      intents: [],
    });
    expect(await store.taskIndex()).toEqual([second.indexEntry]);
    expect(await store.due(10)).toEqual({ taskIds: ['task'], next: 20 });
    const erasure = erasureOf(2, digest(evidence), { indexEntry: { isOwed: false } });
    expect(await store.erase(erasure, digest(evidence))).toBe('ok');
    await eventually(() => expect(versions()).toEqual([2, 2]));
    const task = await store.load('task');
    expect(task).toMatchObject({
      snapshot: 'snapshot 0',
      records: [{ brought: { explanation: 'why' } }, {}, {}],
    });
    expect(task?.records[0]?.snapshot).toBe(first.record.snapshot);
  });

  it('is reported for every changed byte of its pack that changes what is loaded', async () => {
    const file = newFile();
    const store = await filled(file);
    const before = await store.load('task');
    await store.close();
    const [row] = rowsIn(file);
    const original = new Uint8Array(row!.body);
    const found = { broken: 0, findings: 0, beside: 0, same: 0 };
    for (const [at, byte] of original.entries()) {
      const changed = original.slice();
      changed[at] = byte ^ 0x10;
      inFile(file, (connection) => connection.run('UPDATE record SET body = ?', changed));
      const reader = sqliteStore(file);
      try {
        const task = await reader.load('task');
        const { intact } = await verifyLedger(task?.records ?? []);
        const { records, emissions, ...beside } = task!;
        if (!intact) found.findings += 1;
        else if (
          JSON.stringify(beside) !== JSON.stringify({ ...before, records: undefined, emissions: undefined })
        )
          found.beside += 1; // sealed by the last record of an orchestrator
        else {
          expect({ records, emissions }).toEqual({ records: before?.records, emissions: before?.emissions });
          found.same += 1;
        }
      } catch (error) {
        expect(error).toMatchObject({ code: 'task_corrupted' });
        found.broken += 1;
      }
      await reader.taskIndex();
      await reader.close();
    }
    expect(found.broken).toBeGreaterThan(100);
    expect(found.findings).toBeGreaterThan(50);
    expect(found.same).toBeLessThan(4);
  });
});
