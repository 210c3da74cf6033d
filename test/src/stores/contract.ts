import { describe, expect, it } from 'vitest';
import type { EvidenceObject } from '../../../schema/index.ts';
import { digest } from '../../../src/canonical/digest.ts';
import { sealRecord } from '../../../src/ledger/seal.ts';
import type { Brought, LedgerEntry } from '../../../src/ports/ledger.ts';
import type { Step, Store } from '../../../src/ports/store.ts';
import { entryOf } from '../ledger/entry.ts';

const evidence: EvidenceObject = {
  evidence_id: 'e-1',
  evidence_type: 'tool_result',
  source: 'read',
  hash: 'sha256:0',
  collected_at: '2026-11-21T05:00:00Z',
  payload: { secret: 'a name' },
};
const other: EvidenceObject = { ...evidence, evidence_id: 'e-2' };
const emissionOf = (document: EvidenceObject) => ({ name: 'EvidenceObject' as const, document });

interface Given extends Partial<Omit<Step, 'record'>> {
  readonly brought?: Brought;
  readonly entry?: Partial<LedgerEntry>;
}

const stepOf = (seq: number, { brought = {}, entry, ...given }: Given = {}): Step => {
  const step = { taskId: 'task', snapshot: `snapshot ${seq}`, emissions: [], spends: [], ...given };
  const { taskId, snapshot, emissions } = step;
  const record = sealRecord(entryOf(seq, { taskId, brought, ...entry }), {
    previous: null,
    snapshot,
    emissions,
  });
  return { ...step, record };
};

const erasureOf = (seq: number, erased: string, given: Given = {}): Step =>
  stepOf(seq, { snapshot: null, entry: { kind: 'erasure', fact: null, erased }, ...given });

const spends = (jti: string, action: string) => ({ spends: [{ jti, action }] });

/** Two tasks that hold the same evidence. */
const filled = async (store: Store): Promise<Store> => {
  const emissions = [emissionOf(evidence), emissionOf(other)];
  await store.commit(stepOf(0, { brought: { payload: evidence, explanation: 'why' }, emissions }));
  await store.commit(stepOf(1, { brought: { evidence } }));
  await store.commit(stepOf(0, { taskId: 'two', brought: { evidence }, emissions }));
  return store;
};

/** What every store must do; `open` answers an empty one. */
export const storeContract = (name: string, open: () => Store | Promise<Store>): void => {
  describe(`a store ${name}`, () => {
    it('keeps the steps of a task in their order, and its last snapshot', async () => {
      const store = await open();
      for (const seq of [0, 1, 2]) expect(await store.commit(stepOf(seq))).toBe('ok');
      expect((await store.records('task')).map(({ seq }) => seq)).toEqual([0, 1, 2]);
      expect(await store.snapshot('task')).toBe('snapshot 2');
      expect(await store.tasks()).toEqual(['task']);
      await store.close();
    });

    it('gives back the record and the documents that it was given', async () => {
      const store = await open();
      const brought = { payload: { deep: [1, null, 'ü'] }, met: null };
      const emissions = [emissionOf(evidence), emissionOf(other)];
      const step = stepOf(0, { brought, emissions });
      await store.commit(step);
      expect(await store.records('task')).toEqual([step.record]);
      expect(await store.emissions('task')).toEqual(emissions);
      await store.close();
    });

    it.each([0, 1, 3, -1, 1.5])(
      'answers conflict where the number is not the next one, and writes nothing: %d',
      async (seq) => {
        const store = await open();
        await store.commit(stepOf(0, { emissions: [emissionOf(evidence)] }));
        await store.commit(stepOf(1));
        const given = { emissions: [emissionOf(other)], spends: [{ jti: 'token', action: 'a' }] };
        expect(await store.commit(stepOf(seq, given))).toBe('conflict');
        expect(await store.erase(erasureOf(seq, digest(evidence)), digest(evidence))).toBe('conflict');
        expect(await store.records('task')).toHaveLength(2);
        expect(await store.snapshot('task')).toBe('snapshot 1');
        expect(await store.emissions('task')).toEqual([emissionOf(evidence)]);
        const spends = [{ jti: 'token', action: 'b' }];
        expect(await store.commit(stepOf(2, { spends }))).toBe('ok');
        await store.close();
      },
    );

    it('lets one of two win that come at the same moment', async () => {
      const store = await open();
      const answers = await Promise.all([store.commit(stepOf(0)), store.commit(stepOf(0))]);
      expect(answers.toSorted()).toEqual(['conflict', 'ok']);
      await store.close();
    });

    it('keeps the snapshot where a record changed nothing', async () => {
      const store = await open();
      await store.commit(stepOf(0));
      await store.commit(stepOf(1, { snapshot: null }));
      expect(await store.snapshot('task')).toBe('snapshot 0');
      await store.close();
    });

    it('keeps tasks apart, whatever they are called', async () => {
      const store = await open();
      const names = ['__proto__', 'constructor', 'a', ''];
      for (const taskId of names) expect(await store.commit(stepOf(0, { taskId }))).toBe('ok');
      expect((await store.tasks()).toSorted()).toEqual(names.toSorted());
      expect((await store.records('a')).map(({ taskId }) => taskId)).toEqual(['a']);
      await store.close();
    });

    it('knows nothing of a task that is not there', async () => {
      const store = await open();
      expect(await store.records('nope')).toEqual([]);
      expect(await store.emissions('nope')).toEqual([]);
      expect(await store.snapshot('nope')).toBeUndefined();
      expect(await store.tasks()).toEqual([]);
      await store.close();
    });

    it('keeps what was written: neither its writer nor its readers can change it afterwards', async () => {
      const store = await open();
      const document = { ...evidence };
      await store.commit(stepOf(0, { emissions: [emissionOf(document)] }));
      document.source = 'elsewhere';
      for (const read of [...(await store.records('task')), ...(await store.emissions('task'))]) {
        Reflect.set(read, 'document', null);
        Reflect.set(read, 'brought', null);
      }
      expect((await store.records('task'))[0]?.brought).toEqual({});
      expect(await store.emissions('task')).toEqual([emissionOf(evidence)]);
      await store.close();
    });

    describe('with approvals', () => {
      it('answers spent where another action of the task used one, and writes nothing', async () => {
        const store = await open();
        expect(await store.commit(stepOf(0, spends('token', 'a')))).toBe('ok');
        const step = stepOf(1, { ...spends('token', 'b'), emissions: [emissionOf(evidence)] });
        expect(await store.commit(step)).toBe('spent');
        expect(await store.records('task')).toHaveLength(1);
        expect(await store.snapshot('task')).toBe('snapshot 0');
        expect(await store.emissions('task')).toEqual([]);
        await store.close();
      });

      it('answers spent where an action of another task used one, and knows no task of it', async () => {
        const store = await open();
        await store.commit(stepOf(0, spends('token', 'a')));
        expect(await store.commit(stepOf(0, { taskId: 'two', ...spends('token', 'b') }))).toBe('spent');
        expect(await store.tasks()).toEqual(['task']);
        expect(await store.commit(stepOf(0, { taskId: 'two' }))).toBe('ok');
        await store.close();
      });

      it('lets the same action use one again: a retry', async () => {
        const store = await open();
        for (const seq of [0, 1]) expect(await store.commit(stepOf(seq, spends('token', 'a')))).toBe('ok');
        await store.close();
      });

      it('uses up none of a step where one was spent', async () => {
        const store = await open();
        await store.commit(stepOf(0, spends('old', 'a')));
        const both = { jti: 'new', action: 'b' };
        expect(await store.commit(stepOf(1, { spends: [both, { jti: 'old', action: 'b' }] }))).toBe('spent');
        expect(await store.commit(stepOf(1, spends('new', 'c')))).toBe('ok');
        await store.close();
      });

      it('answers spent where one step uses one for two actions', async () => {
        const store = await open();
        const twice = ['a', 'b'].map((action) => ({ jti: 'token', action }));
        expect(await store.commit(stepOf(0, { spends: twice }))).toBe('spent');
        expect(await store.tasks()).toEqual([]);
        await store.close();
      });

      it('lets one of two tasks win that come at the same moment, whatever the approval is called', async () => {
        for (const jti of ['token', '__proto__', 'constructor', '']) {
          const store = await open();
          const answers = await Promise.all(
            ['one', 'two'].map((taskId) => store.commit(stepOf(0, { taskId, ...spends(jti, taskId) }))),
          );
          expect(answers.toSorted()).toEqual(['ok', 'spent']);
          expect(await store.tasks()).toHaveLength(1);
          await store.close();
        }
      });
    });

    describe('that is asked to erase', () => {
      it('takes the document out of every record and emission of the task, and keeps its digest', async () => {
        const store = await filled(await open());
        const erasure = erasureOf(2, digest(evidence));
        expect(await store.erase(erasure, digest(evidence))).toBe('ok');
        const records = await store.records('task');
        expect(records.map(({ brought }) => brought)).toEqual([{ explanation: 'why' }, {}, {}]);
        expect(records[1]?.documents).toEqual({ evidence: digest(evidence) });
        expect(records[2]).toEqual(erasure.record);
        expect(await store.emissions('task')).toEqual([emissionOf(other)]);
        expect(await store.snapshot('task')).toBe('snapshot 1');
        await store.close();
      });

      it('leaves other tasks alone', async () => {
        const store = await filled(await open());
        await store.erase(erasureOf(2, digest(evidence)), digest(evidence));
        expect((await store.records('two'))[0]?.brought).toEqual({ evidence });
        expect(await store.emissions('two')).toHaveLength(2);
        await store.close();
      });

      it('goes on after it, and records what was not there', async () => {
        const store = await filled(await open());
        const nowhere = digest('nowhere');
        expect(await store.erase(erasureOf(2, nowhere), nowhere)).toBe('ok');
        expect(await store.commit(stepOf(3, { brought: { evidence } }))).toBe('ok');
        const records = await store.records('task');
        expect(records.map(({ brought }) => Object.keys(brought))).toEqual([
          ['payload', 'explanation'],
          ['evidence'],
          [],
          ['evidence'],
        ]);
        await store.close();
      });

      it('lets one of two win that come at the same moment', async () => {
        const store = await filled(await open());
        const answers = await Promise.all([
          store.commit(stepOf(2)),
          store.erase(erasureOf(2, digest(other)), digest(other)),
        ]);
        expect(answers.toSorted()).toEqual(['conflict', 'ok']);
        await store.close();
      });
    });
  });
};
