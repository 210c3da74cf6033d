import type { ReasonCode } from '../../schema/index.ts';
import type { Call, Context, Effect, Question, Report, Violation } from './context.ts';
import { hasFailed, isWrite, mayPause, outstanding, reportKey } from './owed.ts';

/** What one fact changes. */
export type Change = Partial<Context>;

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
  aim: 'stop',
});

/** Returns a copy of a record without one key. */
export const omit = <T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

/** Changes every call that the predicate names, and no other. */
export const changeCalls = (
  c: Context,
  which: (call: Call, id: string) => boolean,
  change: Partial<Call>,
): Record<string, Call> =>
  Object.fromEntries(
    Object.entries(c.calls).map(([id, call]) => [id, which(call, id) ? { ...call, ...change } : call]),
  );

/** Changes one call. */
export const changeCall = (c: Context, id: string, change: Partial<Call>): Change => ({
  calls: changeCalls(c, (_, name) => name === id, change),
});

/** Changes every call of the same action: they share one outcome and the same approvers. */
export const changeSameAction = (
  c: Context,
  { digest, review, authority, approvers }: Call,
  change: Partial<Call>,
): Record<string, Call> =>
  changeCalls(c, (call) => call.digest === digest && call.status !== 'refused', {
    review,
    authority,
    approvers,
    ...change,
  });

export const changeEffect = (c: Context, digest: string, status: Effect['status']): Change => ({
  effects: c.effects.map((effect) => (effect.digest === digest ? { ...effect, status } : effect)),
});

/** Counts one more pause of the run; fails the run if the limit on pauses is reached. */
export const suspend = (c: Context, change: Change, tooOften: Change = {}): Change =>
  mayPause(c)
    ? { ...change, counters: { ...c.counters, pauses: c.counters.pauses + 1 } }
    : { ...tooOften, ...failing(c, { code: 'BUDGET_SPENT', about: 'pauses' }) };

/** Opens a question. */
export const askQuestion = (c: Context, id: string, question: Question): Change => ({
  questions: { ...c.questions, [id]: question },
});

/** Closes the questions and dependencies of a call whose outcome is known. */
export const closeQuestionsOf = (c: Context, id: string): Change => ({
  questions: Object.fromEntries(
    Object.entries(c.questions).filter(
      ([, { kind, about }]) => about !== id || (kind !== 'tool' && kind !== 'doubt'),
    ),
  ),
  dependencies: Object.fromEntries(
    Object.entries(c.dependencies)
      .map(([dependency, calls]) => [dependency, calls.filter((call) => call !== id)] as const)
      .filter(([, calls]) => calls.length > 0),
  ),
});

/** What a verifier says now; that it did not pass is kept for the attempt, whatever it says after that (UAICP 5.2). */
export const reported = (c: Context, report: Report): Change => {
  const key = reportKey(report.verifier, report.of);
  const before = c.reports[key];
  const { status, code } = before === undefined || before.status === 'pass' ? report : before;
  return { reports: { ...c.reports, [key]: { ...report, status, code } } };
};

/** While the run waits, no clearance stands: it is looked at again before its write begins. */
export const lapsed = (c: Context): Change => {
  const isWaiting = Object.keys(c.questions).length > 0 || Object.keys(c.dependencies).length > 0;
  const isLapsed = isWaiting && Object.values(c.calls).some(({ cleared }) => cleared);
  return isLapsed ? { calls: changeCalls(c, () => true, { cleared: false }) } : {};
};

/** Nobody needs the other reads of a round in which a call failed, nor what they wait for. */
export const dropped = (c: Context): Change =>
  !hasFailed(c)
    ? {}
    : outstanding(c)
        .filter((call) => !isWrite(call))
        .reduce<Change>((change, { id }) => {
          const now = { ...c, ...change };
          return { ...change, ...changeCall(now, id, { status: 'dropped' }), ...closeQuestionsOf(now, id) };
        }, {});

/** The writes that stand are left as they are: the run fails all the same, for its agent is gone. */
export const kept = (c: Context): Change => ({
  effects: c.effects.map((effect) =>
    effect.status === 'committed' ? { ...effect, status: 'kept' as const } : effect,
  ),
  ...failing(c, { code: 'HOST_UNAVAILABLE', about: 'host' }),
});

/** A write that came to something: one effect an action. */
export const settledEffect = (c: Context, effect: Effect): readonly Effect[] => [
  ...c.effects.filter(({ digest }) => digest !== effect.digest),
  effect,
];

/** Codes of a call that cannot be made any more, whoever clears it. */
const gone: ReadonlySet<ReasonCode> = new Set(['TOOL_CHANGED', 'TOOL_UNAVAILABLE'] satisfies ReasonCode[]);

/** The tool of a call is another one now, or not there: no clearance lets it begin. */
export const isGone = (code: ReasonCode): boolean => gone.has(code);
