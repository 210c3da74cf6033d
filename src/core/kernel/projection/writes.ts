import {
  lateStatusAfter,
  type Call,
  type Context,
  type FactOf,
  type LateEvent,
  type LateStatus,
} from '../../../../machines/index.ts';
import { omit } from '../../../../machines/change.ts';
import type { CallDocument, LedgerEntry } from '../../../base/ports/ledger.ts';

/** A dependency of a call: a child task, or another one that a tool named. */
export interface Begun {
  readonly request: string;
  readonly attempt: number;
  readonly call: string;
  /** Digest of the call's action. */
  readonly digest: string;
  readonly tool: string;
  /** Whether the call's outcome is recorded. A child reports it once, however late. */
  readonly isReported: boolean;
}

/** The dependencies by id, in the order in which they began. */
export type BegunById = Readonly<Record<string, Begun>>;

/** A late write whose rollback is due or in progress. */
export interface LateWrite {
  /** The request of the write, which may not be the current one. */
  readonly request: string;
  readonly digest: string;
  /** `undefined` if it was erased. */
  readonly call: CallDocument | undefined;
  readonly status: Exclude<LateStatus, 'undone' | 'stuck'>;
  /** The number of retries and look-ups of its rollback. */
  readonly recoveries: number;
}

type Effect = Context['effects'][number];

/** A write of an earlier request of the same task. */
export interface ConcludedWrite extends Pick<Effect, 'digest' | 'tool' | 'rollback' | 'status'> {
  readonly request: string;
  /** `undefined` if it was erased. */
  readonly call: CallDocument | undefined;
}

/** The reason that a rollback failed, `null` for success, by the digest of the write. */
export type RolledBack = Readonly<Record<string, string | null>>;

/** A task's writes and children outside the chart's context. */
interface Writes {
  readonly calls: Readonly<Record<string, CallDocument>>;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly begun: BegunById;
  readonly lateWrites: readonly LateWrite[];
  readonly rolledBack: RolledBack;
  readonly concluded: readonly ConcludedWrite[];
  /** The digests of writes that were rolled back while it was not known whether they had happened. */
  readonly undoneInDoubt: readonly string[];
}

/** Returns whether an effect is already known: made, rolled back by the run, or part of an earlier request. */
export const isKnownEffect = (
  { effects }: Context,
  { concluded }: Pick<Writes, 'concluded'>,
  digest: string,
): boolean =>
  [...effects, ...concluded].some((effect) => effect.digest === digest && effect.status !== 'closed');

/** Returns the last dependency that matches; a finished action is not begun again. */
export const lastBegun = (begun: BegunById, which: (one: Begun) => boolean): string | undefined =>
  Object.entries(begun).findLast(([, one]) => which(one))?.[0];

/** Returns the dependencies after a call began to wait. */
export const withAwaited = (
  begun: BegunById,
  { calls }: Context,
  { request, attempt, call, dependency }: FactOf<'dependency.awaited'>,
): BegunById => {
  const { digest = '', tool = '' } = (Object.hasOwn(calls, call) ? calls[call] : undefined) ?? {};
  return { ...begun, [dependency]: { request, attempt, call, digest, tool, isReported: false } };
};

/** Returns the dependencies after the outcome of a call. */
export const withReported = (
  begun: BegunById,
  { request, attempt, call }: Pick<Begun, 'request' | 'attempt' | 'call'>,
): BegunById => {
  const isIt = (one: Begun): boolean =>
    !one.isReported && one.call === call && one.attempt === attempt && one.request === request;
  if (!Object.values(begun).some(isIt)) return begun;
  const entries = Object.entries(begun);
  return Object.fromEntries(entries.map(([id, one]) => [id, isIt(one) ? { ...one, isReported: true } : one]));
};

/** Returns the results of rollbacks after one more. */
export const withRolledBack = (
  rolledBack: RolledBack,
  { type, digest }: FactOf<'rollback.succeeded' | 'rollback.failed'>,
  { brought: { explanation = 'its rollback failed' } }: LedgerEntry,
): Pick<Writes, 'rolledBack'> => ({
  rolledBack: { ...rolledBack, [digest]: type === 'rollback.failed' ? explanation : null },
});

/** Returns the results of rollbacks after a write: one that was undone before, and is made again, stands. */
export const withRemade = (
  rolledBack: RolledBack,
  { digest = '' }: Partial<Pick<Call, 'digest'>> = {},
): RolledBack => (Object.hasOwn(rolledBack, digest) ? omit(rolledBack, digest) : rolledBack);

/** Returns whether the rollback of a late write may be retried or looked up again. */
export const mayRecoverLate = (
  { recoveries }: Pick<LateWrite, 'recoveries'>,
  { taskClass }: Context,
): boolean => recoveries < taskClass.limits.recoveries;

/** A fact about a late write. */
interface LateFact {
  readonly type: LateEvent;
  readonly request: string;
  readonly digest: string;
}

/** What is known of a late write beside a fact about it. */
interface KnownOfLate {
  /** The call in the record of the fact. */
  readonly call?: CallDocument | undefined;
  /** Whether the run knows the outcome of the write. */
  readonly isKnown?: boolean;
}

/** Returns how the rollback of a write ended; `undefined` if it has not. */
const endIn = (rolledBack: RolledBack, digest: string): 'undone' | 'stuck' | undefined => {
  if (!Object.hasOwn(rolledBack, digest)) return undefined;
  return rolledBack[digest] === null ? 'undone' : 'stuck';
};

/** Returns a late write whose rollback is due. */
export const lateWriteOf = (request: string, digest: string, call: CallDocument | undefined): LateWrite => ({
  request,
  digest,
  call,
  status: 'owed',
  recoveries: 0,
});

/** Whether the rollback of a late write may begin: it has not begun, and has not ended. */
export const mayRollBackLate = (
  { lateWrites, rolledBack }: Pick<Writes, 'lateWrites' | 'rolledBack'>,
  digest: string,
): boolean =>
  endIn(rolledBack, digest) === undefined &&
  !lateWrites.some((late) => late.digest === digest && late.status === 'undoing');

/** Whether a late write is undone or will be: what remembers its key takes a call under the same key for done. */
export const isUndoneLate = (
  { lateWrites, rolledBack }: Pick<Writes, 'lateWrites' | 'rolledBack'>,
  digest: string,
): boolean => endIn(rolledBack, digest) === 'undone' || lateWrites.some((late) => late.digest === digest);

/** Whether a late write stands: it was not undone, or is not yet. A call of the same action would make it twice. */
export const standsLate = (
  { lateWrites, rolledBack }: Pick<Writes, 'lateWrites' | 'rolledBack'>,
  digest: string,
): boolean => endIn(rolledBack, digest) === 'stuck' || lateWrites.some((late) => late.digest === digest);

/** Returns the late writes after a fact about one of them, by its life. */
export const withLate = (
  { lateWrites, rolledBack }: Pick<Writes, 'lateWrites' | 'rolledBack'>,
  before: Context,
  { type: event, request, digest }: LateFact,
  { call, isKnown = true }: KnownOfLate = {},
): Pick<Writes, 'lateWrites'> => {
  const one = lateWrites.find((late) => late.digest === digest);
  const { recoveries, status } = one ?? { recoveries: 0, status: endIn(rolledBack, digest) ?? 'new' };
  const next = lateStatusAfter(status, event, {
    isKnown,
    mayRecover: mayRecoverLate({ recoveries }, before),
  });
  if (next === undefined) return { lateWrites };
  const others = lateWrites.filter((late) => late !== one);
  if (next === 'undone' || next === 'stuck') return { lateWrites: others };
  const counted = recoveries + (event === 'recovery.started' ? 1 : 0);
  const late = { request, digest, call: call ?? one?.call, status: next, recoveries: counted };
  return { lateWrites: [...others, late] };
};

const own = <One>(by: Readonly<Record<string, One>>, id: string): One | undefined =>
  Object.hasOwn(by, id) ? by[id] : undefined;

/** Returns the digest of a call that writes: from the chart for this attempt, from its document for an earlier one. */
const writeDigest = (writes: Writes, { calls, effects }: Context, id: string): string | undefined => {
  const call = own(calls, id);
  if (call !== undefined) return call.tier === 'read_only' ? undefined : call.digest;
  const document = own(writes.calls, id);
  const isWrite = document?.rollback || effects.some(({ digest }) => digest === document?.digest);
  return isWrite ? document?.digest : undefined;
};

/** Returns the late writes after a result that its run ignored. */
export const withLateResult = (
  writes: Writes,
  before: Context,
  { type, request, call: id }: FactOf<'call.succeeded'>,
  { brought }: LedgerEntry,
): Pick<Writes, 'lateWrites'> => {
  const digest = request === before.request ? writeDigest(writes, before, id) : undefined;
  if (digest === undefined) return { lateWrites: writes.lateWrites };
  const isKnown =
    isKnownEffect(before, writes, digest) ||
    Object.hasOwn(writes.rolledBack, digest) ||
    Object.hasOwn(writes.evidence, brought.evidence?.evidence_id ?? ''); // a result that does not count is not a late write
  const call = own(writes.calls, id);
  return withLate(writes, before, { type, request, digest }, { call, isKnown });
};
