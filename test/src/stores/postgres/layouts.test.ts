import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { migrations } from '../../../../src/stores/postgres/layout.ts';
import { createStore } from '../../../../src/stores/postgres/store.ts';
import { skipWithout } from '../../../needs.ts';
import { startCluster, type Cluster } from '../../../postgres.ts';
import { eventually } from '../../../waits.ts';
import { stepOf } from '../steps.ts';

const added = (schema: string): string => `CREATE TABLE "${schema}".added (id integer)`;
const addedAgain = (schema: string): string => `CREATE TABLE "${schema}".added_again (id integer)`;

describe.skipIf(skipWithout(['postgres']) !== null)('a release that changes the layout', () => {
  let cluster: Cluster;
  let schemas = 0;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  /** Stores of releases on one schema: this one, the next one, and the one after that. */
  const releases = () => {
    const schema = `layouts_${(schemas += 1)}`;
    const opened = (more: readonly (typeof added)[], oldest?: number) => {
      const store = createStore(
        {
          connection: cluster.url(),
          schema,
          migrations: [...migrations, ...more],
          ...(oldest !== undefined && { oldest }),
        },
        60_000,
        50,
      );
      onTestFinished(() => store.close());
      return store;
    };
    return {
      schema,
      now: () => opened([]),
      next: () => opened([added]),
      afterNext: () => opened([added, addedAgain]),
    };
  };

  /** Resolves once the changes of a store are listened for at the server. */
  const listening = (schema: string): Promise<void> =>
    eventually(async () => {
      const text = `SELECT FROM pg_stat_activity WHERE query = 'LISTEN "agentcharter ${schema}"'`;
      expect(await cluster.sql(text)).toHaveLength(1);
    });

  it('leaves those of the release before in use, and lets one begin again', async () => {
    const { now, next } = releases();
    const one = now();
    onTestFinished(one.watch(() => {}));
    await one.commit(stepOf(0));
    await next().commit(stepOf(1));
    expect(await one.commit(stepOf(2))).toBe('ok');
    expect(await now().commit(stepOf(3))).toBe('ok');
  });

  it('is refused before it begins while those of an earlier release are in use, and says in which order', async () => {
    const { now, next, afterNext, schema } = releases();
    const one = now();
    const stop = one.watch(() => {});
    await one.commit(stepOf(0));
    await listening(schema);
    const refused = afterNext();
    await expect(refused.counts()).rejects.toMatchObject({
      code: 'store_unusable',
      message: expect.stringMatching(
        /its layout 4 is to be changed to 6, which those that use it now \(1 listen\) do not know; stop them, then start this one; or update them first to a version that writes layout 5$/,
      ),
    });
    expect(await cluster.sql(`SELECT version FROM ${schema}.agentcharter_layout`)).toEqual([{ version: 4 }]);
    expect(await one.commit(stepOf(1))).toBe('ok');
    await next().counts();
    stop();
    await one.close();
    await eventually(async () => expect(await refused.counts()).toMatchObject({ tasks: 1 }));
  });

  it('stops those that the server did not know of, and says so', async () => {
    const { now, afterNext, schema } = releases();
    const one = now();
    await one.commit(stepOf(0));
    await afterNext().counts();
    onTestFinished(one.watch(() => {}));
    const message = expect.stringContaining('only code of layout 5 may use it now; update agentcharter here');
    await eventually(() => expect(one.counts()).rejects.toMatchObject({ code: 'store_unusable', message }));
    await expect(one.commit(stepOf(1))).rejects.toMatchObject({ message });
    await expect(now().counts()).rejects.toMatchObject({
      message: expect.stringContaining('it has layout 6'),
    });
    expect(await cluster.sql(`SELECT size FROM ${schema}.task`)).toEqual([{ size: 1 }]);
  });

  it('is not needed to notice that a role answers before its commits are on the disk', async () => {
    const { schema } = releases();
    await cluster.sql('CREATE ROLE hasty LOGIN SUPERUSER');
    const open = () => {
      const store = createStore({ connection: cluster.url('hasty'), schema }, 60_000, 50);
      onTestFinished(() => store.close());
      return store;
    };
    const one = open();
    await one.commit(stepOf(0));
    await cluster.sql('ALTER ROLE hasty SET synchronous_commit = off');
    await cluster.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'hasty'`);
    await eventually(() =>
      expect(one.commit(stepOf(1))).rejects.toMatchObject({
        code: 'store_unusable',
        message: expect.stringContaining('synchronous_commit is off) (AC003); ALTER ROLE'),
      }),
    );
    expect(await cluster.sql(`SELECT size FROM ${schema}.task`)).toEqual([{ size: 1 }]);
  });
});
