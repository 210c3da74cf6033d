import { Client } from 'pg';
import { later, lease, machineTime } from './events.ts';
import type { Servers } from './servers.ts';

/** Whether tasks changed since a transaction began that is the oldest open one: what looks for changes cannot pass it. */
const isBefore = `SELECT FROM agentcharter.task
  WHERE changed > $1::xid8 AND changed < pg_snapshot_xmax(pg_current_snapshot())
    AND pg_snapshot_xmin(pg_current_snapshot()) <= $1::xid8 LIMIT 1`;

/** Leaves one transaction open until it is over, or the server ends it. Calls `held` once it holds back what others see. */
const leaveOneOpen = async (servers: Servers, isOver: () => boolean, held: () => void): Promise<void> => {
  const client = new Client({ connectionString: servers.url });
  const gone = new AbortController();
  client.on('error', () => gone.abort());
  client.on('end', () => gone.abort());
  let isHeld = false;
  try {
    await client.connect();
    await client.query('BEGIN');
    const { rows } = await client.query('SELECT pg_current_xact_id()::text AS id');
    const [{ id } = { id: null }] = rows as readonly { readonly id: string | null }[];
    while (!gone.signal.aborted && !isOver()) {
      await later(lease / 4);
      if (isHeld || (await servers.rows(isBefore, [id])).length === 0) continue;
      isHeld = true;
      held();
    }
  } finally {
    await client.end();
  }
};

/** Leaves a transaction open, and the next one where a server ended it. Calls `held` for each that held back what others see. */
export const leaveOpen = async (
  servers: Servers,
  isOver: () => boolean,
  held: (at: number) => void,
): Promise<void> => {
  while (!isOver()) {
    const at = machineTime();
    await leaveOneOpen(servers, isOver, () => held(at)).catch(() => {}); // the server is down
    await later(100);
  }
};
