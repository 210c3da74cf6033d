import type { Context, Report, Violation } from './context.ts';
import { reportKey } from './owed.ts';

/** A change of the context. */
export type Change = Partial<Context>;

/** Returns a change, followed by a change of the context after it. */
export const followedBy = (c: Context, change: Change, next: (c: Context) => Change): Change => ({
  ...change,
  ...next({ ...c, ...change }),
});

/** Returns an own entry of a record, or `undefined`. Inherited names such as `constructor` find no entry. */
export const entry = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

/** Returns a copy of a record without one key. */
export const omit = <T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

/** Returns the reasons after new ones are added, each once. The first reason is the deciding one. */
const withReasons = (c: Context, added: readonly Violation[]): readonly Violation[] => {
  const all = [...c.reasons, ...added];
  return all.filter(
    ({ code, about }, at) => all.findIndex((one) => one.code === code && one.about === about) === at,
  );
};

/** Returns the change that fails the run for these reasons. */
export const failing = (c: Context, ...added: readonly Violation[]): Change => ({
  reasons: withReasons(c, added),
});

/** Returns the reason of a run that a limit ends. */
export const spent = (about: keyof Context['counters']): Violation => ({ code: 'BUDGET_SPENT', about });

/** Records a verifier's report. A later pass does not replace a report that did not pass (UAICP 5.2). */
export const reported = (c: Context, report: Report): Change => {
  const key = reportKey(report.verifier, report.of);
  const before = c.reports[key];
  const { status, code } = before === undefined || before.status === 'pass' ? report : before;
  return { reports: { ...c.reports, [key]: { ...report, status, code } } };
};
