import type { LedgerRecord } from '../../src/base/ports/ledger.ts';
import type { Deadline } from '../../src/base/ports/store.ts';

/** A record, and the deadlines that were stored with it. */
export interface TracedStep {
  readonly record: Pick<
    LedgerRecord,
    'seq' | 'kind' | 'fact' | 'from' | 'to' | 'timestamp' | 'request_id'
  > & {
    readonly brought: Pick<LedgerRecord['brought'], 'contract' | 'chart'>;
  };
  /** `null` where only the deadlines after the last step are known. */
  readonly deadlines: readonly Deadline[] | null;
}

/** Deadlines that an hour decides; the others time work, which another process begins anew. */
const byHour: ReadonlySet<string> = new Set(['question', 'followup', 'dependency', 'approval', 'evidence']);

/** Deadlines whose hour stays as long as they run; of several approvals, the first that ends is the one. */
const lasting: ReadonlySet<string> = new Set(['question', 'followup', 'dependency', 'evidence']);

type Hours = ReadonlyMap<string, number>;

const hoursOf = ({ deadlines }: TracedStep): Hours | null =>
  deadlines && new Map(deadlines.map(({ of, id, at }) => [`${of} ${id}`, at]));

/** A deadline that passed before the hour that stood for it. */
const faultOfFact = ({ record: { kind, fact, timestamp } }: TracedStep, hours: Hours): string | null => {
  if (kind !== 'fact' || fact?.type !== 'deadline.passed' || !byHour.has(fact.of)) return null;
  const name = `${fact.of} ${fact.id}`;
  const hour = hours.get(name);
  if (hour === undefined) return `the deadline "${name}" passed, and did not run`;
  return Date.parse(timestamp) < hour ? `the deadline "${name}" passed before its hour` : null;
};

/** The deadline of a question that a fact ends; where it is asked again, it has an hour of its own. */
const ended = (fact: LedgerRecord['fact']): string | null =>
  fact?.type === 'human.responded' && fact.feedback !== 'comment' && fact.feedback !== 'approve'
    ? `question ${fact.question}`
    : null;

const moved = (before: Hours, now: Hours, fact: LedgerRecord['fact']): string | undefined =>
  [...now].find(
    ([name, at]) =>
      lasting.has(name.slice(0, name.indexOf(' '))) &&
      name !== ended(fact) &&
      (before.get(name) ?? at) !== at,
  )?.[0];

/** Returns the first step that comes too early or too late, or moves an hour; `null` if none does. */
export const lateIn = (
  steps: readonly TracedStep[],
): { readonly at: number; readonly why: string } | null => {
  let hours: Hours | null = null;
  for (const [at, step] of steps.entries()) {
    const why = hours && faultOfFact(step, hours);
    if (why !== null) return { at, why };
    const next = hoursOf(step);
    const name = hours && next && moved(hours, next, step.record.fact);
    if (name !== null && name !== undefined) return { at, why: `the deadline "${name}" has another hour` };
    hours = next;
  }
  return null;
};
