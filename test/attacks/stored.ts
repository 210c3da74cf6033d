import { expect } from 'vitest';
import type { Attack } from './attack.ts';
import { changed, changedOwed, last, mine, recordAt, setTask, type Change, type Robbery } from './robbery.ts';

const snapshots: readonly Attack[] = (
  [
    [
      'a stored snapshot that is moved to another state',
      setTask("snapshot = replace(snapshot, 'needsHumanDecision', 'completed')"),
      'an edited snapshot',
    ],
    [
      'a stored snapshot whose plan is surer than it was',
      setTask(`snapshot = replace(snapshot, '"confidence":0.1', '"confidence":0.9')`),
      'an edited snapshot',
    ],
    [
      'a stored snapshot whose question is gone',
      setTask(`snapshot = json_set(snapshot, '$.context.questions', json('{}'))`),
      'an edited snapshot',
    ],
    [
      'a stored snapshot of one more attempt',
      setTask(`snapshot = json_set(snapshot, '$.context.attempt', 7)`),
      'an edited snapshot',
    ],
    [
      'a stored snapshot that is written in another order',
      setTask(`snapshot = json_patch('{"zero":0}', json_remove(snapshot, '$.zero'))`),
      'an edited snapshot',
    ],
    [
      'an older snapshot of the same task',
      ({ site, broken, steps }: Robbery) => {
        const older = steps.filter(({ snapshot }) => snapshot !== null).at(-2)?.snapshot ?? '';
        site.sql('UPDATE task SET snapshot = ? WHERE taskId = ?', older, broken);
      },
      'an edited snapshot',
    ],
    [
      'the snapshot of another task',
      ({ site, broken, sound }: Robbery) =>
        site.sql(
          `UPDATE task SET snapshot = (SELECT snapshot FROM task WHERE taskId = ?) WHERE taskId = ?`,
          sound,
          broken,
        ),
      'an edited snapshot',
    ],
    ['no snapshot at all', setTask("snapshot = ''"), 'a broken snapshot'],
    ['a snapshot that is null', setTask("snapshot = 'null'"), 'a broken snapshot'],
    ['a snapshot of nothing', setTask("snapshot = '{}'"), 'a broken snapshot'],
    ['a snapshot that is no JSON', setTask('snapshot = substr(snapshot, 1, 40)'), 'a broken snapshot'],
  ] as const
).map(([attempt, change, trap]) => {
  const checked: Change = (one) => {
    const before = one.site.sql('SELECT snapshot FROM task');
    change(one);
    expect(one.site.sql('SELECT snapshot FROM task')).not.toEqual(before);
  };
  return changed(attempt, 'task_corrupted', checked, { trap });
});

const inText = (table: 'document' | 'emission', from: string, to: string): Change => {
  const ours = `record IN (SELECT id FROM record WHERE task = ${mine})`;
  return ({ site, broken }) => {
    expect(site.sql(`SELECT id FROM ${table} WHERE instr(text, ?) AND ${ours}`, from, broken)).not.toEqual(
      [],
    );
    site.sql(`UPDATE ${table} SET text = replace(text, ?, ?) WHERE ${ours}`, from, to, broken);
  };
};

/** Takes a record out; what it emitted stays, as if another had. */
const dropRecord = ({ site, broken }: Robbery, record: string, ...values: readonly number[]): void => {
  const id = Number(site.sql(`SELECT id FROM record WHERE id = ${record}`, ...values, broken)[0]?.['id']);
  site.sql('DELETE FROM document WHERE record = ?', id);
  site.sql(
    `UPDATE emission SET record = (SELECT max(id) FROM record WHERE id <> ? AND task = ${mine}) WHERE record = ?`,
    id,
    broken,
    id,
  );
  site.sql('DELETE FROM record WHERE id = ?', id);
};

const rows: readonly Attack[] = (
  [
    [
      'a record that names another actor',
      ({ site, broken }) =>
        site.sql(`UPDATE record SET text = replace(text, '"agent"', '"human"') WHERE task = ${mine}`, broken),
    ],
    [
      'a fact whose confidence is raised',
      ({ site, broken }) =>
        site.sql(
          `UPDATE record SET text = replace(text, '"confidence":0.1', '"confidence":0.9') WHERE task = ${mine}`,
          broken,
        ),
    ],
    ['the last record dropped', (one) => dropRecord(one, last)],
    [
      'the last record dropped, and the size set back',
      (one) => {
        dropRecord(one, last);
        setTask('size = size - 1')(one);
      },
    ],
    ['the first record dropped', (one) => dropRecord(one, recordAt, 0)],
    ['a record in the middle dropped', (one) => dropRecord(one, recordAt, 1)],
    ['every record dropped but the first', (one) => one.steps.slice(1).forEach(() => dropRecord(one, last))],
    [
      'a record after the last one',
      ({ site, broken }) =>
        site.sql(
          `INSERT INTO record (task, seq, text) SELECT task, seq + 1, text FROM record WHERE id = ${last}`,
          broken,
        ),
    ],
    [
      'a record that is no JSON',
      ({ site, broken }) => site.sql(`UPDATE record SET text = 'gone' WHERE id = ${last}`, broken),
    ],
    [
      'a record of another task',
      ({ site, broken, sound }) =>
        site.sql(
          `UPDATE record SET text = (SELECT text FROM record WHERE seq = 2 AND task = ${mine}) WHERE id = ${recordAt}`,
          sound,
          2,
          broken,
        ),
    ],
    ['a plan that names another receiver', inText('document', 'NL91', 'XX00')],
    ['a plan of another amount', inText('document', '"amount":100', '"amount":999')],
    ['a contract that asks no person', inText('document', '"threshold":', '"threshold":0.0,"was":')],
    [
      'a document that is gone',
      ({ site, broken }) => site.sql(`DELETE FROM document WHERE record = ${last}`, broken),
    ],
    [
      'a document that is no JSON',
      ({ site, broken }) => site.sql(`UPDATE document SET text = '{' WHERE record = ${last}`, broken),
    ],
    [
      'a document that no record names',
      ({ site, broken }) =>
        site.sql(
          `INSERT INTO document (record, name, digest, text) VALUES (${last}, 'met', 'sha256:0', '{}')`,
          broken,
        ),
    ],
    ['a message that says something else', inText('emission', 'This is what I would do.', 'All is done.')],
    [
      'a message that is gone',
      ({ site, broken }) =>
        site.sql(
          `DELETE FROM emission WHERE id = (SELECT min(id) FROM emission WHERE record IN (SELECT id FROM record WHERE task = ${mine}))`,
          broken,
        ),
    ],
    [
      'a message that no agent sent',
      ({ site, broken }) =>
        site.sql(
          `INSERT INTO emission (record, name, digest, text) SELECT record, name, digest, text FROM emission WHERE record = ${last} LIMIT 1`,
          broken,
        ),
    ],
    [
      'a message that is no JSON',
      ({ site, broken }) => site.sql(`UPDATE emission SET text = '' WHERE record = ${last}`, broken),
    ],
    [
      'a message under the name of another document',
      ({ site, broken }) =>
        site.sql(
          `UPDATE emission SET text = json_set(text, '$.payload', json('{"amount":1}')) WHERE record = ${last}`,
          broken,
        ),
    ],
    ['another size of the ledger', setTask('size = size + 1')],
    ['another head of the ledger', setTask('head = ?', `sha256:${'0'.repeat(64)}`)],
    [
      'the head of another task',
      ({ site, broken, sound }) =>
        site.sql(
          'UPDATE task SET head = (SELECT head FROM task WHERE taskId = ?) WHERE taskId = ?',
          sound,
          broken,
        ),
    ],
    ['another name of the task', setTask("taskId = '01a1fef1-0000-7000-8000-000000000000'")],
    ['intents that are no JSON', setTask("intents = '['")],
  ] satisfies readonly (readonly [string, Change])[]
).map(([attempt, change]) => changed(attempt, 'task_corrupted', change));

/** A snapshot that is no text at all; SQLite does not mind. */
const damaged = changed(
  'a snapshot that is no text',
  'task_corrupted',
  setTask("snapshot = CAST(x'ff' AS TEXT)"),
  { trap: 'a broken snapshot' },
);

const owed: readonly Attack[] = [
  changedOwed(
    'a write that began, taken out of the ledger so that it is made again',
    'task_corrupted',
    (one) => dropRecord(one, last),
  ),
  changedOwed(
    'a write that began, taken out of the snapshot so that it is made again',
    'task_corrupted',
    setTask(`snapshot = replace(snapshot, '"started"', '"allowed"')`),
    { trap: 'an edited snapshot' },
  ),
  changedOwed(
    'the snapshot from before a write began',
    'task_corrupted',
    ({ site, broken, steps }) => {
      const older = steps.filter(({ snapshot }) => snapshot !== null).at(-2)?.snapshot ?? '';
      site.sql('UPDATE task SET snapshot = ? WHERE taskId = ?', older, broken);
    },
    { trap: 'an edited snapshot' },
  ),
];

export const stored = [snapshots, rows, damaged, owed].flat();
