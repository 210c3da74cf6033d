import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import {
  pausableOf,
  subjectOf,
  type Claim,
  type Obstacle,
  type Pause,
  type Regulated,
  type Subject,
} from '../../base/ports/regulation.ts';
import type { Counted, Tables } from './tables.ts';

const lasting = ({ pauses }: Tables, subject: Subject): Pause | undefined =>
  pauses.find(({ of, ended }) => ended === null && subjectOf(of) === subject);

const useOf = ({ quota, window }: Pick<Claim, 'quota' | 'window'>): string => `${quota}\n${window}`;

/** Returns the claims that do not count yet. */
const newClaims = ({ claims }: Tables, taskId: string, { claims: given }: Regulated): readonly Claim[] =>
  given.filter(
    ({ call, quota }) => claims.get(taskId)?.some((one) => one.call === call && one.quota === quota) !== true,
  );

/** Returns what holds a step of a task. */
export const obstacleTo = (tables: Tables, taskId: string, regulated: Regulated): Obstacle | null => {
  const paused = regulated.begins.flatMap((subject) => lasting(tables, subject) ?? [])[0];
  if (paused !== undefined) return { paused };
  for (const claim of newClaims(tables, taskId, regulated)) {
    const { quota, window, most, amount } = claim;
    const used = tables.used.get(useOf(claim)) ?? 0;
    if (used + amount > most) return { full: { quota, window, most, amount }, used };
  }
  return null;
};

const count = ({ used }: Tables, claim: Counted, by: 1 | -1): void => {
  const sum = (used.get(useOf(claim)) ?? 0) + by * claim.amount;
  if (sum > 0) used.set(useOf(claim), sum);
  else used.delete(useOf(claim));
};

/** Counts claims that a task has, as another store had them. */
export const insertClaims = (tables: Tables, taskId: string, claims: readonly Counted[]): void => {
  if (claims.length === 0) return;
  tables.claims.set(taskId, [...(tables.claims.get(taskId) ?? []), ...claims]);
  for (const claim of claims) count(tables, claim, 1);
};

const release = (tables: Tables, taskId: string, isReleased: (claim: Counted) => boolean): void => {
  const claims = tables.claims.get(taskId) ?? [];
  for (const claim of claims) if (isReleased(claim)) count(tables, claim, -1);
  const rest = claims.filter((claim) => !isReleased(claim));
  if (rest.length === 0) tables.claims.delete(taskId);
  else tables.claims.set(taskId, rest);
};

/** Counts what a step begins, and no longer what it ends. */
export const regulate = (
  tables: Tables,
  taskId: string,
  regulated: Regulated | null,
  isSettled: boolean,
): void => {
  for (const { call, isUndone } of regulated?.releases ?? [])
    release(tables, taskId, (one) => one.call === call && (one.window === '' || isUndone));
  const begun = regulated === null ? [] : newClaims(tables, taskId, regulated);
  const counted = begun.map(({ quota, window, call, amount }) => ({ quota, window, call, amount }));
  insertClaims(tables, taskId, counted);
  if (isSettled) release(tables, taskId, ({ window }) => window === '');
};

export const beginPause = (
  tables: Tables,
  subject: Subject,
  by: string,
  reason: string,
  at: number,
): boolean => {
  if (lasting(tables, subject) !== undefined) return false;
  tables.pauses.push(deepFreeze({ of: pausableOf(subject), by, reason, at, ended: null }));
  return true;
};

export const endPause = (tables: Tables, subject: Subject, by: string, at: number): boolean => {
  const pause = lasting(tables, subject);
  if (pause === undefined) return false;
  tables.pauses[tables.pauses.indexOf(pause)] = deepFreeze({ ...pause, ended: { by, at } });
  return true;
};

export const pausesIn = ({ pauses }: Tables, ended?: { readonly limit: number }): readonly Pause[] =>
  ended === undefined ? pauses.filter((pause) => pause.ended === null) : pauses.slice(-ended.limit);

export const writePauses = (tables: Tables, pauses: readonly Pause[]): void => {
  for (const pause of pauses)
    if (!tables.pauses.some(({ of, at }) => subjectOf(of) === subjectOf(pause.of) && at === pause.at))
      tables.pauses.push(pause);
};
