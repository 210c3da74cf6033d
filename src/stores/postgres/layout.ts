import type { Statement } from './driver.ts';
import { attempts, pruning, regulation, shards, tables } from './tables.ts';

/** Returns the channel that reports changes of a schema. */
export const channelOf = (schema: string): string => `agentcharter ${schema}`;

/** Returns the command that listens for changes. */
export const listenTo = (schema: string): string => `LISTEN "${channelOf(schema)}"`;

/**
 * Returns the statement that counts the sessions that listen for changes. Those of another role do not show it, nor those
 * behind a pooler, which do not listen.
 */
export const listenersStatement = (schema: string): Statement => ({
  text: `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND query = $1`,
  values: [listenTo(schema)],
});

/**
 * SQL for the oldest layout whose code may use a schema: older processes stop. A schema of a release that did not note it may be used by
 * its own code only.
 */
export const oldestIn = (schema: string): string =>
  `(SELECT coalesce((to_jsonb(l) ->> 'oldest')::int, version) FROM "${schema}".agentcharter_layout AS l)`;

/** SQL for the time of the server, in milliseconds since 1970. */
export const serverTime = 'extract(epoch FROM clock_timestamp())::float8 * 1000';

/**
 * The parameters of `commit_step`, in order, with their types. Those of an erasure come last: the steps that it rewrites,
 * and the messages that are in them no longer.
 */
export const parameters = [
  ['node', 'uuid'],
  ['lease', 'double precision'],
  ['task_id', 'bytea'],
  ['fence', 'bigint'],
  ['seq', 'integer'],
  ['key', 'bytea'],
  ['thread_id', 'bytea'],
  ['parent', 'bytea'],
  ['size', 'integer'],
  ['head', 'text'],
  ['at', 'double precision'],
  ['is_settled', 'boolean'],
  ['is_owed', 'boolean'],
  ['asking', 'integer'],
  ['awaits', 'integer'],
  ['rank', 'text'],
  ['chart', 'text'],
  ['due', 'double precision'],
  ['task_class', 'text'],
  ['tools', 'text[]'],
  ['is_turn', 'boolean'],
  ['summary', 'text'],
  ['deadlines', 'text'],
  ['intents', 'text'],
  ['snapshot', 'text'],
  ['body', 'text'],
  ['messages', 'bytea[]'],
  ['jtis', 'bytea[]'],
  ['actions', 'bytea[]'],
  ['rewritten', 'integer[]'],
  ['bodies', 'text[]'],
  ['gone', 'bytea[]'],
  ['gone_from', 'integer[]'],
  ['regulated', 'jsonb'],
] as const;

/** Those of the function that the release before this one calls. */
const earlierParameters = parameters.slice(0, -1);

type Given = (typeof parameters)[number];

/** The name of a parameter of `commit_step`. */
export type Parameter = Given[0];

/** The SQLSTATE of a step that would be answered before it is on the disk. */
const notOnDisk = 'AC003';

/** The SQLSTATE of the first step of a task without a snapshot. */
export const noSnapshot = 'AC002';

/** What a layout adds to the function that commits a step. */
interface Layers {
  readonly also?: string;
  readonly first?: string;
  readonly regulated?: string;
  readonly given?: readonly Given[];
}

/**
 * Commits a step in one round trip. Locks are taken in one order, so that commits never wait in a circle: the place of a
 * new task, its row, quotas by name, its key, its approvals by name, its share of the counts. The options are what later layouts update
 * (`also`), and check.
 */
const commitStep = (
  schema: string,
  { also = '', first = '', regulated = '', given = earlierParameters }: Layers = {},
): string => `
CREATE OR REPLACE FUNCTION "${schema}".commit_step(${given.map(([name, type]) => `p_${name} ${type}`).join(', ')})
RETURNS text LANGUAGE plpgsql AS $function$
DECLARE
  v_task record;
  v_used record;
  is_new boolean;
  v_place bigint;
BEGIN
  ${first}IF p_seq = 0 THEN
    -- tasks become visible in the order of their places: the row is locked until the commit
    UPDATE "${schema}".place SET last = last + 1 RETURNING last INTO v_place;
  END IF;
  SELECT t.id, t.size, t.fence, t.holder, t.is_settled, t.asking INTO v_task
    FROM "${schema}".task AS t WHERE t.task_id = p_task_id FOR UPDATE;
  is_new := NOT FOUND;
  IF p_fence IS NOT NULL THEN
    IF is_new AND (p_seq <> 0 OR p_fence <> 1) THEN RETURN 'fenced'; END IF;
    IF NOT is_new AND (v_task.fence <> p_fence OR v_task.holder IS DISTINCT FROM p_node) THEN RETURN 'fenced'; END IF;
  END IF;
  IF EXISTS (SELECT FROM "${schema}".step_key AS k WHERE k."key" = p_key) THEN RETURN 'duplicate'; END IF;
  IF p_seq <> (CASE WHEN is_new THEN 0 ELSE v_task.size END) THEN RETURN 'conflict'; END IF;
  IF NOT is_new THEN v_place := v_task.id; END IF;
  ${regulated}  IF p_key IS NOT NULL THEN
    INSERT INTO "${schema}".step_key VALUES (p_key, v_place, p_seq) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN RETURN 'duplicate'; END IF; -- written since the check
  END IF;
  IF cardinality(p_jtis) > 0 THEN
    BEGIN
      FOR v_used IN SELECT DISTINCT u.jti, u.action FROM unnest(p_jtis, p_actions) AS u (jti, action) ORDER BY 1, 2 LOOP
        INSERT INTO "${schema}".approval AS a VALUES (v_used.jti, v_used.action, p_seq)
          ON CONFLICT (jti) DO UPDATE SET seq = excluded.seq WHERE a.action = excluded.action AND a.seq < excluded.seq;
        IF NOT FOUND THEN RAISE EXCEPTION USING ERRCODE = 'AC001'; END IF;
      END LOOP;
    EXCEPTION WHEN SQLSTATE 'AC001' THEN
      DELETE FROM "${schema}".step_key AS k WHERE k."key" = p_key;
      RETURN 'spent';
    END;
  END IF;
  IF is_new THEN
    IF p_snapshot IS NULL THEN RAISE EXCEPTION 'the first step of a task has a snapshot' USING ERRCODE = '${noSnapshot}'; END IF;
    INSERT INTO "${schema}".task (id, task_id, thread_id, parent, size, head, at, is_settled, is_owed, asking, awaits, rank,
        chart, due, task_class, tools, is_turn, fence, holder, lapses, changed, writer, summary, deadlines, intents, snapshot)
      VALUES (v_place, p_task_id, p_thread_id, p_parent, p_size, p_head, p_at, p_is_settled, p_is_owed, p_asking, p_awaits,
        p_rank, p_chart, p_due, p_task_class, p_tools, coalesce(p_is_turn, false), coalesce(p_fence, 0), CASE WHEN p_fence IS NOT NULL THEN p_node END,
        CASE WHEN p_fence IS NOT NULL THEN clock_timestamp() + p_lease * interval '1 ms' END, pg_current_xact_id(), p_node,
        p_summary, p_deadlines, p_intents, p_snapshot);
  ELSE
    UPDATE "${schema}".task AS t SET thread_id = p_thread_id, parent = p_parent, size = p_size, head = p_head, at = p_at,
        is_settled = p_is_settled, is_owed = p_is_owed, asking = p_asking, awaits = p_awaits, rank = p_rank,
        chart = p_chart, due = p_due, task_class = coalesce(p_task_class, t.task_class), tools = coalesce(p_tools, t.tools),
        is_turn = coalesce(p_is_turn, t.is_turn),
        ${also}changed = pg_current_xact_id(), writer = p_node, summary = p_summary, deadlines = p_deadlines, intents = p_intents,
        snapshot = coalesce(p_snapshot, t.snapshot)
      WHERE t.id = v_place;
  END IF;
  INSERT INTO "${schema}".record VALUES (v_place, p_seq, p_body);
  IF cardinality(p_messages) > 0 THEN
    INSERT INTO "${schema}".message (id, task, seq) SELECT m.id, v_place, p_seq FROM unnest(p_messages) AS m (id);
  END IF;
  IF cardinality(p_rewritten) > 0 THEN
    UPDATE "${schema}".record AS r SET body = n.body FROM unnest(p_rewritten, p_bodies) AS n (seq, body)
      WHERE r.task = v_place AND r.seq = n.seq;
    DELETE FROM "${schema}".message AS m USING unnest(p_gone, p_gone_from) AS g (id, seq)
      WHERE m.id = g.id AND m.task = v_place AND m.seq = g.seq;
  END IF;
  IF is_new OR v_task.is_settled <> p_is_settled OR v_task.asking <> p_asking THEN
    UPDATE "${schema}".tally AS c SET
        tasks = c.tasks + CASE WHEN is_new THEN 1 ELSE 0 END,
        settled = c.settled + p_is_settled::int - CASE WHEN is_new THEN 0 ELSE v_task.is_settled::int END,
        asking = c.asking + (p_asking > 0)::int - CASE WHEN is_new THEN 0 ELSE (v_task.asking > 0)::int END,
        questions = c.questions + p_asking - CASE WHEN is_new THEN 0 ELSE v_task.asking END
      WHERE c.shard = v_place % ${shards};
  END IF;
  IF p_fence IS NULL THEN
    -- the holder, or those who may take the task, learn of it before they poll
    PERFORM pg_notify('${channelOf(schema)}', '');
  END IF;
  RETURN 'ok';
END
$function$;
`;

const noAttempts = 'attempts = CASE WHEN p_fence IS NULL THEN t.attempts ELSE 0 END, ';

/** A role can be changed while its connections are replaced one by one. */
const onDisk = `IF current_setting('synchronous_commit') = 'off' THEN RAISE EXCEPTION USING ERRCODE = '${notOnDisk}'; END IF;
  `;

const checkRegulated = (schema: string): string => `IF p_regulated IS NOT NULL THEN
    -- the lock of FOR KEY SHARE keeps a pause that begins meanwhile waiting until this step is written
    PERFORM FROM "${schema}".pause AS s WHERE s.ended_at IS NULL
      AND s.subject IN (SELECT jsonb_array_elements_text(p_regulated -> 'begins')) FOR KEY SHARE;
    IF FOUND THEN RETURN 'held'; END IF;
    IF p_regulated -> 'claims' <> '[]' OR p_regulated -> 'releases' <> '[]' THEN
      BEGIN
        IF NOT "${schema}".regulate(v_place, p_regulated -> 'claims', p_regulated -> 'releases') THEN
          RAISE EXCEPTION USING ERRCODE = 'AC004';
        END IF;
      EXCEPTION WHEN SQLSTATE 'AC004' THEN
        RETURN 'held';
      END;
    END IF;
  END IF;
  `;

/** The migrations from each layout of a schema to the next. The function of an earlier layout stays for the release before. */
export const migrations: readonly ((schema: string) => string)[] = [
  (schema) => tables(schema) + commitStep(schema),
  (schema) => attempts(schema) + commitStep(schema, { also: noAttempts }),
  (schema) => commitStep(schema, { also: noAttempts, first: onDisk }),
  (schema) =>
    regulation(schema) +
    pruning(schema) +
    commitStep(schema, {
      also: noAttempts,
      first: onDisk,
      regulated: checkRegulated(schema),
      given: parameters,
    }),
];
