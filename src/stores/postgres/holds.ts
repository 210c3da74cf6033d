import type { Capabilities, Hold, OnlyTask } from '../../ports/store.ts';
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
}

const lapsesAfter = (lease: string): string =>
  `clock_timestamp() + ${lease}::double precision * interval '1 ms'`;

const columns = `t.task_id, t.fence::float8 AS fence, t.lapsed_fence::float8 AS lapsed_fence,
  extract(epoch FROM clock_timestamp() - t.lapsed_at)::float8 * 1000 AS ago`;

/** Adds the server's time to the rows of a change, also if there are none. */
const withTime = (change: string): string =>
  `WITH held AS (${change}) SELECT held.*, ${timed} FROM (SELECT 1) AS once LEFT JOIN held ON true`;

/** The time of the server, computed once, so that it can be compared with an index. */
const now = `(SELECT ${serverTime})`;

/**
 * Returns the statement that takes tasks. A hold that was not let go is remembered: its holder may still act, also after
 * others held the task in between. Tasks with duties and due tasks are found apart, each by its index.
 */
export const takeStatement = (
  schema: string,
  { charts, taskClasses, tools, agents }: Capabilities,
  limit: number,
  only: OnlyTask | undefined,
  { node, lease }: Writer,
): Statement => {
  const free = (which: string, order = 'id'): string => `SELECT id FROM "${schema}".task
      WHERE ${which} AND (holder IS NULL OR lapses <= clock_timestamp())
        AND chart = ANY ($3::text[]) AND task_class = ANY ($4::text[]) AND tools <@ $5::text[]
        AND (NOT is_turn OR due <= ${now} OR task_class = ANY ($6::text[]))
      ORDER BY ${order} LIMIT $7 FOR UPDATE SKIP LOCKED`;
  const isWanted = only?.mayRest === true ? '' : `AND (is_owed OR due <= ${now})`;
  const found =
    only === undefined
      ? `SELECT id FROM (${free('is_owed')}) AS owed
      UNION ALL SELECT id FROM (${free(`NOT is_owed AND due <= ${now}`, 'due, id')}) AS overdue LIMIT $7`
      : free(`task_id = $8 ${isWanted}`);
  return {
    text: withTime(`UPDATE "${schema}".task AS t SET fence = t.fence + 1, holder = $1::uuid, lapses = ${lapsesAfter('$2')},
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
    ({ task_id: taskId, fence, lapsed_fence: lapsedFence, ago }): readonly Hold[] =>
      taskId === null
        ? []
        : [
            {
              taskId: nameOfBytes(taskId),
              fence,
              lapsed: lapsedFence === null || ago === null ? null : { fence: lapsedFence, ago },
            },
          ],
  );
