import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrchestrator, type Store } from '../../../../../src/index.ts';
import { charter } from '../../../../fixtures/chart-1/charter.ts';
import { copyInto, fixtures } from '../../../../fixtures/chart-1/fixtures.ts';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { site } from './scene.ts';

/** A store whose tasks need what their first record says: the fixtures are older than needs. */
const needing = (inner: Store): Store => ({
  ...inner,
  commit: (step) => {
    const { contract } = step.record.brought;
    const needs = contract && { taskClass: contract.id, tools: [], isTurn: false };
    return inner.commit({ ...step, needs: needs ?? null });
  },
});

describe.skipIf(skipWithout(['postgres']) !== null)('a node of a newer chart', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('carries over a task that waits for a person when they answer, and not before', async () => {
    const { connect, reader } = site(cluster);
    await copyInto(needing(connect()));
    const orchestrator = createOrchestrator({ ...charter, store: connect() });
    const { taskId, records: before } = fixtures.question;
    const news = async () => (await reader.load(taskId))?.records.slice(before).map(({ kind }) => kind);
    const [asked] = await orchestrator.inbox(taskId);
    expect(await news()).toEqual([]);
    await orchestrator.respond({ type: 'approve', target: asked?.message.messageId ?? '' }, { by: 'dana' });
    expect((await news())?.slice(0, 2)).toEqual(['upgrade', 'fact']);
    await orchestrator.close();
  });
});
