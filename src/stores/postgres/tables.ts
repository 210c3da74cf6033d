/** The number of rows that share the counts, so that commits of different tasks rarely wait for each other. */
export const shards = 32;

export const tables = (schema: string): string => `
CREATE TABLE "${schema}".place (last bigint NOT NULL);
INSERT INTO "${schema}".place VALUES (0);

CREATE TABLE "${schema}".task (
  id bigint PRIMARY KEY,
  task_id bytea NOT NULL UNIQUE,
  thread_id bytea NOT NULL,
  parent bytea,
  size integer NOT NULL,
  head text NOT NULL,
  at double precision NOT NULL,
  is_settled boolean NOT NULL,
  is_owed boolean NOT NULL,
  asking integer NOT NULL,
  awaits integer NOT NULL,
  rank text COLLATE "C" NOT NULL,
  chart text COLLATE "C" NOT NULL,
  due double precision,
  task_class text COLLATE "C",
  tools text[] COLLATE "C",
  is_turn boolean NOT NULL DEFAULT false,
  fence bigint NOT NULL,
  holder uuid,
  lapses timestamptz,
  lapsed_fence bigint,
  lapsed_at timestamptz,
  changed xid8 NOT NULL,
  writer uuid NOT NULL,
  summary text NOT NULL,
  deadlines text NOT NULL,
  intents text NOT NULL,
  snapshot text NOT NULL
);
CREATE INDEX task_of_thread ON "${schema}".task (thread_id, id);
CREATE INDEX task_of_parent ON "${schema}".task (parent, id) WHERE parent IS NOT NULL;
CREATE INDEX task_unsettled ON "${schema}".task (id) WHERE NOT is_settled;
CREATE INDEX task_settled ON "${schema}".task (id) WHERE is_settled;
CREATE INDEX task_owed ON "${schema}".task (id) WHERE is_owed;
CREATE INDEX task_asking ON "${schema}".task (id) WHERE asking > 0;
CREATE INDEX task_urgent ON "${schema}".task (rank, id) WHERE asking > 0;
CREATE INDEX task_idle ON "${schema}".task (id) WHERE NOT is_settled AND NOT is_owed AND asking = 0 AND awaits = 0;
CREATE INDEX task_nested ON "${schema}".task (id) WHERE NOT is_settled AND parent IS NOT NULL;
CREATE INDEX task_of_chart ON "${schema}".task (chart, id) WHERE NOT is_settled;
CREATE INDEX task_due ON "${schema}".task (due, id) WHERE due IS NOT NULL;
CREATE INDEX task_changed ON "${schema}".task (changed);

CREATE TABLE "${schema}".record (
  task bigint NOT NULL,
  seq integer NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (task, seq)
);

CREATE TABLE "${schema}".step_key ("key" bytea PRIMARY KEY, task bigint NOT NULL, seq integer NOT NULL);

CREATE TABLE "${schema}".message (
  id bytea NOT NULL,
  place bigint GENERATED ALWAYS AS IDENTITY,
  task bigint NOT NULL,
  seq integer NOT NULL,
  PRIMARY KEY (id, place)
);

CREATE TABLE "${schema}".approval (jti bytea PRIMARY KEY, action bytea NOT NULL, seq integer NOT NULL);

CREATE TABLE "${schema}".tally (
  shard integer PRIMARY KEY,
  tasks bigint NOT NULL DEFAULT 0,
  settled bigint NOT NULL DEFAULT 0,
  asking bigint NOT NULL DEFAULT 0,
  questions bigint NOT NULL DEFAULT 0
);
INSERT INTO "${schema}".tally (shard) SELECT generate_series(0, ${shards - 1});
`;

/** The holds of a task that lapsed in a row without a record of their holders; the current one is not among them. */
export const attempts = (schema: string): string => `
ALTER TABLE "${schema}".task ADD COLUMN attempts integer NOT NULL DEFAULT 0;
CREATE INDEX task_attempted ON "${schema}".task (id) WHERE attempts > 0;
`;

/** Pauses, and what tasks count against quotas: a row for each call or task, and one for their sum. */
export const regulation = (schema: string): string => `
CREATE TABLE "${schema}".pause (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject text COLLATE "C" NOT NULL,
  said text NOT NULL,
  at double precision NOT NULL,
  ended_by text,
  ended_at double precision
);
CREATE UNIQUE INDEX pause_lasting ON "${schema}".pause (subject) WHERE ended_at IS NULL;

CREATE TABLE "${schema}".quota (
  name text COLLATE "C" NOT NULL,
  "window" text COLLATE "C" NOT NULL,
  used double precision NOT NULL,
  PRIMARY KEY (name, "window")
);

CREATE TABLE "${schema}".claim (
  task bigint NOT NULL,
  call text COLLATE "C" NOT NULL,
  quota text COLLATE "C" NOT NULL,
  "window" text COLLATE "C" NOT NULL,
  amount double precision NOT NULL,
  PRIMARY KEY (task, call, quota)
);

-- begins a pause; a step that began before it is written by then
CREATE FUNCTION "${schema}".begin_pause(p_subject text, p_said text, p_at double precision)
RETURNS boolean LANGUAGE plpgsql AS $function$
BEGIN
  LOCK TABLE "${schema}".pause IN EXCLUSIVE MODE;
  INSERT INTO "${schema}".pause (subject, said, at) VALUES (p_subject, p_said, p_at) ON CONFLICT DO NOTHING;
  RETURN FOUND;
END
$function$;

-- counts what a step claims, and no longer what it releases; false, and half done, if it is held
CREATE FUNCTION "${schema}".regulate(p_task bigint, p_claims jsonb, p_releases jsonb)
RETURNS boolean LANGUAGE plpgsql AS $function$
DECLARE
  v record;
  v_used double precision;
BEGIN
  FOR v IN
    SELECT g.quota, g."window", g.call, g.amount, g.most, false AS is_release
      FROM jsonb_to_recordset(p_claims) AS g (quota text, "window" text, call text, amount double precision, most double precision)
      WHERE NOT EXISTS (SELECT FROM "${schema}".claim AS c WHERE c.task = p_task AND c.call = g.call AND c.quota = g.quota)
    UNION ALL SELECT c.quota, c."window", c.call, c.amount, NULL, true
      FROM jsonb_to_recordset(p_releases) AS r (call text, "isUndone" boolean)
        JOIN "${schema}".claim AS c ON c.task = p_task AND (r.call IS NULL OR c.call = r.call) AND (c."window" = '' OR r."isUndone")
    ORDER BY 1, 2, 6 DESC, 3
  LOOP
    IF v.is_release THEN
      UPDATE "${schema}".quota AS q SET used = greatest(0, q.used - v.amount) WHERE q.name = v.quota AND q."window" = v."window";
      DELETE FROM "${schema}".claim AS c WHERE c.task = p_task AND c.call = v.call AND c.quota = v.quota;
    ELSE
      INSERT INTO "${schema}".quota AS q VALUES (v.quota, v."window", v.amount)
        ON CONFLICT (name, "window") DO UPDATE SET used = q.used + excluded.used RETURNING q.used INTO v_used;
      IF v_used > v.most THEN RETURN false; END IF;
      INSERT INTO "${schema}".claim VALUES (p_task, v.call, v.quota, v."window", v.amount);
    END IF;
  END LOOP;
  RETURN true;
END
$function$;

-- also for a release that knows no quotas: the places of a settled task are free
CREATE FUNCTION "${schema}".free_places() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  PERFORM "${schema}".regulate(NEW.id, '[]', '[{"call": null, "isUndone": false}]');
  RETURN NULL;
END
$function$;
CREATE TRIGGER task_settles AFTER UPDATE OF is_settled ON "${schema}".task FOR EACH ROW
  WHEN (NEW.is_settled AND NOT OLD.is_settled) EXECUTE FUNCTION "${schema}".free_places();
`;

/** What is left of pruned tasks: keys, messages and approvals still name them. */
export const pruning = (schema: string): string => `
CREATE TABLE "${schema}".pruned (
  id bigint PRIMARY KEY,
  task_id bytea NOT NULL UNIQUE,
  thread_id bytea NOT NULL,
  size integer NOT NULL,
  head text NOT NULL,
  at double precision NOT NULL,
  pruned_at double precision NOT NULL
);
CREATE INDEX pruned_of_thread ON "${schema}".pruned (thread_id);

-- removes settled tasks that are as they were read, and that no other task goes on from; false, and nothing is removed, otherwise
CREATE FUNCTION "${schema}".prune_tasks(p_tasks bytea[], p_sizes integer[], p_at double precision)
RETURNS boolean LANGUAGE plpgsql AS $function$
DECLARE
  v_ids bigint[];
BEGIN
  SELECT array_agg(t.id) INTO v_ids FROM (
    SELECT t.id FROM "${schema}".task AS t JOIN unnest(p_tasks, p_sizes) AS g (task_id, size) ON t.task_id = g.task_id AND t.size = g.size
    WHERE t.is_settled AND (t.holder IS NULL OR t.lapses < clock_timestamp()) ORDER BY t.id FOR UPDATE OF t) AS t;
  IF coalesce(cardinality(v_ids), 0) <> cardinality(p_tasks) THEN RETURN false; END IF;
  IF EXISTS (SELECT FROM "${schema}".task AS o JOIN "${schema}".task AS t
      ON o.thread_id = t.thread_id OR o.parent = t.task_id OR o.task_id = t.parent
      WHERE t.id = ANY (v_ids) AND o.id <> ALL (v_ids)) THEN RETURN false; END IF;
  INSERT INTO "${schema}".pruned
    SELECT id, task_id, thread_id, size, head, at, p_at FROM "${schema}".task WHERE id = ANY (v_ids);
  DELETE FROM "${schema}".record WHERE task = ANY (v_ids);
  DELETE FROM "${schema}".claim WHERE task = ANY (v_ids) AND "window" = '';
  DELETE FROM "${schema}".task WHERE id = ANY (v_ids);
  UPDATE "${schema}".tally AS c SET tasks = c.tasks - g.count, settled = c.settled - g.count
    FROM (SELECT id % ${shards} AS shard, count(*) AS count FROM unnest(v_ids) AS i (id) GROUP BY 1) AS g WHERE c.shard = g.shard;
  RETURN true;
END
$function$;
`;
