import { expect } from 'vitest';
import type { Store } from '../../src/index.ts';
import type { LedgerRecord } from '../../src/base/ports/ledger.ts';
import type { Deadline, Step } from '../../src/base/ports/store.ts';
import { hashOfProjection, hashOfRecord } from '../../src/core/kernel/seal.ts';
import { never } from '../src/core/shell/scripted.ts';
import { settle } from '../src/core/shell/simulated-clock.ts';
import { errorOf, stopOf, type Attack, type Stop } from './attack.ts';
import { vault, type Process, type Vault, type Writing } from './branch.ts';

export const number = 33;

export const day = 86_400_000;

export const unsure: Writing = { confidence: 0.1 };

export const dying: Writing = { make: (_, { signal }) => never(signal) };

/** A file of two tasks that no process looks after: one is changed, the other has to go on. */
export interface Robbery {
  readonly site: Vault;
  readonly broken: string;
  readonly sound: string;
  /** Every step of the one that is changed, in order. */
  readonly steps: readonly Step[];
}

export const rob = async (given: Writing, leave: 'close' | 'crash' = 'close'): Promise<Robbery> => {
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

export const inboxOf = async (one: Process, taskId: string) => {
  const found = (await one.orchestrator.inbox()).find((entry) => entry.taskId === taskId);
  if (found === undefined) throw new Error('it asks nothing');
  return found;
};

export const approve = async (one: Process, target: string): Promise<void> => {
  await one.orchestrator.respond({ type: 'approve', target }, { by: 'dana' });
  await settle();
};

/** The other task is answered, and makes its write. */
export const goesOn = async (one: Process, sound: string, made: () => number): Promise<void> => {
  const before = made();
  await approve(one, (await inboxOf(one, sound)).message.messageId);
  expect(await one.orchestrator.settled(sound)).toMatchObject({ outcome: 'success' });
  expect(made()).toBe(before + 1);
};

export type Change = (one: Robbery) => unknown;

type Cited = Pick<Attack, 'source' | 'trap'>;

export const messageOf = async (site: Vault, taskId: string): Promise<string> => {
  const { emissions } = await site.load(taskId);
  const last = emissions.findLast(({ name }) => name === 'UpFormatMessage')?.document;
  return (last as { readonly messageId: string }).messageId;
};

/** A task that waits for a person is changed: whoever answers it is told, and no row is written. */
export const changed = (attempt: string, expected: Stop, change: Change, told: Cited = {}): Attack => ({
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

/** A task whose process died in its write is changed: the owner gets an error for it and resumes the other. */
export const changedOwed = (attempt: string, expected: Stop, change: Change, told: Cited = {}): Attack => ({
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

/** SQL for the stored bytes of a UUID. */
export const uuid = "unhex(replace(?, '-', ''))";

export const mine = `(SELECT id FROM task WHERE taskId = ${uuid})`;

export const recordAt = `(SELECT id FROM record WHERE seq = ? AND task = ${mine})`;

export const last = `(SELECT id FROM record WHERE task = ${mine} ORDER BY seq DESC LIMIT 1)`;

export const setTask =
  (assignment: string, ...values: readonly (string | number)[]): Change =>
  ({ site, broken }) =>
    site.sql(`UPDATE task SET ${assignment} WHERE taskId = ${uuid}`, ...values, broken);

/** Changes what is stored beside the last record: its summary, its intents, its deadlines or the snapshot. */
export const setBeside =
  (assignment: string, ...values: readonly (string | number)[]): Change =>
  ({ site, broken }) =>
    site.sql(`UPDATE record SET ${assignment} WHERE id = ${last}`, ...values, broken);

/** Changes the deadlines of a task, and the time by which it is found. */
export const moveDeadlines = (
  { site, broken }: Pick<Robbery, 'site' | 'broken'>,
  move: (deadline: Deadline) => readonly Deadline[],
): void => {
  const [row] = site.sql(`SELECT deadlines FROM record WHERE id = ${last}`, broken);
  const before = JSON.parse(String(row?.['deadlines'])) as readonly Deadline[];
  const deadlines = before.flatMap(move);
  expect(deadlines).not.toEqual(before);
  setBeside('deadlines = ?', JSON.stringify(deadlines))({ site, broken, sound: '', steps: [] });
  const due = deadlines.length === 0 ? null : Math.min(...deadlines.map(({ at }) => at));
  site.sql(`UPDATE task SET due = ? WHERE taskId = ${uuid}`, due, broken);
};

/** A stored step. */
export interface Body {
  readonly record: LedgerRecord;
  readonly emissions: readonly unknown[];
}

const bodyOf = (row: Readonly<Record<string, unknown>> | undefined): Body =>
  JSON.parse(String(row?.['body'])) as Body;

/** Changes the stored steps of a task that `change` does not return as they are. */
export const editSteps = (
  { site, broken }: Pick<Robbery, 'site' | 'broken'>,
  change: (body: Body) => Body,
): void => {
  let edits = 0;
  for (const row of site.sql(`SELECT id, body FROM record WHERE task = ${mine}`, broken)) {
    const body = JSON.stringify(change(bodyOf(row)));
    if (body === row['body']) continue;
    edits += 1;
    site.sql('UPDATE record SET body = ? WHERE id = ?', body, Number(row['id']));
  }
  expect(edits).toBeGreaterThan(0);
};

/** Takes a record out; what it emitted, and what is stored beside the last one, stays as if another had it. */
export const dropRecord = ({ site, broken }: Robbery, record: string, ...values: readonly number[]): void => {
  const columns = ['head', 'summary', 'intents', 'deadlines', 'snapshot'];
  const [row] = site.sql(
    `SELECT *, id = ${last} AS isLast FROM record WHERE id = ${record}`,
    broken,
    ...values,
    broken,
  );
  site.sql('DELETE FROM record WHERE id = ?', Number(row?.['id']));
  const [kept] = site.sql(`SELECT id, body FROM record WHERE id = ${last}`, broken);
  const { record: other, emissions } = bodyOf(kept);
  const body = JSON.stringify({ record: other, emissions: [...emissions, ...bodyOf(row).emissions] });
  site.sql('UPDATE record SET body = ? WHERE id = ?', body, Number(kept?.['id']));
  if (row?.['isLast'] !== 1) return;
  const texts = columns.map((column) => row[column] ?? null);
  const assignments = columns.map((column) => `${column} = ?`).join(', ');
  site.sql(`UPDATE record SET ${assignments} WHERE id = ?`, ...texts, Number(kept?.['id']));
};

/** Seals what stands beside the last record as it stands now, as somebody does who may write the file and seal anew. */
export const sealBeside = async (one: Pick<Robbery, 'site' | 'broken'>): Promise<void> => {
  const { site, broken } = one;
  const stored = await site.load(broken);
  const { brought, ...core } = { ...stored.records.at(-1)!, beside: hashOfProjection(stored) };
  const record = { ...core, hash: hashOfRecord({ ...core, brought: {} }), brought };
  editSteps(one, (body) => (body.record.seq === record.seq ? { ...body, record } : body));
  site.sql(`UPDATE record SET head = unhex(?) WHERE id = ${last}`, record.hash.slice(7), broken);
};

/** The code of the last call that was not made. */
export const refusedCall = async (site: Vault, taskId: string): Promise<Stop | undefined> => {
  const { records } = await site.load(taskId);
  const fact = records.findLast((record) => record.fact?.type === 'call.refused')?.fact;
  return fact?.type === 'call.refused' ? fact.code : undefined;
};
