import type { Context } from '../../machines/index.ts';
import type { CallDocument, LedgerEntry } from '../ports/ledger.ts';

/** The rollback of a write that landed too late: it is owed, or it has begun and not ended. */
export interface Compensation {
  /** The request that the write belongs to; another may be in progress by now. */
  readonly request: string;
  readonly digest: string;
  /** `undefined` where it was erased. */
  readonly call: CallDocument | undefined;
  readonly hasBegun: boolean;
}

type Effect = Context['effects'][number];

/** A write of a request that another one of the same task followed. */
export interface ConcludedWrite extends Pick<Effect, 'digest' | 'tool' | 'rollback' | 'status'> {
  readonly request: string;
  /** `undefined` where it was erased. */
  readonly call: CallDocument | undefined;
}

/** What came of rollbacks, by the digest of the write: why one failed, `null` for one that succeeded. */
export type RolledBack = Readonly<Record<string, string | null>>;

/** What a task knows of rollbacks beside its chart. */
interface Late {
  readonly calls: Readonly<Record<string, CallDocument>>;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly compensating: readonly Compensation[];
  readonly rolledBack: RolledBack;
  readonly concluded: readonly ConcludedWrite[];
}

/** Whether the task knows of this effect: it stands, its rollback is the run's own, or a request before concluded it. */
export const isKnownEffect = (
  { effects }: Context,
  { concluded }: Pick<Late, 'concluded'>,
  digest: string,
): boolean =>
  [...effects, ...concluded].some((effect) => effect.digest === digest && effect.status !== 'closed');

/** A write that landed when its run waited for it no longer is owed a rollback from then on: no crash forgets it. */
const landed = (late: Late, before: Context, { fact, brought }: LedgerEntry): Late['compensating'] => {
  const { compensating, rolledBack, calls, evidence } = late;
  if (fact?.type !== 'call.succeeded' || fact.request !== before.request) return compensating;
  const call = Object.hasOwn(before.calls, fact.call) ? before.calls[fact.call] : undefined;
  if (call === undefined || call.tier === 'read_only') return compensating;
  const { digest } = call;
  const isSettled =
    isKnownEffect(before, late, digest) ||
    Object.hasOwn(rolledBack, digest) ||
    compensating.some((one) => one.digest === digest) ||
    Object.hasOwn(evidence, brought.evidence?.evidence_id ?? ''); // a result that does not count is no late one
  return isSettled
    ? compensating
    : [...compensating, { request: fact.request, digest, call: calls[fact.call], hasBegun: false }];
};

const compensatingAfter = (late: Late, before: Context, record: LedgerEntry): Late['compensating'] => {
  const { fact, brought } = record;
  switch (fact?.type) {
    case 'call.succeeded':
      return landed(late, before, record);
    case 'rollback.started': {
      const { request, digest } = fact;
      const others = late.compensating.filter((one) => one.digest !== digest);
      return [...others, { request, digest, call: brought.calls?.[0], hasBegun: true }];
    }
    case 'rollback.succeeded':
    case 'rollback.failed':
      return late.compensating.filter(({ digest }) => digest !== fact.digest);
    default:
      return late.compensating;
  }
};

const rolledBackAfter = ({ rolledBack }: Late, { fact, brought }: LedgerEntry): RolledBack => {
  if (fact?.type === 'rollback.succeeded') return { ...rolledBack, [fact.digest]: null };
  if (fact?.type !== 'rollback.failed') return rolledBack;
  return { ...rolledBack, [fact.digest]: brought.explanation ?? 'its rollback failed' };
};

/** What a record leaves of rollbacks: those of late writes are orphans, and the chart's own are facts. */
export const lateAfter = (
  late: Late,
  before: Context,
  record: LedgerEntry,
): Pick<Late, 'compensating' | 'rolledBack'> => ({
  compensating: record.kind === 'orphan' ? compensatingAfter(late, before, record) : late.compensating,
  rolledBack:
    record.kind === 'orphan' || record.kind === 'fact' ? rolledBackAfter(late, record) : late.rolledBack,
});
