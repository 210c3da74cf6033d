import { nameInSql } from './names.ts';

/** The SQLite application id of our files: `AgCh`. */
export const applicationId = 0x41_67_43_68;

const first = `
CREATE TABLE task (
  id INTEGER PRIMARY KEY,
  taskId TEXT NOT NULL UNIQUE,
  threadId TEXT NOT NULL,
  parent TEXT,
  size INTEGER NOT NULL,
  head TEXT NOT NULL,
  at REAL NOT NULL,
  isSettled INTEGER NOT NULL,
  isOwed INTEGER NOT NULL,
  asking INTEGER NOT NULL,
  isAsking INTEGER GENERATED ALWAYS AS (asking > 0) VIRTUAL,
  summary TEXT NOT NULL,
  intents TEXT NOT NULL,
  snapshot TEXT NOT NULL
) STRICT;
CREATE INDEX taskOfThread ON task (threadId);
CREATE INDEX taskOfParent ON task (parent) WHERE parent IS NOT NULL;
CREATE INDEX taskUnsettled ON task (isSettled) WHERE isSettled = 0;
CREATE INDEX taskOwed ON task (isOwed) WHERE isOwed = 1;
CREATE INDEX taskAsking ON task (isAsking) WHERE isAsking = 1;

CREATE TABLE record (
  id INTEGER PRIMARY KEY,
  task INTEGER NOT NULL REFERENCES task,
  seq INTEGER NOT NULL,
  "key" TEXT,
  text TEXT NOT NULL,
  UNIQUE (task, seq)
) STRICT;
CREATE UNIQUE INDEX recordOfKey ON record ("key") WHERE "key" IS NOT NULL;

CREATE TABLE document (
  id INTEGER PRIMARY KEY,
  record INTEGER NOT NULL REFERENCES record,
  name TEXT NOT NULL,
  digest TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX documentOfRecord ON document (record);

CREATE TABLE emission (
  id INTEGER PRIMARY KEY,
  record INTEGER NOT NULL REFERENCES record,
  name TEXT NOT NULL,
  digest TEXT NOT NULL,
  messageId TEXT,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX emissionOfRecord ON emission (record);
CREATE INDEX emissionOfMessage ON emission (messageId) WHERE messageId IS NOT NULL;

CREATE TABLE deadline (
  task INTEGER NOT NULL REFERENCES task,
  position INTEGER NOT NULL,
  "of" TEXT NOT NULL,
  id TEXT NOT NULL,
  at REAL NOT NULL,
  PRIMARY KEY (task, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX deadlineAt ON deadline (at);

CREATE TABLE approval (
  jti TEXT PRIMARY KEY,
  action TEXT NOT NULL,
  seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** The owner of the file: one row, which each owner rewrites. */
const second = `
CREATE TABLE owner (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  number INTEGER NOT NULL,
  mark TEXT NOT NULL
) STRICT;
`;

const tallyTriggers = `CREATE TRIGGER taskBegan AFTER INSERT ON task BEGIN
  UPDATE tally SET tasks = tasks + 1, settled = settled + new.isSettled, asking = asking + (new.asking > 0),
    questions = questions + new.asking;
END;
CREATE TRIGGER taskChanged AFTER UPDATE OF isSettled, asking ON task
WHEN new.isSettled <> old.isSettled OR new.asking <> old.asking BEGIN
  UPDATE tally SET settled = settled + new.isSettled - old.isSettled,
    asking = asking + (new.asking > 0) - (old.asking > 0), questions = questions + new.asking - old.asking;
END;
CREATE TRIGGER taskRemoved AFTER DELETE ON task BEGIN
  UPDATE tally SET tasks = tasks - 1, settled = settled - old.isSettled, asking = asking - (old.asking > 0),
    questions = questions - old.asking;
END;
`;

/**
 * Pages and counts: an index for each filter of the task index, and the counts of all tasks. Tasks of earlier layouts
 * have no rank.
 */
const third = `
ALTER TABLE task ADD COLUMN awaits INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task ADD COLUMN rank TEXT NOT NULL DEFAULT '';
ALTER TABLE task ADD COLUMN chart TEXT NOT NULL DEFAULT '';
UPDATE task SET
  awaits = (SELECT count(*) FROM deadline WHERE task = task.id AND "of" = 'dependency'),
  chart = coalesce(CASE WHEN json_valid(summary) THEN CAST(json_extract(summary, '$.chart') AS TEXT) END, '');
CREATE INDEX taskSettled ON task (isSettled) WHERE isSettled = 1;
CREATE INDEX taskIdle ON task (isSettled) WHERE isSettled = 0 AND isOwed = 0 AND asking = 0 AND awaits = 0;
CREATE INDEX taskNested ON task (isSettled) WHERE isSettled = 0 AND parent IS NOT NULL;
CREATE INDEX taskUrgent ON task (rank) WHERE isAsking = 1;
CREATE INDEX taskOfChart ON task (chart) WHERE isSettled = 0;

CREATE TABLE tally (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  tasks INTEGER NOT NULL,
  settled INTEGER NOT NULL,
  asking INTEGER NOT NULL,
  questions INTEGER NOT NULL
) STRICT;
INSERT INTO tally
  SELECT 1, count(*), coalesce(sum(isSettled), 0), coalesce(sum(asking > 0), 0), coalesce(sum(asking), 0) FROM task;
${tallyTriggers}`;

/** The tables that the fourth layout writes anew, children first. */
const replaced = ['document', 'emission', 'deadline', 'record', 'task'];

/**
 * One row for a step, in place of one for each of its documents. A record of layout 3 is one text, its documents are
 * others: they are joined as texts, so that what is no JSON stays what it is, and is reported for its task alone.
 */
const fourth = `
DROP TRIGGER taskBegan;
DROP TRIGGER taskChanged;
DROP TRIGGER taskRemoved;
${replaced.map((table) => `ALTER TABLE ${table} RENAME TO old_${table};`).join('\n')}
${['Thread', 'Parent', 'Chart'].map((name) => `DROP INDEX taskOf${name};`).join('\n')}
${['Unsettled', 'Settled', 'Owed', 'Asking', 'Idle', 'Nested', 'Urgent'].map((name) => `DROP INDEX task${name};`).join('\n')}

CREATE TABLE task (
  id INTEGER PRIMARY KEY,
  taskId BLOB NOT NULL UNIQUE,
  threadId BLOB NOT NULL,
  parent BLOB,
  size INTEGER NOT NULL,
  at REAL NOT NULL,
  isSettled INTEGER NOT NULL,
  isOwed INTEGER NOT NULL,
  asking INTEGER NOT NULL,
  isAsking INTEGER GENERATED ALWAYS AS (asking > 0) VIRTUAL,
  awaits INTEGER NOT NULL,
  rank TEXT NOT NULL,
  chart TEXT NOT NULL,
  due REAL
) STRICT;
INSERT INTO task (id, taskId, threadId, parent, size, at, isSettled, isOwed, asking, awaits, rank, chart, due)
SELECT id, ${nameInSql('taskId')}, ${nameInSql('threadId')}, ${nameInSql('parent')}, size, at,
  isSettled, isOwed, asking, awaits, rank, chart, (SELECT min(at) FROM old_deadline WHERE task = old_task.id)
FROM old_task;
CREATE INDEX taskOfThread ON task (threadId);
CREATE INDEX taskOfParent ON task (parent) WHERE parent IS NOT NULL;
CREATE INDEX taskUnsettled ON task (isSettled) WHERE isSettled = 0;
CREATE INDEX taskSettled ON task (isSettled) WHERE isSettled = 1;
CREATE INDEX taskOwed ON task (isOwed) WHERE isOwed = 1;
CREATE INDEX taskAsking ON task (isAsking) WHERE isAsking = 1;
CREATE INDEX taskUrgent ON task (rank) WHERE isAsking = 1;
CREATE INDEX taskIdle ON task (isSettled) WHERE isSettled = 0 AND isOwed = 0 AND asking = 0 AND awaits = 0;
CREATE INDEX taskNested ON task (isSettled) WHERE isSettled = 0 AND parent IS NOT NULL;
CREATE INDEX taskOfChart ON task (chart) WHERE isSettled = 0;
CREATE INDEX taskDue ON task (due) WHERE due IS NOT NULL;

CREATE TABLE record (
  id INTEGER PRIMARY KEY,
  task INTEGER NOT NULL REFERENCES task,
  seq INTEGER NOT NULL,
  body ANY NOT NULL,
  head BLOB,
  summary TEXT,
  intents TEXT,
  deadlines TEXT,
  snapshot TEXT,
  UNIQUE (task, seq)
) STRICT;
INSERT INTO record (id, task, seq, body)
SELECT id, task, seq, '{"record":' || substr(text, 1, length(text) - 1) || ',"brought":{' || coalesce((
    SELECT group_concat(json_quote(name) || ':' || text, ',' ORDER BY id) FROM old_document WHERE record = old_record.id
  ), '') || '}},"emissions":[' || coalesce((
    SELECT group_concat('{"name":' || json_quote(name) || ',"document":' || text || '}', ',' ORDER BY id)
    FROM old_emission WHERE record = old_record.id
  ), '') || ']}'
FROM old_record;
UPDATE record SET head = ${nameInSql('old_task.head')}, summary = old_task.summary, intents = old_task.intents, snapshot = old_task.snapshot, deadlines = (
    SELECT '[' || coalesce(group_concat('{"of":' || json_quote("of") || ',"id":' || json_quote(id) || ',"at":'
      || json_quote(at) || '}', ',' ORDER BY position), '') || ']' FROM old_deadline WHERE task = old_task.id)
FROM old_task WHERE old_task.id = record.task AND record.seq = (
    SELECT max(seq) FROM old_record WHERE task = old_task.id);

CREATE TABLE stepKey (
  "key" BLOB PRIMARY KEY,
  task INTEGER NOT NULL REFERENCES task,
  seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO stepKey SELECT ${nameInSql('"key"')}, task, seq FROM old_record WHERE "key" IS NOT NULL;

CREATE TABLE message (
  id BLOB NOT NULL,
  record INTEGER NOT NULL,
  task INTEGER NOT NULL REFERENCES task,
  seq INTEGER NOT NULL,
  PRIMARY KEY (id, record)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO message
SELECT ${nameInSql('messageId')}, record, task, seq FROM old_emission JOIN old_record ON old_record.id = record
WHERE messageId IS NOT NULL ORDER BY old_emission.id;

${replaced.map((table) => `DROP TABLE old_${table};`).join('\n')}

${tallyTriggers}`;

/**
 * Pauses, and what tasks count against quotas; and what is left of pruned tasks. Keys and messages outlive their task, so that they no
 * longer refer to one.
 */
const fifth = `
CREATE TABLE pause (
  id INTEGER PRIMARY KEY,
  subject TEXT NOT NULL,
  said TEXT NOT NULL,
  at REAL NOT NULL,
  endedBy TEXT,
  endedAt REAL
) STRICT;
CREATE UNIQUE INDEX pauseLasting ON pause (subject) WHERE endedAt IS NULL;

CREATE TABLE quota (
  name TEXT NOT NULL,
  "window" TEXT NOT NULL,
  used REAL NOT NULL,
  PRIMARY KEY (name, "window")
) STRICT, WITHOUT ROWID;

CREATE TABLE claim (
  task INTEGER NOT NULL,
  "call" TEXT NOT NULL,
  quota TEXT NOT NULL,
  "window" TEXT NOT NULL,
  amount REAL NOT NULL,
  PRIMARY KEY (task, "call", quota)
) STRICT, WITHOUT ROWID;

CREATE TABLE pruned (
  id INTEGER PRIMARY KEY,
  taskId BLOB NOT NULL UNIQUE,
  threadId BLOB NOT NULL,
  size INTEGER NOT NULL,
  head BLOB NOT NULL,
  at REAL NOT NULL,
  prunedAt REAL NOT NULL
) STRICT;
CREATE INDEX prunedOfThread ON pruned (threadId);

ALTER TABLE stepKey RENAME TO old_stepKey;
CREATE TABLE stepKey (
  "key" BLOB PRIMARY KEY,
  task INTEGER NOT NULL,
  seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO stepKey SELECT * FROM old_stepKey;
DROP TABLE old_stepKey;

ALTER TABLE message RENAME TO old_message;
CREATE TABLE message (
  id BLOB NOT NULL,
  record INTEGER NOT NULL,
  task INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (id, record)
) STRICT, WITHOUT ROWID;
INSERT INTO message SELECT * FROM old_message;
DROP TABLE old_message;
`;

/** The migrations from each layout to the next; `user_version` counts those that were applied. */
export const migrations: readonly string[] = [first, second, third, fourth, fifth];
