import type { Deadline, Intent, NameKind, StoredName, TaskCopy } from '../../base/ports/store.ts';
import type { Statement } from './driver.ts';
import { channelOf } from './layout.ts';
import { shards } from './tables.ts';
import { bytesOfName, nameOfBytes } from './names.ts';
import type { Coding } from '../codec.ts';
import { firstOf, parsed } from '../shared.ts';
import { ownerOf, stepIn, type StepRow } from './read.ts';
import { entryColumns, entryIn, type IndexRow } from './task-index.ts';
import type { Writer } from './write.ts';

/** The holder of a task that is being copied here: no process has this identity, and its hold does not lapse. */
const copying = '00000000-0000-0000-0000-000000000000';

interface CopyRow extends IndexRow {
  readonly body: string;
  readonly deadlines: string;
  readonly intents: string;
  readonly task_class: string | null;
  readonly tools: readonly string[] | null;
  readonly is_turn: boolean;
  readonly fence: number;
  readonly lapsed_fence: number | null;
  readonly ago: number | null;
  readonly attempts: number;
  readonly is_held: boolean;
  readonly claims: TaskCopy['claims'];
}

const beside = ['deadlines', 'intents', 'task_class', 'tools', 'is_turn'];
/** A hold that was not let go is the one that lapsed, unless it is that of a copy. */
const wasHeld = "holder IS NOT NULL AND lapses < 'infinity'";
const holds = `fence::float8 AS fence, (CASE WHEN ${wasHeld} THEN fence ELSE lapsed_fence END)::float8 AS lapsed_fence,
  extract(epoch FROM clock_timestamp() - CASE WHEN ${wasHeld} THEN lapses ELSE lapsed_at END)::float8 * 1000 AS ago,
  attempts + (${wasHeld})::integer AS attempts, holder IS NOT NULL AND lapses > clock_timestamp() AS is_held`;
const claims = (
  schema: string,
): string => `(SELECT coalesce(json_agg(json_build_object('quota', quota, 'window', "window", 'call', call,
  'amount', amount)), '[]') FROM "${schema}".claim WHERE task = found.id) AS claims`;
const columns = [...entryColumns, ...beside];
const nothing = [...columns, 'fence', 'lapsed_fence', 'ago', 'attempts', 'is_held', 'claims']
  .map(() => 'NULL')
  .join(', ');

/** Returns the statement that reads a task with all its steps. */
export const copyStatement = (schema: string, taskId: string): Statement => ({
  text: `WITH found AS MATERIALIZED (SELECT * FROM "${schema}".task WHERE task_id = $1)
    SELECT -1 AS seq, snapshot AS body, ${columns.join(', ')}, ${holds}, ${claims(schema)} FROM found
    UNION ALL SELECT seq, body, ${nothing} FROM "${schema}".record WHERE task = (SELECT id FROM found) ORDER BY seq`,
  values: [bytesOfName(taskId)],
});

/** Returns the task of a `copyStatement`. Throws `task_corrupted`. */
export const copyIn = (rows: readonly object[], taskId: string, coding: Coding): TaskCopy | undefined => {
  const [task, ...steps] = rows as readonly [CopyRow, ...StepRow[]];
  if (rows.length === 0) return undefined;
  const last = task.size - 1;
  const decoded = (stored: string): string => coding.textOf(stored, taskId, last);
  const { task_class: taskClass, tools, is_turn: isTurn, lapsed_fence: lapsedFence, ago, attempts } = task;
  return {
    indexEntry: entryIn(task, decoded(task.summary)),
    needs: taskClass === null || tools === null ? null : { taskClass, tools, isTurn },
    steps: steps.map((step) => stepIn(step, taskId, coding)),
    snapshot: decoded(task.body),
    deadlines: parsed(decoded(task.deadlines), taskId, last) as readonly Deadline[],
    intents: parsed(decoded(task.intents), taskId, last) as readonly Intent[],
    claims: task.claims,
    fence: task.fence,
    lapsed: lapsedFence === null || ago === null ? null : { fence: lapsedFence, ago },
    attempts,
    isHeld: task.is_held,
  };
};

const valuesOf = (
  copy: TaskCopy,
  { text }: Coding,
): readonly (readonly [column: string, type: string, value: unknown])[] => {
  const { indexEntry, needs, lapsed } = copy;
  return [
    ['task_id', 'bytea', bytesOfName(indexEntry.taskId)],
    ['thread_id', 'bytea', bytesOfName(indexEntry.threadId)],
    ['parent', 'bytea', indexEntry.parent === null ? null : bytesOfName(indexEntry.parent)],
    ['size', 'integer', indexEntry.size],
    ['head', 'text', indexEntry.head],
    ['at', 'double precision', indexEntry.at],
    ['is_settled', 'boolean', indexEntry.isSettled],
    ['is_owed', 'boolean', indexEntry.isOwed],
    ['asking', 'integer', indexEntry.asking],
    ['awaits', 'integer', indexEntry.awaits],
    ['rank', 'text', indexEntry.rank],
    ['chart', 'text', indexEntry.chart],
    ['due', 'double precision', firstOf(copy.deadlines)],
    ['task_class', 'text', needs?.taskClass ?? null],
    ['tools', 'text[]', needs?.tools ?? null],
    ['is_turn', 'boolean', needs?.isTurn ?? false],
    ['fence', 'bigint', copy.fence],
    ['lapsed_fence', 'bigint', lapsed?.fence ?? null],
    ['attempts', 'integer', copy.attempts],
    ['summary', 'text', text(indexEntry.summary)],
    ['deadlines', 'text', text(JSON.stringify(copy.deadlines))],
    ['intents', 'text', text(JSON.stringify(copy.intents))],
    ['snapshot', 'text', text(copy.snapshot)],
  ];
};

/** Returns the statement that writes a task whole, held by no one who performs it. */
export const writeCopyStatement = (
  schema: string,
  copy: TaskCopy,
  { node }: Writer,
  coding: Coding,
): Statement => {
  const values = valuesOf(copy, coding);
  const names = values.map(([column]) => column).join(', ');
  const places = values.map(([, type], index) => `$${index + 6}::${type}`).join(', ');
  const { isSettled, asking } = copy.indexEntry;
  return {
    text: `WITH place AS (UPDATE "${schema}".place SET last = last + 1 RETURNING last),
      new AS (INSERT INTO "${schema}".task (id, ${names}, holder, lapses, lapsed_at, changed, writer)
        SELECT last, ${places}, '${copying}', 'infinity', clock_timestamp() - $4::float8 * interval '1 ms',
          pg_current_xact_id(), $1::uuid FROM place
        ON CONFLICT (task_id) DO NOTHING RETURNING id),
      steps AS (INSERT INTO "${schema}".record SELECT new.id, s.seq, s.body
        FROM new, unnest($2::integer[], $3::text[]) AS s (seq, body)),
      counted AS (UPDATE "${schema}".tally AS c SET tasks = c.tasks + 1, settled = c.settled + ${isSettled ? 1 : 0},
        asking = c.asking + ${asking > 0 ? 1 : 0}, questions = c.questions + ${asking}
        FROM new WHERE c.shard = new.id % ${shards}),
      claims AS (INSERT INTO "${schema}".claim SELECT new.id, g.call, g.quota, g."window", g.amount
        FROM new, jsonb_to_recordset($5::jsonb) AS g (quota text, "window" text, call text, amount double precision) RETURNING *),
      used AS (INSERT INTO "${schema}".quota AS q SELECT quota, "window", sum(amount) FROM claims GROUP BY 1, 2
        ON CONFLICT (name, "window") DO UPDATE SET used = q.used + excluded.used)
      SELECT count(*)::int AS count FROM new`,
    values: [
      node,
      copy.steps.map(({ record }) => record.seq),
      copy.steps.map((step) => coding.text(JSON.stringify(step))),
      copy.lapsed?.ago ?? null,
      JSON.stringify(copy.claims),
      ...values.map(([, , value]) => value),
    ],
  };
};

/** Where names are: the table, the column of the name, that of what it is of, and the order of those of one name. */
const tables = {
  key: { table: 'step_key', column: '"key"', of: 'task', order: '' },
  message: { table: 'message', column: 'id', of: 'task', order: ', n.place' },
  approval: { table: 'approval', column: 'jti', of: 'action', order: '' },
} as const;

/** Returns the statement that reads a page of names. */
export const namesStatement = (
  schema: string,
  kind: NameKind,
  after: string | null,
  limit: number,
): Statement => {
  const { table, column, of, order } = tables[kind];
  const its = of === 'task' ? ownerOf(schema, 'n.task') : 'n.action';
  return {
    text: `SELECT n.${column} AS name, ${its} AS of, n.seq FROM "${schema}".${table} AS n
      WHERE n.${column} IN (SELECT DISTINCT ${column} FROM "${schema}".${table}
        WHERE $1::bytea IS NULL OR ${column} > $1 ORDER BY ${column} LIMIT $2)
      ORDER BY n.${column}${order}`,
    values: [after === null ? null : bytesOfName(after), limit],
  };
};

interface NameRow {
  readonly name: Buffer;
  readonly of: Buffer;
  readonly seq: number;
}

/** Returns the names of a `namesStatement`. */
export const namesIn = (rows: readonly object[]): readonly StoredName[] =>
  (rows as readonly NameRow[]).map(({ name, of, seq }) => ({
    name: nameOfBytes(name),
    of: nameOfBytes(of),
    seq,
  }));

const given = 'unnest($1::bytea[], $2::bytea[], $3::integer[]) WITH ORDINALITY AS n (name, its, seq, nth)';

const inserts: Readonly<Record<NameKind, (schema: string) => string>> = {
  key: (schema) => `INSERT INTO "${schema}".step_key AS k SELECT n.name, t.id, n.seq
    FROM ${given} JOIN (SELECT id, task_id FROM "${schema}".task UNION ALL SELECT id, task_id FROM "${schema}".pruned) AS t ON t.task_id = n.its
    ON CONFLICT ("key") DO UPDATE SET seq = excluded.seq WHERE k.task = excluded.task AND k.seq = excluded.seq`,
  message: (schema) => `INSERT INTO "${schema}".message (id, task, seq) SELECT n.name, t.id, n.seq
    FROM ${given} JOIN (SELECT id, task_id FROM "${schema}".task UNION ALL SELECT id, task_id FROM "${schema}".pruned) AS t ON t.task_id = n.its
    WHERE NOT EXISTS (SELECT FROM "${schema}".message AS m WHERE m.id = n.name AND m.task = t.id AND m.seq = n.seq)
    ORDER BY n.nth`,
  approval: (schema) => `INSERT INTO "${schema}".approval AS a SELECT n.name, n.its, n.seq FROM ${given}
    ON CONFLICT (jti) DO UPDATE SET seq = greatest(a.seq, excluded.seq) WHERE a.action = excluded.action`,
};

/** Returns the statement that writes names, or none of them: a division by zero undoes it. */
export const writeNamesStatement = (
  schema: string,
  kind: NameKind,
  names: readonly StoredName[],
): Statement => ({
  text:
    kind === 'message'
      ? inserts.message(schema)
      : `WITH written AS (${inserts[kind](schema)} RETURNING 1)
        SELECT 1 / (CASE WHEN count(*) = cardinality($1::bytea[]) THEN 1 ELSE 0 END) AS is_written FROM written`,
  values: [
    names.map(({ name }) => bytesOfName(name)),
    names.map(({ of }) => bytesOfName(of)),
    names.map(({ seq }) => seq),
  ],
});

/** The SQLSTATE of names that belong to others: that of a division by zero. */
export const namesConflict = '22012';

/** Returns the statement that lets every copied task be performed. */
export const releaseStatement = (schema: string): Statement => ({
  text: `WITH released AS (
      UPDATE "${schema}".task SET holder = NULL, lapses = NULL WHERE holder = '${copying}' RETURNING 1)
    SELECT count(*), pg_notify('${channelOf(schema)}', '') FROM released`,
});
