import { Pool } from 'pg';
import { median, runAtOnce, spent } from '../measure.ts';

/** Commits that change one row, which is locked until each is on the disk. */
export interface RowCommits {
  /** Milliseconds of a commit, one after another. */
  readonly commit: number;
  /** Commits a second of clients that wait for each other. */
  readonly locked: number;
}

const count = 500;
const clients = 16;

/** Measures commits of one row on a server, without any engine. */
export const measureRow = async (connectionString: string): Promise<RowCommits> => {
  const pool = new Pool({ connectionString, max: clients });
  const commit = async (): Promise<void> => {
    await pool.query('UPDATE one SET value = value + 1');
  };
  await pool.query('CREATE TABLE one AS SELECT 0 AS value');
  await runAtOnce(clients, clients, commit); // connects them
  const alone: number[] = [];
  for (let left = count; left > 0; left -= 1) alone.push((await spent(commit)).wall / 1_000);
  const { wall } = await spent(() => runAtOnce(count, clients, commit));
  await pool.query('DROP TABLE one');
  await pool.end();
  return { commit: median(alone), locked: (count / wall) * 1e6 };
};
