import { describe, expect, it } from 'vitest';
import { hashOfProjection, sealRecord } from '../../../../src/core/kernel/seal.ts';
import { checkSeals } from '../../../../src/core/shell/rehydrate.ts';
import type { Step, Store } from '../../../../src/base/ports/store.ts';
import type { Connection } from '../../../../src/stores/sqlite/connection.ts';
import { packsOf } from '../../../../src/stores/sqlite/rest.ts';
import { entryOf } from '../../core/ledger/entry.ts';
import { newFile } from '../folder.ts';
import { stepOf, takeTasks } from '../steps.ts';
import { atRest, crashed, expectRows, inFile, never, opened, rest, rowsIn, soon } from './packing.ts';
import { eventually } from '../../../waits.ts';

/** Returns a step whose record is sealed after another. */
const sealed = (step: Step, previous: string | null): Step => {
  const entry = entryOf(step.record.seq, step.record.seq === 0 ? { to: 'submitted.intake' } : {});
  const { snapshot, emissions } = step;
  const record = sealRecord(entry, { previous, snapshot, emissions, beside: hashOfProjection(step) });
  return { ...step, record, indexEntry: { ...step.indexEntry, head: record.hash } };
};

/** Two steps whose records are chained as an orchestrator chains them; the task then rests. */
const chained = (): readonly [Step, Step] => {
  const first = sealed(stepOf(0), null);
  return [first, sealed(stepOf(1, atRest()), first.record.hash)];
};

const bodyOf = ({ record, emissions }: Step): string => JSON.stringify({ record, emissions });

describe('A task that was changed before it is packed', () => {
  const changes: Readonly<Record<string, (connection: Connection) => unknown>> = {
    'its head': (connection) =>
      connection.run('UPDATE record SET head = zeroblob(32) WHERE seq = 1 AND task = 1'),
    'its head, which is lost': (connection) =>
      connection.run('UPDATE record SET head = NULL WHERE seq = 1 AND task = 1'),
    'its last record, which was sealed again': (connection) => {
      const [{ record }, last] = chained();
      const entry = entryOf(1, { actor: { kind: 'human', id: 'someone else' } });
      const { snapshot, emissions } = last;
      const sealing = { previous: record.hash, snapshot, emissions, beside: hashOfProjection(last) };
      const forged = { ...last, record: sealRecord(entry, sealing) };
      connection.run('UPDATE record SET body = ? WHERE seq = 1 AND task = 1', bodyOf(forged));
    },
  };

  it.each(Object.entries(changes))('is reported afterwards: %s', async (_, change) => {
    const file = newFile();
    const first = opened(file, never);
    for (const step of chained()) expect(await first.commit(step)).toBe('ok');
    await rest(first, 'other');
    await checkSeals('task', (await first.load('task'))!);
    const left = crashed(file);
    inFile(left, change);
    const store = opened(left, soon);
    await takeTasks(store);
    await eventually(() => expect(rowsIn(left).at(-1)).toBe('1 packed'));
    await expect(checkSeals('task', (await store.load('task'))!)).rejects.toMatchObject({
      code: 'task_corrupted',
    });
  });
});

const kilo = 2 ** 10;

/** Commits steps whose records and summaries have about these lengths, after the last of which the task rests. */
const commitLong = async (store: Store, lengths: readonly (readonly [record: number, summary: number])[]) => {
  for (const [seq, [record, summary]] of lengths.entries())
    await store.commit(
      stepOf(seq, {
        brought: { explanation: 'x'.repeat(record) },
        indexEntry: { isOwed: seq < lengths.length - 1, summary: 's'.repeat(summary) },
      }),
    );
};

describe('Steps that are too much together with their summary', () => {
  it('are packed by halves', async () => {
    const file = newFile();
    const store = opened(file, soon);
    const [big, small] = [
      [80 * kilo, 20 * kilo],
      [40 * kilo, 20 * kilo],
    ] as const;
    await commitLong(store, [big, small]);
    await expectRows(file, ['0 packed', '1 packed']);
    expect((await store.load('task'))?.indexEntry.summary).toHaveLength(20 * kilo);
  });

  it('keep no later step from being packed', async () => {
    const file = newFile();
    const store = opened(file, soon);
    const [long, short] = [
      [120 * kilo, 20 * kilo],
      [10, 10],
    ] as const;
    await commitLong(store, [long, long, long, long, long, short, short]);
    await expectRows(file, ['0 alone', '1 alone', '2 alone', '3 alone', '6 packed']);
  });

  it('are not tried again in the next turn', async () => {
    const file = newFile();
    const long = [120 * kilo, 20 * kilo] as const;
    await commitLong(opened(file, never), [long, long, long]);
    const packable = (begin?: number) => inFile(file, (connection) => packsOf(connection, 'task', begin));
    expect(packable()).toEqual({ packs: [], more: 1 });
    expect(packable(1)).toEqual({ packs: [], more: null });
  });
});
