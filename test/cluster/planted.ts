import { Client, Pool } from 'pg';
import type { Hold, Store } from '../../src/base/ports/store.ts';

/** Faults that are planted in every node of a trial; each must be found. */
export const plantedFaults = [
  'no fence in the store',
  'no fence at the effect',
  'no quarantine',
  'a lease by the clock of the node',
  'LISTEN without polling',
] as const;
export type Planted = (typeof plantedFaults)[number];

/** Where a node is: its server, and the milliseconds by which its clock is wrong. */
interface Place {
  readonly connectionString: string;
  readonly clockError: number;
}

/** Writes the steps of any holder, as if they were facts that anyone may state, and keeps the holds of any. */
const unfenced = (inner: Store): Store => ({
  ...inner,
  keep: async (holds) => {
    await inner.keep(holds);
    return holds;
  },
  commit: (step) =>
    inner.commit(step.fence !== null && step.record.seq > 0 ? { ...step, fence: null } : step),
});

/** Forgets that an earlier holder may still act. */
const forgetful = (inner: Store): Store => ({
  ...inner,
  take: async (...given) => (await inner.take(...given)).map((hold): Hold => ({ ...hold, lapsed: null })),
});

/** Ends leases that have passed by a clock that is wrong. */
const byOwnClock = (inner: Store, { connectionString, clockError }: Place): Store => {
  const pool = new Pool({ connectionString, max: 1 });
  pool.on('error', () => {});
  const end = 'UPDATE agentcharter.task SET lapses = clock_timestamp() WHERE lapses < to_timestamp($1)';
  return {
    ...inner,
    take: async (...given) => {
      await pool.query(end, [(Date.now() + clockError) / 1_000]).catch(() => {}); // it is tried again
      return inner.take(...given);
    },
  };
};

/** Takes tasks only after the server reported a change. */
const listening = (inner: Store, { connectionString }: Place): Store => {
  let isReported = true;
  const client = new Client({ connectionString });
  client.on('error', () => {});
  client.on('notification', () => (isReported = true));
  const listen = async (): Promise<void> => {
    await client.connect();
    await client.query('LISTEN "agentcharter agentcharter"');
  };
  listen().catch(() => {}); // it hears nothing then
  return {
    ...inner,
    take: async (...given) => {
      if (!isReported) return [];
      isReported = false;
      return inner.take(...given);
    },
  };
};

const wraps: Readonly<Record<Planted, (inner: Store, config: Place) => Store>> = {
  'no fence in the store': unfenced,
  'no fence at the effect': (inner) => inner, // the world and the tools leave it out
  'no quarantine': forgetful,
  'a lease by the clock of the node': byOwnClock,
  'LISTEN without polling': listening,
};

/** Plants a fault in the store of a node. */
export const plantIn = (planted: Planted | null, inner: Store, config: Place): Store =>
  planted === null ? inner : wraps[planted](inner, config);
