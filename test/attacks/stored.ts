import { expect } from 'vitest';
import { createActor } from 'xstate';
import { stateName, taskMachine, type Fact } from '../../machines/index.ts';
import type { LedgerRecord, Step, Store } from '../../src/index.ts';
import { signCheckpoint, verifyLedger } from '../../src/ledger/index.ts';
import { hashOfText } from '../../src/ledger/seal.ts';
import { by, compact, edKey, header, openOf, otherKey } from '../src/approvals/desk.ts';
import { sealedAnew } from '../src/ledger/made.ts';
import { never } from '../src/orchestrator/scripted.ts';
import { settle } from '../src/orchestrator/simulated-clock.ts';
import { errorOf, stopOf, type Attack, type Stop } from './attack.ts';
import { claimsFor, signed } from './bank.ts';
import { vault, type Process, type Vault, type Writing } from './branch.ts';

const number = 33;
const day = 86_400_000;
const unsure: Writing = { confidence: 0.1 };
const dying: Writing = { make: (_, { signal }) => never(signal) };

/** A file of two tasks that no process looks after: one is changed, the other has to go on. */
interface Robbery {
  readonly site: Vault;
  readonly broken: string;
  readonly sound: string;
  /** Every step of the one that is changed, in order. */
  readonly steps: readonly Step[];
}

const rob = async (given: Writing, leave: 'close' | 'crash' = 'close'): Promise<Robbery> => {
  const site = vault();
  const all: Step[] = [];
  const store = (inner: Store): Store => ({
    ...inner,
    commit: (step) => {
      all.push(step);
      return inner.commit(step);
    },
  });
  const first = site.start({ ...given, store });
  const [broken, sound] = [await first.submit(), await first.submit()];
  await first[leave]();
  return { site, broken, sound, steps: all.filter(({ taskId }) => taskId === broken) };
};

const inboxOf = async (one: Process, taskId: string) => {
  const found = (await one.orchestrator.inbox()).find((entry) => entry.taskId === taskId);
  if (found === undefined) throw new Error('it asks nothing');
  return found;
};

const approve = async (one: Process, target: string): Promise<void> => {
  await one.orchestrator.respond({ type: 'approve', target }, { by: 'dana' });
  await settle();
};

/** The other task is answered, and makes its write. */
const goesOn = async (one: Process, sound: string, made: () => number): Promise<void> => {
  const before = made();
  await approve(one, (await inboxOf(one, sound)).message.messageId);
  expect(await one.orchestrator.settled(sound)).toMatchObject({ outcome: 'success' });
  expect(made()).toBe(before + 1);
};

type Change = (one: Robbery) => unknown;
type Told = Pick<Attack, 'source' | 'trap'>;

/** A task that waits for a person is changed: whoever answers it is told, and no row is written. */
const changed = (attempt: string, expected: Stop, change: Change, told: Told = {}): Attack => ({
  number,
  attempt,
  expected,
  source: 'CWE-345',
  ...told,
  run: async () => {
    const one = await rob(unsure);
    const { site, broken, sound } = one;
    const target = await messageOf(site, broken);
    await change(one);
    const left = site.rows();
    const next = site.start(unsure);
    await next.recover();
    const stop = stopOf(await errorOf(() => approve(next, target)));
    expect(site.rows()).toEqual(left);
    expect({ done: site.done, turns: next.turns }).toEqual({ done: [], turns: [] });
    await goesOn(next, sound, () => site.done.length);
    return stop;
  },
});

const messageOf = async (site: Vault, taskId: string): Promise<string> => {
  const { emissions } = await site.load(taskId);
  const last = emissions.findLast(({ name }) => name === 'UpFormatMessage')?.document;
  return (last as { readonly messageId: string }).messageId;
};

/** A task whose process died in its write is changed: whoever takes tasks up is told, and takes up the other. */
const changedOwed = (attempt: string, expected: Stop, change: Change, told: Told = {}): Attack => ({
  number,
  attempt,
  expected,
  source: 'CWE-345',
  ...told,
  run: async () => {
    const one = await rob(dying, 'crash');
    const { site, broken, sound } = one;
    expect(site.done).toHaveLength(2);
    await change(one);
    const before = await site.reading((store) => store.load(broken).catch(() => null));
    const next = site.start();
    const { taken, refused } = await next.recover();
    expect({ taken, refused: refused.map(({ taskId }) => taskId) }).toEqual({ taken: 1, refused: [broken] });
    expect(await site.reading((store) => store.load(broken).catch(() => null))).toEqual(before);
    expect((await inboxOf(next, sound)).question.kind).toBe('doubt');
    expect(site.done).toHaveLength(2);
    return stopOf(await errorOf(() => Promise.reject(refused[0]?.error)));
  },
});

const mine = '(SELECT id FROM task WHERE taskId = ?)';
const recordAt = `(SELECT id FROM record WHERE seq = ? AND task = ${mine})`;
const last = `(SELECT max(id) FROM record WHERE task = ${mine})`;

const setTask =
  (assignment: string, ...values: readonly (string | number)[]): Change =>
  ({ site, broken }) =>
    site.sql(`UPDATE task SET ${assignment} WHERE taskId = ?`, ...values, broken);

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
  site.sql(`UPDATE emission SET record = (SELECT max(id) FROM record WHERE id <> ? AND task = ${mine}) WHERE record = ?`, id, broken, id);
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
    [
      'every record dropped but the first',
      (one) => one.steps.slice(1).forEach(() => dropRecord(one, last)),
    ],
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
    ['a contract that asks nobody', inText('document', '"threshold":', '"threshold":0.0,"was":')],
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
      'a message that nobody sent',
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
  'store_unusable',
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

/** Writes a ledger over the stored one, as somebody does who may write the file and seal anew. */
const rewrite = ({ site, broken }: Robbery, records: readonly LedgerRecord[], snapshot?: string): void => {
  const id = Number(site.sql('SELECT id FROM task WHERE taskId = ?', broken)[0]?.['id']);
  for (const { brought, ...core } of records) {
    site.sql('INSERT OR IGNORE INTO record (task, seq, text) VALUES (?, ?, ?)', id, core.seq, '');
    site.sql('UPDATE record SET text = ? WHERE task = ? AND seq = ?', JSON.stringify(core), id, core.seq);
    const record = Number(
      site.sql('SELECT id FROM record WHERE task = ? AND seq = ?', id, core.seq)[0]?.['id'],
    );
    site.sql('DELETE FROM document WHERE record = ?', record);
    for (const [name, document] of Object.entries(brought)) {
      const values = [
        record,
        name,
        core.documents[name as keyof typeof brought] ?? '',
        JSON.stringify(document),
      ];
      site.sql('INSERT INTO document (record, name, digest, text) VALUES (?, ?, ?, ?)', ...values);
    }
  }
  site.sql(
    'UPDATE task SET size = ?, head = ?, isOwed = 1 WHERE id = ?',
    records.length,
    records.at(-1)?.hash ?? '',
    id,
  );
  if (snapshot !== undefined) site.sql('UPDATE task SET snapshot = ? WHERE id = ?', snapshot, id);
};

/** One more record, as if a person had stated it. */
const appended = (records: readonly LedgerRecord[], fact: Fact, brought: LedgerRecord['brought'] = {}) => {
  const before = records.at(-1)!;
  return [
    ...records,
    {
      ...before,
      seq: before.seq + 1,
      fact,
      brought,
      documents: {},
      emitted: [],
      kind: 'fact' as const,
      from: before.to,
      actor: { kind: 'human' as const, id: 'dana' },
    },
  ];
};

/** A ledger as the chart itself would have led to it, every snapshot and every hash right. */
const driven = (records: readonly LedgerRecord[]) => {
  const [opening] = records;
  const taskClass = opening!.brought.contract!;
  const actor = createActor(taskMachine, { input: { taskClass, request: opening!.request_id } }).start();
  let snapshot = '';
  const anew = records.map((record) => {
    if (record.fact !== null) expect(actor.getSnapshot().can(record.fact)).toBe(true);
    const from = stateName(actor.getSnapshot().value);
    if (record.fact !== null) actor.send(record.fact);
    snapshot = JSON.stringify(actor.getPersistedSnapshot());
    return { ...record, from, to: stateName(actor.getSnapshot().value), snapshot: hashOfText(snapshot) };
  });
  return { records: sealedAnew(anew), snapshot };
};

const contextOf = ({ steps }: Robbery) => {
  const snapshot = JSON.parse(steps.findLast((step) => step.snapshot !== null)?.snapshot ?? '') as {
    readonly context: ReturnType<
      ReturnType<typeof createActor<typeof taskMachine>>['getSnapshot']
    >['context'];
  };
  return snapshot.context;
};

/** A forged record whose hash is right, and that the chart does not follow. */
const forged = (
  attempt: string,
  change: (one: Robbery, records: readonly LedgerRecord[]) => readonly LedgerRecord[],
) =>
  changed(
    attempt,
    'task_corrupted',
    async (one) => {
      const { records } = await one.site.load(one.broken);
      const anew = sealedAnew(change(one, records));
      expect(await verifyLedger(anew)).toMatchObject({ intact: true });
      rewrite(one, anew);
    },
    { source: 'RFC 9162' },
  );

const forgeries: readonly Attack[] = [
  forged('a write that is said to have begun, sealed with right hashes', (one, records) => {
    const { request, attempt, calls } = contextOf(one);
    const [id = '', { digest = '' } = {}] = Object.entries(calls)[0] ?? [];
    return appended(records, { type: 'call.started', request, attempt, call: id, digest });
  }),
  forged(
    'an answer that nobody gave, sealed with right hashes and the snapshot from before it',
    (one, records) => {
      const [question = ''] = Object.keys(contextOf(one).questions);
      return appended(records, { type: 'human.responded', question, feedback: 'approve', by: 'dana' });
    },
  ),
  forged('a plan that is surer than it was, sealed anew to the end', (_, records) =>
    records.map((record) =>
      record.fact?.type === 'plan.proposed'
        ? { ...record, fact: { ...record.fact, confidence: 0.9 } }
        : record,
    ),
  ),
  forged('a contract that asks nobody, sealed anew to the end', (_, records) =>
    records.map((record) => {
      const { contract } = record.brought;
      return contract === undefined
        ? record
        : {
            ...record,
            brought: { ...record.brought, contract: { ...contract, threshold: 0 } },
          };
    }),
  ),
];

export const probes = {
  rob,
  driven,
  appended,
  rewrite,
  contextOf,
  inboxOf,
  approve,
  signed,
  claimsFor,
  compact,
  by,
  otherKey,
  header,
  openOf,
  edKey,
  signCheckpoint,
  day,
};
export const stored = [snapshots, rows, damaged, owed, forgeries].flat();
