import { describe, expect, it } from 'vitest';
import { digest } from '../../../src/canonical/digest.ts';
import { createOrchestrator } from '../../../src/index.ts';
import { readCarriedOver } from '../../../src/ledger/carry-over.ts';
import { hashOfProjection } from '../../../src/ledger/seal.ts';
import { tryCarryOver } from '../../../src/orchestrator/carry-over.ts';
import type { LedgerRecord } from '../../../src/ports/ledger.ts';
import type { StoredTask } from '../../../src/ports/store.ts';
import { memoryStore } from '../../../src/stores/memory.ts';
import { charter, identity } from '../../fixtures/chart-1/charter.ts';
import { ledgerLines } from '../../fixtures/chart-1/fixtures.ts';
import { sealedAnew } from '../ledger/made.ts';
import { settle } from './simulated-clock.ts';

/** A task of this version as it is stored, as if chart 0 had written it, with changes that its seals cover. */
const older = async (
  taskClass: string,
  change: (task: StoredTask) => StoredTask = (task) => task,
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
    brought: { ...opening!.brought, chart: '0' },
    documents: { ...opening!.documents, chart: digest('0') },
  };
  const changed = change({ ...task, records: [begun, ...others] });
  const beside = hashOfProjection(changed);
  const last = changed.records.length - 1;
  const records = sealedAnew(
    changed.records.map((record, at) => (at === last ? { ...record, beside } : record)),
  );
  return { ...changed, records, standing: { ...changed.standing, head: records.at(-1)!.hash } };
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
