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

/** The migrations from each layout to the next; `user_version` counts those that were applied. */
export const migrations: readonly string[] = [first, second];
