import type { Context, Report, Violation } from './context.ts';
import { mayPause, reportKey } from './owed.ts';

/** What one fact changes. */
export type Change = Partial<Context>;

/** An own entry: a name such as `constructor` finds nothing. */
export const entry = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

/** Returns a copy of a record without one key. */
export const omit = <T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

/** The first reason decides; each is given once. */
const withReasons = (c: Context, added: readonly Violation[]): readonly Violation[] => {
  const all = [...c.reasons, ...added];
  return all.filter(
    ({ code, about }, at) => all.findIndex((one) => one.code === code && one.about === about) === at,
  );
};

/** The run fails, for these reasons. */
export const failing = (c: Context, ...added: readonly Violation[]): Change => ({
  reasons: withReasons(c, added),
});

/** Counts one more pause of the run; fails the run if the limit on pauses is reached. */
export const suspend = (c: Context, change: Change, tooOften: Change = {}): Change =>
  mayPause(c)
    ? { ...change, counters: { ...c.counters, pauses: c.counters.pauses + 1 } }
    : { ...tooOften, ...failing(c, { code: 'BUDGET_SPENT', about: 'pauses' }) };

/** Records a verifier's report. A report that did not pass is kept for the attempt, whatever follows (UAICP 5.2). */
export const reported = (c: Context, report: Report): Change => {
  const key = reportKey(report.verifier, report.of);
  const before = c.reports[key];
  const { status, code } = before === undefined || before.status === 'pass' ? report : before;
  return { reports: { ...c.reports, [key]: { ...report, status, code } } };
};
