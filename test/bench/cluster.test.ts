import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { verifyLedger } from 'agentcharter/ledger';
import { postgresStore } from 'agentcharter/stores/postgres';
import { skipWithout } from '../needs.ts';
import { serverFolder, startCluster, type Cluster } from '../postgres.ts';
import { waitingOperations } from './cluster-rows.ts';
import { createHost } from './engines/orchestrator.ts';
import { newDesk } from './engines/parts.ts';
import { missingPeers } from './engines/registry.ts';
import { connections } from './engines/served.ts';
import { measureRow } from './measurements/row.ts';
import { seedOf, type Seed } from './seed.ts';
import { prepareServed } from './subjects/load.ts';
import { measureWaiting } from './subjects/waiting.ts';
import { approvalOf, newRequest } from './work.ts';

// Each part runs once, so that a broken one fails here and not on the day that somebody measures. No time is asserted.

const missing = missingPeers(fileURLToPath(new URL('peers', import.meta.url)));
if (missing !== null) console.log(`The engines of peers are not tested. ${missing}`);
const engines =
  missing === null ? (['agentcharter', 'langgraph', 'pg-boss'] as const) : (['agentcharter'] as const);

describe.skipIf(skipWithout(['postgres']) !== null)('with a server', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  const created = async (name: string): Promise<string> => {
    await cluster.sql(`CREATE DATABASE ${name}`);
    return cluster.url('postgres', name);
  };

  it.each(engines)('two nodes of %s deliver writes that pause and are approved', async (engine) => {
    const [url, desk, nodes] = [await created(engine.replace('-', '_')), newDesk(), ['one', 'other']];
    await prepareServed({ engine, url, desk, nodes });
    const connected = await Promise.all(nodes.map((node) => connections[engine]({ url, desk, node })));
    const ends = connected.map(({ engine: { gated } }) => {
      const request = newRequest('write_high_risk');
      return gated(request, approvalOf(request));
    });
    expect(await Promise.all(ends)).toEqual(['deliver', 'deliver']);
    for (const { close } of connected) await close();
  });

  it('measures commits of one row', async () => {
    const { commit, locked } = await measureRow(await created('row'));
    expect(commit).toBeGreaterThan(0);
    expect(locked).toBeGreaterThan(0);
  });

  describe('and tasks that wait', () => {
    const database = 'waiting';
    const total = 12;
    let url: string;
    let seed: Seed;
    beforeAll(async () => {
      url = await created(database);
      const { folder, remove } = serverFolder();
      try {
        seed = await seedOf(cluster, database, folder, 3);
        await seed.fillTo(total, () => {});
      } finally {
        remove();
      }
    });

    const isIntact = async (taskId: string): Promise<boolean> => {
      const { orchestrator } = createHost({ store: postgresStore({ connectionString: url }) });
      onTestFinished(async () => {
        await orchestrator.close();
      });
      return (await verifyLedger(await orchestrator.ledger(taskId))).intact;
    };

    it('seeds copies whose ledgers verify, until one is damaged', async () => {
      const tasks = await seed.spread(total);
      expect(new Set(tasks).size).toBe(total);
      for (const task of tasks) expect(await isIntact(task)).toBe(true);
      const [damaged = ''] = (await seed.spread(total)).slice(-1);
      await cluster.sql(
        `UPDATE agentcharter.record SET body = replace(body, 'As asked.', 'As told.')
         WHERE task = (SELECT id FROM agentcharter.task WHERE task_id = '${damaged}')`,
        database,
      );
      expect(await isIntact(damaged)).toBe(false);
    });

    it('measures what people, programs and nodes do with them', async () => {
      const answered = (await seed.spread(total)).slice(0, 3);
      const figures = await measureWaiting({ url, answered, times: 2 });
      expect(Object.keys(figures).toSorted()).toEqual(waitingOperations.toSorted());
      for (const figure of Object.values(figures)) expect(figure).toBeGreaterThan(0);
    });
  });
});
