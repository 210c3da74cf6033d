import { attemptLimits, firstBackOff } from '../../base/ports/attempts.ts';
import type { Capabilities, Hold, OnlyTask } from '../../base/ports/store.ts';
import type { Statement } from './driver.ts';
import { serverTime } from './layout.ts';
import { bytesOfName, nameOfBytes } from './names.ts';
import { timed } from './session.ts';
import type { Writer } from './write.ts';

interface HoldRow {
  readonly task_id: Buffer | null;
  readonly fence: number;
  readonly lapsed_fence: number | null;
  readonly ago: number | null;
  readonly attempts: number;
}

const lapsesAfter = (lease: string): string =>
  `clock_timestamp() + ${lease}::double precision * interval '1 ms'`;

const columns = `t.task_id, t.fence::float8 AS fence, t.lapsed_fence::float8 AS lapsed_fence,
  extract(epoch FROM clock_timestamp() - t.lapsed_at)::float8 * 1000 AS ago, t.attempts`;

/** Adds the server's time to the rows of a change, also if there are none. */
const withTime = (change: string): string =>
  `WITH held AS (${change}) SELECT held.*, ${timed} FROM (SELECT 1) AS once LEFT JOIN held ON true`;

/** The time of the server, computed once, so that it can be compared with an index. */
const now = `(SELECT ${serverTime})`;

/** The number of holds of a free task that lapsed in a row: its last one is among them if it was not let go. */
const ended = '(attempts + (holder IS NOT NULL)::integer)';

const { backOff, most } = attemptLimits;

/** A task whose work may end its process, and which may be tried again. At the last number it is not tried, but asked about. */
const isRetried = `attempts >= ${backOff - 1} AND ${ended} >= ${backOff} AND (holder IS NULL OR ${ended} = ${most} OR
  lapses <= clock_timestamp() - ${firstBackOff} * power(2, least(${ended} - ${backOff}, 10)) * interval '1 ms')`;

/**
 * Returns the statement that takes tasks. A hold that was not let go is remembered: its holder may still act, also after
 * others held the task in between. Tasks with duties and due tasks are found apart, each by its index.
 *
 * Of tasks whose holds lapse in a row, a node holds one at a time, so that those are found out which only happened to be
 * held with another. A task that is asked for by name is not left alone.
 */
export const takeStatement = (
  schema: string,
  { charts, taskClasses, tools, agents }: Capabilities,
  limit: number,
  only: OnlyTask | undefined,
  { node, lease }: Writer,
): Statement => {
  const free = (which: string, order = 'id', limit = '$7'): string => `SELECT id FROM "${schema}".task
      WHERE ${which} AND (holder IS NULL OR lapses <= clock_timestamp())
        AND chart = ANY ($3::text[]) AND task_class = ANY ($4::text[]) AND tools <@ $5::text[]
        AND (NOT is_turn OR due <= ${now} OR task_class = ANY ($6::text[]))
      ORDER BY ${order} LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
  const isDue = `(is_owed OR due <= ${now})`;
  const isFirst = `NOT EXISTS (SELECT FROM "${schema}".task AS mine
        WHERE mine.attempts >= ${backOff} AND mine.holder = $1 AND mine.lapses > clock_timestamp())`;
  const rarely = `${ended} < ${backOff}`;
  const found =
    only === undefined
      ? `SELECT id FROM (${free(`${isDue} AND ${isRetried} AND ${isFirst}`, 'id', '1')}) AS retried
      UNION ALL SELECT id FROM (${free(`is_owed AND ${rarely}`)}) AS owed
      UNION ALL SELECT id FROM (${free(`NOT is_owed AND due <= ${now} AND ${rarely}`, 'due, id')}) AS overdue LIMIT $7`
      : free(`task_id = $8 ${only.mayRest ? '' : `AND ${isDue}`}`);
  return {
    text: withTime(`UPDATE "${schema}".task AS t SET fence = t.fence + 1, holder = $1::uuid, lapses = ${lapsesAfter('$2')},
      attempts = t.attempts + (t.holder IS NOT NULL)::integer,
      lapsed_fence = CASE WHEN t.holder IS NULL THEN t.lapsed_fence ELSE t.fence END,
      lapsed_at = CASE WHEN t.holder IS NULL THEN t.lapsed_at ELSE t.lapses END
    FROM (${found}) AS free
    WHERE t.id = free.id RETURNING ${columns}`),
    values: [
      node,
      lease,
      charts,
      taskClasses,
      tools,
      agents,
      limit,
      ...(only === undefined ? [] : [bytesOfName(only.taskId)]),
    ],
  };
};

const named = `WHERE t.holder = $1::uuid AND (t.task_id, t.fence) IN (SELECT * FROM unnest($2::bytea[], $3::bigint[]))`;

const namesOf = (holds: readonly Hold[], node: string): readonly unknown[] => {
  const each = holds.flatMap(({ taskId, fence }) => (taskId === null ? [] : [{ taskId, fence }]));
  return [node, each.map(({ taskId }) => bytesOfName(taskId)), each.map(({ fence }) => fence)];
};

/** Returns the statement that renews leases. A lease that has passed is renewed if no one took the task. */
export const keepStatement = (
  schema: string,
  holds: readonly Hold[],
  { node, lease }: Writer,
): Statement => ({
  text: withTime(
    `UPDATE "${schema}".task AS t SET lapses = ${lapsesAfter('$4')} ${named} RETURNING ${columns}`,
  ),
  values: [...namesOf(holds, node), lease],
});

/** Returns the statement that lets tasks go. */
export const letGoStatement = (schema: string, holds: readonly Hold[], { node }: Writer): Statement => ({
  text: `UPDATE "${schema}".task AS t SET holder = NULL, lapses = NULL ${named}`,
  values: namesOf(holds, node),
});

/** Returns the holds of a statement. */
export const holdsIn = (rows: readonly object[]): readonly Hold[] =>
  (rows as readonly HoldRow[]).flatMap(
    ({ task_id: taskId, fence, lapsed_fence: lapsedFence, ago, attempts }): readonly Hold[] =>
      taskId === null
        ? []
        : [
            {
              taskId: nameOfBytes(taskId),
              fence,
              lapsed: lapsedFence === null || ago === null ? null : { fence: lapsedFence, ago },
              attempts,
            },
          ],
  );
