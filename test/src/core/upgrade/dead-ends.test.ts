import { describe, expect, it } from 'vitest';
import { chartVersion } from '../../../../machines/index.ts';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { createOrchestrator, type Store } from '../../../../src/index.ts';
import { readCarriedOver } from '../../../../src/core/ledger/carry-over.ts';
import { hashOfProjection } from '../../../../src/core/kernel/seal.ts';
import { verifyLedger } from '../../../../src/core/ledger/verify.ts';
import { tryCarryOver } from '../../../../src/core/upgrade/carry-over.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import type { StoredTask } from '../../../../src/base/ports/store.ts';
import { memoryStore } from '../../../../src/stores/memory.ts';
import { charter, identity } from '../../../fixtures/chart-1/charter.ts';
import { copyInto, ledgerLines, stranded } from '../../../fixtures/chart-1/fixtures.ts';
import { strandedCharter } from '../../../fixtures/chart-1/stranded/charter.ts';
import { sealedAnew } from '../ledger/made.ts';
import { settle } from '../shell/simulated-clock.ts';

/** A task of this version as it is stored, as if another chart had written it, with changes that its seals cover. */
const older = async (
  taskClass: string,
  change: (task: StoredTask) => StoredTask = (task) => task,
  chart = '0',
): Promise<StoredTask> => {
  const store = memoryStore();
  const orchestrator = createOrchestrator({ ...charter, store });
  const { taskId } = await orchestrator.submit({ taskClass, payload: {}, identity });
  await settle();
  await settle();
  const task = await store.load(taskId);
  await orchestrator.close();
  if (task === undefined) throw new Error('it was not stored');
  const [opening, ...others] = task.records;
  const begun = {
    ...opening!,
    brought: { ...opening!.brought, chart },
    documents: { ...opening!.documents, chart: digest(chart) },
  };
  const changed = change({ ...task, records: [begun, ...others] });
  const beside = hashOfProjection(changed);
  const last = changed.records.length - 1;
  const records = sealedAnew(
    changed.records.map((record, at) => (at === last ? { ...record, beside } : record)),
  );
  return { ...changed, records, indexEntry: { ...changed.indexEntry, head: records.at(-1)!.hash } };
};

const isAsking = (document: object): boolean =>
  'state' in document && document.state === 'needsHumanDecision';

const obstacleOf = (obstacle: object) => ({ code: 'chart_unknown', details: { version: '0', obstacle } });

describe('a task whose facts are all accepted', () => {
  it.each(['question', 'delivered'])('carries over while it is open: "%s"', async (taskClass) => {
    const task = await older(taskClass);
    const carried = tryCarryOver(task, '0');
    if (taskClass === 'question') expect((await carried).upgrade.from.chart).toBe('0');
    else await expect(carried).rejects.toMatchObject(obstacleOf({ code: 'settles' }));
  });

  it('stays where it waits for an answer to what was never asked', async () => {
    const task = await older('question', (stored) => {
      const asking = new Set(
        stored.emissions.filter(({ document }) => isAsking(document)).map(({ document }) => digest(document)),
      );
      return {
        ...stored,
        emissions: stored.emissions.filter(({ document }) => !isAsking(document)),
        records: stored.records.map((record) => ({
          ...record,
          emitted: record.emitted.filter((one) => !asking.has(one)),
        })),
      };
    });
    await expect(tryCarryOver(task, '0')).rejects.toMatchObject(
      obstacleOf({
        code: 'unasked',
        message: expect.stringMatching(/an answer to plan:.*never asked/) as string,
      }),
    );
  });

  it('stays where a document is not what a schema of today accepts', async () => {
    const task = await older('question', (stored) => ({
      ...stored,
      records: stored.records.map((record) =>
        record.brought.output === undefined
          ? record
          : {
              ...record,
              brought: { ...record.brought, output: { ...record.brought.output, explanation: 7 as never } },
            },
      ),
    }));
    await expect(tryCarryOver(task, '0')).rejects.toMatchObject(
      obstacleOf({ seq: 2, code: 'unreadable', message: expect.stringContaining('explanation') as string }),
    );
  });

  it('is not tried where what is stored was changed', async () => {
    const task = await older('question');
    await expect(tryCarryOver({ ...task, snapshot: '{}' }, '0')).rejects.toMatchObject({
      code: 'task_corrupted',
    });
  });
});

describe('a task of a later version', () => {
  const later = String(Number(chartVersion) + 1);
  const unknown = { code: 'chart_unknown', details: { version: later, obstacle: { seq: 0, code: 'later' } } };

  it.each([later, 'next'])(
    'is not carried back, although its facts are all accepted: version "%s"',
    async (chart) => {
      const task = await older('question', undefined, chart);
      await expect(tryCarryOver(task, chart)).rejects.toMatchObject({
        code: 'chart_unknown',
        details: { version: chart, obstacle: { code: 'later' } },
      });
    },
  );

  it.each([
    ['open', 'question'],
    ['settled', 'delivered'],
  ])('is written by no one while it is %s: recover, cancel and erase refuse', async (_, taskClass) => {
    const task = await older(taskClass, undefined, later);
    const store: Store = {
      ...memoryStore(),
      taskIndex: () => Promise.resolve([task.indexEntry]),
      load: () => Promise.resolve(task),
      commit: () => Promise.reject(new Error('it is written')),
    };
    const orchestrator = createOrchestrator({ ...charter, store });
    const { taskId, isSettled } = task.indexEntry;
    const { carriedOver, refused } = await orchestrator.recover();
    expect(carriedOver).toEqual([]);
    if (!isSettled) expect(refused).toMatchObject([{ taskId, error: unknown }]);
    const what = task.records[0]!.documents.request!;
    await expect(orchestrator.erase(taskId, what, { by: 'dana' })).rejects.toMatchObject(unknown);
    if (!isSettled) await expect(orchestrator.cancel(taskId, { by: 'dana' })).rejects.toMatchObject(unknown);
    expect(await orchestrator.task(taskId)).toMatchObject({ isSettled });
    await orchestrator.close();
  });
});

describe('a task that was ended', async () => {
  const store = memoryStore();
  await copyInto(store, 'stranded/tasks.sqlite');
  const orchestrator = createOrchestrator({ ...strandedCharter, store });
  await orchestrator.cancel(stranded.paid.taskId, { by: 'dana' });
  const ended = (await store.load(stranded.paid.taskId))!;
  await orchestrator.close();
  const last = ended.records.at(-1)!;
  const { seq, to, brought, documents } = last;

  it('is not revived where what is stored beside its ledger says that it is open', async () => {
    const open = { ...ended, indexEntry: { ...ended.indexEntry, isSettled: false, isOwed: true } };
    const beside = hashOfProjection(open);
    const records = sealedAnew([...ended.records.slice(0, -1), { ...last, beside }]);
    const revived = { ...open, records, indexEntry: { ...open.indexEntry, head: records.at(-1)!.hash } };
    await expect(tryCarryOver(revived, '1')).rejects.toMatchObject({
      code: 'chart_unknown',
      details: { obstacle: { seq, code: 'ended' } },
    });
  });

  const end = { ...brought.end!, chart: '0' };
  const next = { ...last, seq: seq + 1, from: to };
  const fact: LedgerRecord = {
    ...next,
    kind: 'fact',
    fact: { type: 'task.cancelled' },
    snapshot: digest('elsewhere'),
    brought: {},
    documents: {},
  };

  it.each<[string, readonly LedgerRecord[]]>([
    [
      'end: it does not end the version that was in force',
      [{ ...last, brought: { ...brought, end }, documents: { ...documents, end: digest(end) } }],
    ],
    ['end: only erasures follow it', [last, fact]],
    ['end: only erasures follow it', [last, next]],
  ])('has an inconsistent ledger where a forger writes another end: %s', async (message, forged) => {
    const { findings } = await verifyLedger(sealedAnew([...ended.records.slice(0, -1), ...forged]));
    expect(findings).toContainEqual(expect.objectContaining({ code: 'inconsistent', message }));
  });
});

describe('a record of an older version', () => {
  const [opening] = ledgerLines('approval') as readonly LedgerRecord[];
  const changing = (contract: object): LedgerRecord => ({
    ...opening!,
    seq: 3,
    fact: { type: 'taskClass.changed', taskClass: contract as never },
  });
  const strict = { unstated: 'ask', host: false, selfApproval: false, limits: { pauses: 8, clearances: 8 } };

  it('has a contract that is strict where its version knew nothing', () => {
    expect(readCarriedOver(opening!).brought.contract).toMatchObject({ ...strict, authorities: ['human'] });
  });

  it('has a fact whose contract is strict as well', () => {
    expect(readCarriedOver(changing(opening!.brought.contract!)).fact).toMatchObject({ taskClass: strict });
  });

  it.each<[string, () => LedgerRecord]>([
    ['a contract with an unknown member', () => changing({ ...opening!.brought.contract, spy: true })],
    ['a contract that is none', () => changing([])],
    ['an unknown fact', () => ({ ...opening!, fact: { type: 'fact.of_yesterday' } as never })],
    ['evidence without a hash', () => ({ ...opening!, brought: { evidence: { payload: {} } as never } })],
    [
      'a call without a digest',
      () => ({ ...opening!, brought: { calls: [{ id: '1', tool: 'read' }] as never } }),
    ],
    [
      'a request without an identity',
      () => ({ ...opening!, brought: { request: { taskClass: 'x' } as never } }),
    ],
  ])('is refused with %s', (_, recordOf) => {
    expect(() => readCarriedOver(recordOf())).toThrow(expect.objectContaining({ code: 'document_invalid' }));
  });
});
