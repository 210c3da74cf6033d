import {
  pausableOf,
  subjectOf,
  type Claim,
  type Obstacle,
  type Pause,
  type Regulated,
  type Subject,
} from '../../base/ports/regulation.ts';
import type { Statement } from './driver.ts';

interface PauseRow {
  readonly subject: Subject;
  readonly said: string;
  readonly at: number;
  readonly ended_by: string | null;
  readonly ended_at: number | null;
}

const pauseIn = ({ subject, said, at, ended_by: by, ended_at: endedAt }: PauseRow): Pause => {
  const ended = by === null || endedAt === null ? null : { by, at: endedAt };
  return { of: pausableOf(subject), ...(JSON.parse(said) as Pick<Pause, 'by' | 'reason'>), at, ended }; // as it was written here
};

export const pausesIn = (rows: readonly object[]): readonly Pause[] =>
  (rows as readonly PauseRow[]).map(pauseIn);

const columns = 'subject, said, at, ended_by, ended_at';

/** Returns the statement that reads the pauses that last, or the last ones of all; oldest first. */
export const pausesStatement = (schema: string, ended?: { readonly limit: number }): Statement =>
  ended === undefined
    ? { text: `SELECT ${columns} FROM "${schema}".pause WHERE ended_at IS NULL ORDER BY id` }
    : {
        text: `SELECT ${columns} FROM (SELECT * FROM "${schema}".pause ORDER BY id DESC LIMIT $1) AS p ORDER BY id`,
        values: [ended.limit],
      };

/** Returns the statement that begins a pause; it returns a row if there was none. Steps that began before it are written by then. */
export const pauseStatement = (
  schema: string,
  subject: Subject,
  by: string,
  reason: string,
  at: number,
): Statement => ({
  text: `SELECT 1 FROM "${schema}".begin_pause($1, $2, $3) AS begun WHERE begun`,
  values: [subject, JSON.stringify({ by, reason }), at],
});

/** Returns the statement that ends a pause; it returns a row if there was one. */
export const resumeStatement = (schema: string, subject: Subject, by: string, at: number): Statement => ({
  text: `UPDATE "${schema}".pause SET ended_by = $2, ended_at = $3 WHERE subject = $1 AND ended_at IS NULL RETURNING 1`,
  values: [subject, by, at],
});

/** Returns the statement that writes pauses that are not there. */
export const writePausesStatement = (schema: string, pauses: readonly Pause[]): Statement => ({
  text: `INSERT INTO "${schema}".pause (subject, said, at, ended_by, ended_at)
    SELECT g.* FROM jsonb_to_recordset($1) AS g (subject text, said text, at double precision, ended_by text, ended_at double precision)
    WHERE NOT EXISTS (SELECT FROM "${schema}".pause AS p WHERE p.subject = g.subject AND p.at = g.at)`,
  values: [
    JSON.stringify(
      pauses.map(({ of, by, reason, at, ended }) => ({
        subject: subjectOf(of),
        said: JSON.stringify({ by, reason }),
        at,
        ended_by: ended?.by ?? null,
        ended_at: ended?.at ?? null,
      })),
    ),
  ],
});

interface ObstacleRow extends PauseRow {
  readonly claim: Pick<Claim, 'quota' | 'window' | 'most' | 'amount'> | null;
  readonly used: number;
}

/** Returns the statement that finds what would hold a step: a pause, or else a quota. */
export const obstacleStatement = (schema: string, { begins, claims }: Regulated): Statement => ({
  text: `SELECT ${columns}, NULL::json AS claim, 0::float8 AS used FROM "${schema}".pause
      WHERE ended_at IS NULL AND subject = ANY ($1::text[])
    UNION ALL SELECT NULL, NULL, NULL, NULL, NULL,
        json_build_object('quota', g.quota, 'window', g."window", 'most', g.most, 'amount', g.amount), coalesce(q.used, 0)
      FROM jsonb_to_recordset($2::jsonb) AS g (quota text, "window" text, amount float8, most float8)
        LEFT JOIN "${schema}".quota AS q ON q.name = g.quota AND q."window" = g."window"
      WHERE coalesce(q.used, 0) + g.amount > g.most
    LIMIT 1`,
  values: [begins, JSON.stringify(claims)],
});

export const obstacleIn = (rows: readonly object[]): Obstacle | null => {
  const [row] = rows as readonly ObstacleRow[];
  if (row === undefined) return null;
  return row.claim === null ? { paused: pauseIn(row) } : { full: row.claim, used: row.used };
};
