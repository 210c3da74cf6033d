import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrchestrator, type Store } from '../../../../../src/index.ts';
import { charter } from '../../../../fixtures/chart-1/charter.ts';
import { copyInto, fixtures } from '../../../../fixtures/chart-1/fixtures.ts';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { shifted, site } from './scene.ts';

/** From now to an hour at which the fixtures still wait, and a server that is at that hour. */
const hours = (Date.parse('2026-11-22T01:00:00Z') - Date.now()) / 3_600_000;
const earlier = `
  CREATE SCHEMA earlier;
  CREATE FUNCTION earlier.clock_timestamp() RETURNS timestamptz LANGUAGE sql
    AS 'SELECT pg_catalog.clock_timestamp() + ${hours} * interval ''1 hour''';
  ALTER DATABASE postgres SET search_path = earlier, pg_catalog, public;`;

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
    await cluster.sql(earlier);
  });
  afterAll(() => cluster.remove());

  it('carries over a task that waits for a person when they answer, and not before', async () => {
    const { connect, reader } = site(cluster);
    await copyInto(needing(connect()));
    const orchestrator = createOrchestrator({
      ...charter,
      store: connect(),
      clock: shifted(hours),
    });
    const { taskId, records: before } = fixtures.question;
    const news = async () => (await reader.load(taskId))?.records.slice(before).map(({ kind }) => kind);
    const [asked] = await orchestrator.inbox(taskId);
    expect(await news()).toEqual([]);
    await orchestrator.respond({ type: 'approve', target: asked?.message.messageId ?? '' }, { by: 'dana' });
    expect((await news())?.slice(0, 2)).toEqual(['upgrade', 'fact']);
    await orchestrator.close();
  });
});
