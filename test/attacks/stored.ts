import { expect } from 'vitest';
import type { Attack } from './attack.ts';
import {
  changed,
  changedOwed,
  dropRecord,
  editSteps,
  last,
  mine,
  recordAt,
  setBeside,
  setTask,
  type Body,
  type Change,
  type Robbery,
} from './robbery.ts';

const snapshots: readonly Attack[] = (
  [
    [
      'a stored snapshot that is moved to another state',
      setBeside("snapshot = replace(snapshot, 'needsHumanDecision', 'completed')"),
      'an edited snapshot',
    ],
    [
      'a stored snapshot whose plan is surer than it was',
      setBeside(`snapshot = replace(snapshot, '"confidence":0.1', '"confidence":0.9')`),
      'an edited snapshot',
    ],
    [
      'a stored snapshot whose question is gone',
      setBeside(`snapshot = json_set(snapshot, '$.context.questions', json('{}'))`),
      'an edited snapshot',
    ],
    [
      'a stored snapshot of one more attempt',
      setBeside(`snapshot = json_set(snapshot, '$.context.attempt', 7)`),
      'an edited snapshot',
    ],
    [
      'a stored snapshot that is written in another order',
      setBeside(`snapshot = json_patch('{"zero":0}', json_remove(snapshot, '$.zero'))`),
      'an edited snapshot',
    ],
    [
      'an older snapshot of the same task',
      ({ site, broken, steps }: Robbery) => {
        const older = steps.filter(({ snapshot }) => snapshot !== null).at(-2)?.snapshot ?? '';
        site.sql(`UPDATE record SET snapshot = ? WHERE id = ${last}`, older, broken);
      },
      'an edited snapshot',
    ],
    [
      'the snapshot of another task',
      ({ site, broken, sound }: Robbery) =>
        site.sql(
          `UPDATE record SET snapshot = (SELECT snapshot FROM record WHERE id = ${last}) WHERE id = ${last}`,
          sound,
          broken,
        ),
      'an edited snapshot',
    ],
    ['no snapshot at all', setBeside("snapshot = ''"), 'a broken snapshot'],
    ['a snapshot that is null', setBeside("snapshot = 'null'"), 'a broken snapshot'],
    ['a snapshot of nothing', setBeside("snapshot = '{}'"), 'a broken snapshot'],
    ['a snapshot that is no JSON', setBeside('snapshot = substr(snapshot, 1, 40)'), 'a broken snapshot'],
  ] as const
).map(([attempt, change, trap]) => {
  const checked: Change = (one) => {
    const before = one.site.sql('SELECT CAST(snapshot AS BLOB) AS snapshot FROM record');
    change(one);
    expect(one.site.sql('SELECT CAST(snapshot AS BLOB) AS snapshot FROM record')).not.toEqual(before);
  };
  return changed(attempt, 'task_corrupted', checked, { trap });
});

const replaced = (value: unknown, from: string, to: string): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(from, to));

const inDocuments =
  (from: string, to: string): Change =>
  (one) =>
    editSteps(one, ({ record, emissions }) => {
      const brought = replaced(record.brought, from, to) as typeof record.brought;
      return { record: { ...record, brought }, emissions };
    });

const inEmissions =
  (from: string, to: string): Change =>
  (one) =>
    editSteps(one, (body) => ({
      ...body,
      emissions: replaced(body.emissions, from, to) as Body['emissions'],
    }));

const inRecords =
  (from: string, to: string): Change =>
  (one) =>
    editSteps(one, ({ record: { brought, ...core }, emissions }) => ({
      record: { ...(replaced(core, from, to) as typeof core), brought },
      emissions,
    }));

/** Changes the last step. */
const inLast =
  (change: (body: Body) => Body): Change =>
  (one) =>
    editSteps(one, (body) => (body.record.seq === one.steps.length - 1 ? change(body) : body));

/** Changes the text of the last step, which may then be no JSON. */
const lastText = (assignment: string): Change => setBeside(`body = ${assignment}`);

const rows: readonly Attack[] = (
  [
    ['a record that names another actor', inRecords('"agent"', '"human"')],
    ['a fact whose confidence is raised', inRecords('"confidence":0.1', '"confidence":0.9')],
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
          `INSERT INTO record (task, seq, body, summary, intents, deadlines, snapshot)
          SELECT task, seq + 1, body, summary, intents, deadlines, snapshot FROM record WHERE id = ${last}`,
          broken,
        ),
    ],
    ['a record that is no JSON', lastText("'gone'")],
    [
      'a record of another task',
      ({ site, broken, sound }) =>
        site.sql(
          `UPDATE record SET body = (SELECT body FROM record WHERE seq = 2 AND task = ${mine}) WHERE id = ${recordAt}`,
          sound,
          2,
          broken,
        ),
    ],
    ['a plan that names another receiver', inDocuments('NL91', 'XX00')],
    ['a plan of another amount', inDocuments('"amount":100', '"amount":999')],
    ['a contract that asks no person', inDocuments('"threshold":', '"threshold":0.0,"was":')],
    [
      'a document that is gone',
      inLast(({ record, emissions }) => ({ record: { ...record, brought: {} }, emissions })),
    ],
    ['a document that is no JSON', lastText(`replace(body, '"brought":{', '"brought":{{')`)],
    [
      'a document that no record names',
      inLast(({ record, emissions }) => ({
        record: { ...record, brought: { ...record.brought, met: {} } },
        emissions,
      })),
    ],
    ['a message that says something else', inEmissions('This is what I would do.', 'All is done.')],
    [
      'a message that is gone',
      (one) =>
        editSteps(one, (body) =>
          body.record.seq === 0 ? { ...body, emissions: body.emissions.slice(1) } : body,
        ),
    ],
    [
      'a message that no agent sent',
      inLast((body) => ({ ...body, emissions: [...body.emissions, ...body.emissions.slice(0, 1)] })),
    ],
    ['a message that is no JSON', lastText(`replace(body, '"document":{', '"document":')`)],
    [
      'a message under the name of another document',
      lastText(`json_set(body, '$.emissions[0].document.payload', json('{"amount":1}'))`),
    ],
    ['another size of the ledger', setTask('size = size + 1')],
    ['another head of the ledger', setBeside('head = zeroblob(32)')],
    [
      'the head of another task',
      ({ site, broken, sound }) =>
        site.sql(
          `UPDATE record SET head = (SELECT head FROM record WHERE id = ${last}) WHERE id = ${last}`,
          sound,
          broken,
        ),
    ],
    ['another name of the task', setTask("taskId = x'01a1fef1000070008000000000000000'")],
    ['intents that are no JSON', setBeside("intents = '['")],
  ] satisfies readonly (readonly [string, Change])[]
).map(([attempt, change]) => changed(attempt, 'task_corrupted', change));

/** A snapshot that is no text at all; SQLite does not mind. */
const damaged = changed(
  'a snapshot that is no text',
  'task_corrupted',
  setBeside("snapshot = CAST(x'ff' AS TEXT)"),
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
    setBeside(`snapshot = replace(snapshot, '"started"', '"allowed"')`),
    { trap: 'an edited snapshot' },
  ),
  changedOwed(
    'the snapshot from before a write began',
    'task_corrupted',
    ({ site, broken, steps }) => {
      const older = steps.filter(({ snapshot }) => snapshot !== null).at(-2)?.snapshot ?? '';
      site.sql(`UPDATE record SET snapshot = ? WHERE id = ${last}`, older, broken);
    },
    { trap: 'an edited snapshot' },
  ),
];

export const stored = [snapshots, rows, damaged, owed].flat();
