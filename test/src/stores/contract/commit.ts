import { describe, expect, it } from 'vitest';
import { digest } from '../../../../src/base/canonical/digest.ts';
import {
  deadlineOf,
  emissionOf,
  erasureOf,
  evidence,
  other,
  saying,
  consumedApprovals,
  stepOf,
} from '../steps.ts';
import { connected, taskIds, type Open } from './database.ts';

/** Tests what a store keeps of a step and returns. */
export const keepsSteps = (open: Open): void => {
  it('returns a task as it was written', async () => {
    const store = connected(open());
    const brought = { payload: { deep: [1, null, 'ü😀\u0000'] }, met: null };
    const emissions = [emissionOf(evidence), saying('m-1'), emissionOf(other)];
    const deadlines = [deadlineOf('b', 5), deadlineOf('a', 5), deadlineOf('c', 9)];
    const intents = [{ kind: 'call' as const, key: 'k', tool: 'send' }];
    const first = stepOf(0, { brought, emissions, deadlines, intents, key: 'key' });
    const second = stepOf(1, { brought: { explanation: '' }, deadlines, intents });
    for (const step of [first, second]) expect(await store.commit(step)).toBe('ok');
    expect(await store.load('task')).toEqual({
      indexEntry: second.indexEntry,
      snapshot: 'snapshot 1',
      records: [first.record, second.record],
      emissions,
      deadlines,
      intents,
    });
  });

  it('keeps the snapshot when a record changes no state, and stores the rest of the step', async () => {
    const store = connected(open());
    await store.commit(stepOf(0, { deadlines: [deadlineOf('a', 5)] }));
    const step = stepOf(1, { snapshot: null, deadlines: [deadlineOf('a', 7)], indexEntry: { asking: 2 } });
    expect(await store.commit(step)).toBe('ok');
    const task = await store.load('task');
    expect(task?.snapshot).toBe('snapshot 0');
    expect(task?.indexEntry).toEqual(step.indexEntry);
    expect(task?.deadlines).toEqual([deadlineOf('a', 7)]);
  });

  it('rejects a task that begins without a snapshot', async () => {
    const store = connected(open());
    await expect(store.commit(stepOf(0, { snapshot: null }))).rejects.toThrow(TypeError);
    expect(await store.load('task')).toBeUndefined();
  });

  it('replaces deadlines and intents with those of the last step', async () => {
    const store = connected(open());
    const intents = [{ kind: 'rollback' as const, key: 'k', tool: 'send' }];
    const lists = [[], ['a', 'b'], ['a', 'b'], ['b', 'a'], ['a'], []];
    for (const [seq, ids] of lists.entries()) {
      const deadlines = ids.map((id) => deadlineOf(id, 5));
      await store.commit(stepOf(seq, { deadlines, intents: ids.length === 0 ? [] : intents }));
      const task = await store.load('task');
      expect(task?.deadlines).toEqual(deadlines);
      expect(task?.intents).toEqual(ids.length === 0 ? [] : intents);
    }
  });

  it('keeps tasks with unusual ids apart', async () => {
    const store = connected(open());
    const names = ['__proto__', 'constructor', 'a', '', 'a\u0000b', 'ü😀', '\ufeffa'];
    for (const taskId of names) expect(await store.commit(stepOf(0, { taskId, key: taskId }))).toBe('ok');
    expect(await taskIds(store)).toEqual(names);
    for (const taskId of names) {
      expect((await store.load(taskId))?.records.map((record) => record.taskId)).toEqual([taskId]);
      expect(await store.find({ key: taskId })).toEqual({ taskId, seq: 0 });
    }
  });

  it('returns nothing for an unknown task', async () => {
    const store = connected(open());
    expect(await store.load('nope')).toBeUndefined();
    expect(await store.taskIndex()).toEqual([]);
    expect(await store.find({ key: 'nope' })).toBeUndefined();
    expect(await store.find({ message: 'nope' })).toBeUndefined();
    expect(await store.due(Infinity)).toEqual({ taskIds: [], next: null });
  });

  it('isolates stored data from later changes by writers and readers', async () => {
    const store = connected(open());
    const [document, deadline] = [{ ...evidence }, { ...deadlineOf('a', 5) }];
    const step = stepOf(0, { emissions: [emissionOf(document)], deadlines: [deadline] });
    const written = structuredClone(step);
    await store.commit(step);
    document.source = 'elsewhere';
    deadline.at = 1;
    const read = (await store.load('task'))!;
    for (const part of [read.indexEntry, read.records[0], read.emissions[0], read.deadlines[0]]) {
      for (const name of Object.keys(part!)) Reflect.set(part!, name, null);
    }
    expect(await store.load('task')).toMatchObject({
      indexEntry: written.indexEntry,
      records: [written.record],
      emissions: written.emissions,
      deadlines: written.deadlines,
    });
  });
};

const steps = [0, 1, 3, -1, 1.5, Number.NaN];

/** Tests when a store rejects a step, and that it then writes nothing. */
export const refusesSteps = (open: Open): void => {
  it.each(steps)(
    'returns conflict for a sequence number that is not the next, and writes nothing: %d',
    async (seq) => {
      const store = connected(open());
      await store.commit(stepOf(0, { emissions: [emissionOf(evidence)] }));
      await store.commit(stepOf(1));
      const before = await store.load('task');
      const step = stepOf(2, { key: 'key', emissions: [saying('m')], deadlines: [deadlineOf('a', 1)] });
      const late = { ...step, record: { ...step.record, seq }, ...consumedApprovals('token', 'a') };
      expect(await store.commit(late)).toBe('conflict');
      expect(await store.erase({ ...late, key: null }, digest(evidence))).toBe('conflict');
      expect(await store.load('task')).toEqual(before);
      expect(await store.find({ key: 'key' })).toBeUndefined();
      expect(await store.find({ message: 'm' })).toBeUndefined();
      expect(await store.due(5)).toEqual({ taskIds: [], next: null });
      expect(await store.commit(stepOf(2, { key: 'key', ...consumedApprovals('token', 'b') }))).toBe('ok');
    },
  );

  it('returns duplicate for a key that any task used, and writes nothing', async () => {
    const store = connected(open());
    expect(await store.commit(stepOf(0, { key: 'key' }))).toBe('ok');
    const before = await store.load('task');
    expect(await store.commit(stepOf(1, { key: 'key', ...consumedApprovals('token', 'a') }))).toBe(
      'duplicate',
    );
    expect(await store.commit(stepOf(0, { key: 'key', taskId: 'two' }))).toBe('duplicate');
    expect(await store.load('task')).toEqual(before);
    expect(await taskIds(store)).toEqual(['task']);
    expect(await store.find({ key: 'key' })).toEqual({ taskId: 'task', seq: 0 });
    expect(await store.commit(stepOf(1, { key: 'next', ...consumedApprovals('token', 'b') }))).toBe('ok');
  });

  it('accepts many steps without a key', async () => {
    const store = connected(open());
    for (const seq of [0, 1, 2]) expect(await store.commit(stepOf(seq, { key: null }))).toBe('ok');
  });

  it('returns the first that applies: duplicate, conflict, spent', async () => {
    const store = connected(open());
    await store.commit(stepOf(0, { key: 'key', ...consumedApprovals('token', 'a') }));
    expect(await store.commit(stepOf(0, { key: 'key', ...consumedApprovals('token', 'b') }))).toBe(
      'duplicate',
    );
    expect(await store.commit(stepOf(0, { key: 'new', ...consumedApprovals('token', 'b') }))).toBe(
      'conflict',
    );
    expect(await store.commit(stepOf(1, { key: 'new', ...consumedApprovals('token', 'b') }))).toBe('spent');
    expect(await store.commit(stepOf(1, { key: 'new', ...consumedApprovals('token', 'a') }))).toBe('ok');
  });

  it('accepts one of two simultaneous steps', async () => {
    const store = connected(open());
    const answers = await Promise.all([store.commit(stepOf(0)), store.commit(stepOf(0))]);
    expect(answers.toSorted()).toEqual(['conflict', 'ok']);
  });

  it('writes nothing of a step that it cannot write in full', async () => {
    const store = connected(open());
    await store.commit(stepOf(0));
    const before = await store.load('task');
    const step = stepOf(1, {
      key: 'key',
      deadlines: [deadlineOf('a', 5)],
      ...consumedApprovals('token', 'a'),
    });
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    const emissions = [saying('m'), emissionOf({ ...evidence, payload: cycle })];
    await expect(store.commit({ ...step, emissions })).rejects.toThrow(TypeError);
    expect(await store.load('task')).toEqual(before);
    expect(await store.due(5)).toEqual({ taskIds: [], next: null });
    expect(await store.commit({ ...step, ...consumedApprovals('token', 'b') })).toBe('ok');
  });
};

/** Tests that an approval serves one action. */
export const spendsApprovals = (open: Open): void => {
  describe('with approvals', () => {
    it('returns spent for an approval that another action of the task used, and writes nothing', async () => {
      const store = connected(open());
      expect(await store.commit(stepOf(0, consumedApprovals('token', 'a')))).toBe('ok');
      const before = await store.load('task');
      const step = stepOf(1, { ...consumedApprovals('token', 'b'), emissions: [saying('m')], key: 'key' });
      expect(await store.commit(step)).toBe('spent');
      expect(await store.load('task')).toEqual(before);
      expect(await store.find({ key: 'key' })).toBeUndefined();
    });

    it('returns spent for an approval that another task used, and creates no task', async () => {
      const store = connected(open());
      await store.commit(stepOf(0, consumedApprovals('token', 'a')));
      expect(await store.commit(stepOf(0, { taskId: 'two', ...consumedApprovals('token', 'b') }))).toBe(
        'spent',
      );
      expect(await taskIds(store)).toEqual(['task']);
      expect(await store.commit(stepOf(0, { taskId: 'two' }))).toBe('ok');
    });

    it('accepts the same action again as a retry', async () => {
      const store = connected(open());
      for (const seq of [0, 1])
        expect(await store.commit(stepOf(seq, consumedApprovals('token', 'a')))).toBe('ok');
    });

    it.each([
      ['the same', 1],
      ['an earlier', 0],
    ])('returns spent for the same action in another copy of its task, at %s place', async (_, seq) => {
      const store = connected(open());
      for (const at of [0, 1]) {
        await store.commit(stepOf(at, { taskId: 'copy', ...(at === 1 && consumedApprovals('token', 'a')) }));
        if (at < seq) await store.commit(stepOf(at));
      }
      const before = await store.load('task');
      expect(await store.commit(stepOf(seq, { ...consumedApprovals('token', 'a'), key: 'key' }))).toBe(
        'spent',
      );
      expect(await store.load('task')).toEqual(before);
      expect(await store.find({ key: 'key' })).toBeUndefined();
      expect(await store.commit(stepOf(seq))).toBe('ok');
    });

    it('accepts the same action only after the place of its last use', async () => {
      const store = connected(open());
      for (const at of [0, 1, 2])
        await store.commit(stepOf(at, { taskId: 'copy', ...consumedApprovals('token', 'a') }));
      for (const at of [0, 1, 2]) {
        expect(await store.commit(stepOf(at, consumedApprovals('token', 'a')))).toBe('spent');
        expect(await store.commit(stepOf(at))).toBe('ok');
      }
      expect(await store.commit(stepOf(3, consumedApprovals('token', 'a')))).toBe('ok');
      expect(await store.commit(stepOf(3, { taskId: 'copy', ...consumedApprovals('token', 'a') }))).toBe(
        'spent',
      );
    });

    it('accepts an approval that one step names twice for one action', async () => {
      const store = connected(open());
      const twice = ['a', 'a'].map((action) => ({ jti: 'token', action }));
      for (const seq of [0, 1])
        expect(await store.commit(stepOf(seq, { consumedApprovals: twice }))).toBe('ok');
      expect(await store.commit(stepOf(0, { taskId: 'two', consumedApprovals: twice }))).toBe('spent');
    });

    it('advances no approval in a step that is spent', async () => {
      const store = connected(open());
      await store.commit(
        stepOf(0, {
          consumedApprovals: [
            ...consumedApprovals('one', 'a').consumedApprovals,
            ...consumedApprovals('two', 'b').consumedApprovals,
          ],
        }),
      );
      const moved = {
        consumedApprovals: [
          ...consumedApprovals('one', 'a').consumedApprovals,
          ...consumedApprovals('two', 'c').consumedApprovals,
        ],
      };
      await store.commit(stepOf(1));
      expect(await store.commit(stepOf(2, moved))).toBe('spent');
      await store.commit(stepOf(0, { taskId: 'copy' }));
      expect(await store.commit(stepOf(1, { taskId: 'copy', ...consumedApprovals('one', 'a') }))).toBe('ok');
    });

    it('uses up no approval in a step that is spent', async () => {
      const store = connected(open());
      await store.commit(stepOf(0, consumedApprovals('old', 'a')));
      const both = { jti: 'new', action: 'b' };
      expect(await store.commit(stepOf(1, { consumedApprovals: [both, { jti: 'old', action: 'b' }] }))).toBe(
        'spent',
      );
      expect(await store.commit(stepOf(1, consumedApprovals('new', 'c')))).toBe('ok');
    });

    it('returns spent for a step that uses one approval for two actions', async () => {
      const store = connected(open());
      const twice = ['a', 'b'].map((action) => ({ jti: 'token', action }));
      expect(await store.commit(stepOf(0, { consumedApprovals: twice }))).toBe('spent');
      expect(await taskIds(store)).toEqual([]);
    });

    it.each(['token', '__proto__', 'constructor', ''])(
      'accepts one of two simultaneous tasks that use one approval: %j',
      async (jti) => {
        const store = connected(open());
        const answers = await Promise.all(
          ['one', 'two'].map((taskId) =>
            store.commit(stepOf(0, { taskId, ...consumedApprovals(jti, taskId) })),
          ),
        );
        expect(answers.toSorted()).toEqual(['ok', 'spent']);
        expect(await taskIds(store)).toHaveLength(1);
      },
    );
  });
};

/** Creates two tasks with the same evidence. */
const filled = async (open: Open) => {
  const store = connected(open());
  const emissions = [emissionOf(evidence), emissionOf(other)];
  await store.commit(stepOf(0, { brought: { payload: evidence, explanation: 'why' }, emissions }));
  await store.commit(stepOf(1, { brought: { evidence } }));
  await store.commit(stepOf(0, { taskId: 'two', brought: { evidence }, emissions }));
  return store;
};

/** Tests that a document is removed from its task and nowhere else. */
export const erases = (open: Open): void => {
  describe('when erasing', () => {
    it('removes the document from every record and emission of the task, and keeps its digest', async () => {
      const store = await filled(open);
      const erasure = erasureOf(2, digest(evidence));
      expect(await store.erase(erasure, digest(evidence))).toBe('ok');
      const task = (await store.load('task'))!;
      expect(task.records.map(({ brought }) => brought)).toEqual([{ explanation: 'why' }, {}, {}]);
      expect(task.records[1]?.documents).toEqual({ evidence: digest(evidence) });
      expect(task.records[2]).toEqual(erasure.record);
      expect(task.emissions).toEqual([emissionOf(other)]);
      expect(task.snapshot).toBe('snapshot 1');
      expect(task.indexEntry).toEqual(erasure.indexEntry);
    });

    it('leaves other tasks unchanged', async () => {
      const store = await filled(open);
      await store.erase(erasureOf(2, digest(evidence)), digest(evidence));
      const two = await store.load('two');
      expect(two?.records[0]?.brought).toEqual({ evidence });
      expect(two?.emissions).toHaveLength(2);
    });

    it('continues afterwards, and records the erasure of an unknown digest', async () => {
      const store = await filled(open);
      const nowhere = digest('nowhere');
      expect(await store.erase(erasureOf(2, nowhere), nowhere)).toBe('ok');
      expect(await store.commit(stepOf(3, { brought: { evidence } }))).toBe('ok');
      const names = (await store.load('task'))?.records.map(({ brought }) => Object.keys(brought).toSorted());
      expect(names).toEqual([['explanation', 'payload'], ['evidence'], [], ['evidence']]);
    });

    it('no longer finds an erased message, and finds the others', async () => {
      const store = connected(open());
      const [gone, kept] = [saying('m', 'erased'), saying('m', 'kept')];
      await store.commit(stepOf(0, { emissions: [gone, saying('n')] }));
      await store.commit(stepOf(1, { emissions: [kept] }));
      const erased = digest(gone.document);
      expect(await store.erase(erasureOf(2, erased), erased)).toBe('ok');
      expect(await store.find({ message: 'm' })).toEqual({ taskId: 'task', seq: 1 });
      expect(await store.find({ message: 'n' })).toEqual({ taskId: 'task', seq: 0 });
      const last = digest(kept.document);
      expect(await store.erase(erasureOf(3, last), last)).toBe('ok');
      expect(await store.find({ message: 'm' })).toBeUndefined();
    });

    it('accepts one of a simultaneous step and erasure', async () => {
      const store = await filled(open);
      const answers = await Promise.all([
        store.commit(stepOf(2)),
        store.erase(erasureOf(2, digest(other)), digest(other)),
      ]);
      expect(answers.toSorted()).toEqual(['conflict', 'ok']);
    });
  });
};
