import { expect } from 'vitest';
import type { Store } from '../../src/index.ts';
import type { Step } from '../../src/ports/store.ts';
import { hashOfProjection, hashOfRecord } from '../../src/ledger/seal.ts';
import { never } from '../src/orchestrator/scripted.ts';
import { settle } from '../src/orchestrator/simulated-clock.ts';
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

export const mine = '(SELECT id FROM task WHERE taskId = ?)';

export const recordAt = `(SELECT id FROM record WHERE seq = ? AND task = ${mine})`;

export const last = `(SELECT max(id) FROM record WHERE task = ${mine})`;

export const setTask =
  (assignment: string, ...values: readonly (string | number)[]): Change =>
  ({ site, broken }) =>
    site.sql(`UPDATE task SET ${assignment} WHERE taskId = ?`, ...values, broken);

/** Seals what stands beside the last record as it stands now, as somebody does who may write the file and seal anew. */
export const sealBeside = async (one: Pick<Robbery, 'site' | 'broken'>): Promise<void> => {
  const { site, broken } = one;
  const stored = await site.load(broken);
  const { brought: _, ...core } = { ...stored.records.at(-1)!, beside: hashOfProjection(stored) };
  const record = { ...core, hash: hashOfRecord({ ...core, brought: {} }) };
  site.sql(`UPDATE record SET text = ? WHERE id = ${last}`, JSON.stringify(record), broken);
  site.sql('UPDATE task SET head = ? WHERE taskId = ?', record.hash, broken);
};

/** The code of the last call that was not made. */
export const refusedCall = async (site: Vault, taskId: string): Promise<Stop | undefined> => {
  const { records } = await site.load(taskId);
  const fact = records.findLast((record) => record.fact?.type === 'call.refused')?.fact;
  return fact?.type === 'call.refused' ? fact.code : undefined;
};
