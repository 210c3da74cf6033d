import {
  pausableOf,
  subjectOf,
  type Claim,
  type Obstacle,
  type Pause,
  type Regulated,
  type Subject,
} from '../../base/ports/regulation.ts';
import type { Connection } from './connection.ts';
import { bytesOfName } from './names.ts';

/** What a task counts against a quota. */
type Counted = Omit<Claim, 'most'>;

interface PauseRow {
  readonly subject: Subject;
  readonly said: string;
  readonly at: number;
  readonly endedBy: string | null;
  readonly endedAt: number | null;
}

const pauseIn = ({ subject, said, at, endedBy, endedAt }: PauseRow): Pause => {
  const { by, reason } = JSON.parse(said) as Pick<Pause, 'by' | 'reason'>; // as it was written here
  const ended = endedBy === null || endedAt === null ? null : { by: endedBy, at: endedAt };
  return { of: pausableOf(subject), by, reason, at, ended };
};

const selectPause = 'SELECT subject, said, at, endedBy, endedAt FROM pause';

/** Returns the first of the pauses that last. */
const pauseOf = (connection: Connection, subjects: readonly Subject[]): Pause | undefined => {
  if (subjects.length === 0) return undefined;
  const holes = subjects.map(() => '?').join(', ');
  const sql = `${selectPause} WHERE endedAt IS NULL AND subject IN (${holes}) ORDER BY id LIMIT 1`;
  return (connection.rows(sql, ...subjects) as readonly PauseRow[]).map(pauseIn)[0];
};

/** Returns the claims that do not count yet. */
const newClaims = (connection: Connection, task: number | null, { claims }: Regulated): readonly Claim[] =>
  claims.filter(
    ({ call, quota }) =>
      task === null ||
      connection.rows(
        'SELECT 1 FROM claim WHERE task = ? AND "call" = ? AND quota = ? LIMIT 1',
        task,
        call,
        quota,
      ).length === 0,
  );

const usedOf = (connection: Connection, { quota, window }: Counted): number => {
  const [row] = connection.rows(
    'SELECT used FROM quota WHERE name = ? AND "window" = ?',
    quota,
    window,
  ) as readonly { readonly used: number }[];
  return row?.used ?? 0;
};

/** Returns what holds a step of a task; `null` for a new task. */
export const obstacleTo = (
  connection: Connection,
  task: number | null,
  regulated: Regulated,
): Obstacle | null => {
  const paused = pauseOf(connection, regulated.begins);
  if (paused !== undefined) return { paused };
  for (const claim of newClaims(connection, task, regulated)) {
    const { quota, window, most, amount } = claim;
    const used = usedOf(connection, claim);
    if (used + amount > most) return { full: { quota, window, most, amount }, used };
  }
  return null;
};

const count = (connection: Connection, { quota, window, amount }: Counted, by: 1 | -1): void => {
  connection.run(
    `INSERT INTO quota (name, "window", used) VALUES (?, ?, ?)
    ON CONFLICT (name, "window") DO UPDATE SET used = max(0, used + excluded.used)`,
    quota,
    window,
    by * amount,
  );
};

/** Counts claims of a task. */
export const insertClaims = (connection: Connection, task: number, claims: readonly Counted[]): void => {
  for (const claim of claims) {
    const { quota, window, call, amount } = claim;
    connection.run(
      'INSERT INTO claim (task, "call", quota, "window", amount) VALUES (?, ?, ?, ?, ?)',
      task,
      call,
      quota,
      window,
      amount,
    );
    count(connection, claim, 1);
  }
};

/** Returns what a task counts. */
export const claimsOf = (connection: Connection, task: number): readonly Counted[] =>
  connection.rows(
    'SELECT quota, "window", "call", amount FROM claim WHERE task = ?',
    task,
  ) as readonly Counted[];

const release = (connection: Connection, task: number, isReleased: (claim: Counted) => boolean): void => {
  for (const claim of claimsOf(connection, task).filter(isReleased)) {
    const { call, quota } = claim;
    connection.run('DELETE FROM claim WHERE task = ? AND "call" = ? AND quota = ?', task, call, quota);
    count(connection, claim, -1);
  }
};

/** Counts what a step begins, and no longer what it ends. */
export const regulate = (
  connection: Connection,
  taskId: string,
  regulated: Regulated | null,
  isSettled: boolean,
): void => {
  if (regulated === null && !isSettled) return;
  const [row] = connection.rows('SELECT id FROM task WHERE taskId = ?', bytesOfName(taskId)) as readonly {
    readonly id: number;
  }[];
  if (row === undefined) return;
  for (const { call, isUndone } of regulated?.releases ?? [])
    release(connection, row.id, (one) => one.call === call && (one.window === '' || isUndone));
  if (regulated !== null) insertClaims(connection, row.id, newClaims(connection, row.id, regulated));
  if (isSettled) release(connection, row.id, ({ window }) => window === '');
};

export const beginPause = (
  connection: Connection,
  subject: Subject,
  by: string,
  reason: string,
  at: number,
): boolean =>
  connection.run(
    'INSERT INTO pause (subject, said, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    subject,
    JSON.stringify({ by, reason }),
    at,
  ) > 0;

export const endPause = (connection: Connection, subject: Subject, by: string, at: number): boolean =>
  connection.run(
    'UPDATE pause SET endedBy = ?, endedAt = ? WHERE subject = ? AND endedAt IS NULL',
    by,
    at,
    subject,
  ) > 0;

/** Returns the pauses that last, or the last ones of all; oldest first. */
export const pausesIn = (connection: Connection, ended?: { readonly limit: number }): readonly Pause[] => {
  const rows =
    ended === undefined
      ? connection.rows(`${selectPause} WHERE endedAt IS NULL ORDER BY id`)
      : connection.rows(`${selectPause} ORDER BY id DESC LIMIT ?`, ended.limit).toReversed();
  return (rows as readonly PauseRow[]).map(pauseIn);
};

export const writePauses = (connection: Connection, pauses: readonly Pause[]): void => {
  for (const { of, by, reason, at, ended } of pauses)
    connection.run(
      `INSERT INTO pause (subject, said, at, endedBy, endedAt) SELECT s, ?, a, ?, ? FROM (SELECT ? AS s, ? AS a)
      WHERE NOT EXISTS (SELECT 1 FROM pause WHERE subject = s AND at = a)`,
      JSON.stringify({ by, reason }),
      ended?.by ?? null,
      ended?.at ?? null,
      subjectOf(of),
      at,
    );
};
