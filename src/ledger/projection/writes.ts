import type { Context, Fact, FactOf } from '../../../machines/index.ts';
import type { CallDocument, LedgerEntry } from '../../ports/ledger.ts';

/** What a call waits for, as the ledger of its task knows it: a child, or what a tool of any other kind named. */
export interface Begun {
  readonly request: string;
  readonly attempt: number;
  readonly call: string;
  /** Of the action of the call. */
  readonly digest: string;
  readonly tool: string;
  /** Whether the ledger has the outcome of the call. A child reports it once, however late. */
  readonly isReported: boolean;
}

/** By the identifier of the child, in the order in which they were begun. */
export type BegunById = Readonly<Record<string, Begun>>;

/** The rollback of a write that landed too late: it is owed, or it has begun and not ended. */
export interface Compensation {
  /** The request that the write belongs to; another may be in progress by now. */
  readonly request: string;
  readonly digest: string;
  /** `undefined` if it was erased. */
  readonly call: CallDocument | undefined;
  readonly hasBegun: boolean;
}

type Effect = Context['effects'][number];

/** A write of a request that another one of the same task followed. */
export interface ConcludedWrite extends Pick<Effect, 'digest' | 'tool' | 'rollback' | 'status'> {
  readonly request: string;
  /** `undefined` if it was erased. */
  readonly call: CallDocument | undefined;
}

/** Why a rollback failed, `null` for one that succeeded, by the digest of the write. */
export type RolledBack = Readonly<Record<string, string | null>>;

/** What a task knows of its writes and its children beside the chart. */
interface Writes {
  readonly calls: Readonly<Record<string, CallDocument>>;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly begun: BegunById;
  readonly compensating: readonly Compensation[];
  readonly rolledBack: RolledBack;
  readonly concluded: readonly ConcludedWrite[];
}

/** Whether the task knows of this effect: it was made, its rollback is the run's own, or a request before concluded it. */
export const isKnownEffect = (
  { effects }: Context,
  { concluded }: Pick<Writes, 'concluded'>,
  digest: string,
): boolean =>
  [...effects, ...concluded].some((effect) => effect.digest === digest && effect.status !== 'closed');

/** The last child of a call, or of an action: an action that was done is not begun again. */
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

/** Returns the dependencies after the outcome of a call was recorded. */
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
  digest: string,
  why: string | null,
): Pick<Writes, 'rolledBack'> => ({ rolledBack: { ...rolledBack, [digest]: why } });

/** Returns why a rollback failed, as its record says it. */
export const failureIn = ({ brought: { explanation } }: LedgerEntry): string =>
  explanation ?? 'its rollback failed';

/** Returns the writes whose rollback is owed after one landed when its run waited for it no longer: no crash forgets it. */
const withLate = (
  writes: Writes,
  before: Context,
  fact: FactOf<'call.succeeded'>,
  { brought }: LedgerEntry,
): Writes['compensating'] => {
  const { compensating, rolledBack, calls, evidence } = writes;
  const call =
    fact.request === before.request && Object.hasOwn(before.calls, fact.call)
      ? before.calls[fact.call]
      : undefined;
  if (call === undefined || call.tier === 'read_only') return compensating;
  const { digest } = call;
  const isSettled =
    isKnownEffect(before, writes, digest) ||
    Object.hasOwn(rolledBack, digest) ||
    compensating.some((one) => one.digest === digest) ||
    Object.hasOwn(evidence, brought.evidence?.evidence_id ?? ''); // a result that does not count is no late one
  return isSettled
    ? compensating
    : [...compensating, { request: fact.request, digest, call: calls[fact.call], hasBegun: false }];
};

const without = (compensating: Writes['compensating'], digest: string): Writes['compensating'] =>
  compensating.filter((one) => one.digest !== digest);

/** Returns what an outcome changes that came too late to count: late writes, their rollbacks, children. */
export const afterOrphan = (
  writes: Writes,
  before: Context,
  fact: Fact,
  record: LedgerEntry,
): Partial<Pick<Writes, 'begun' | 'compensating' | 'rolledBack'>> => {
  const { compensating, rolledBack, begun } = writes;
  switch (fact.type) {
    case 'call.succeeded':
      return {
        compensating: withLate(writes, before, fact, record),
        begun: withReported(begun, fact),
      };
    case 'call.failed':
    case 'call.doubted':
      return { begun: withReported(begun, fact) };
    case 'rollback.started': {
      const { request, digest } = fact;
      const owed = { request, digest, call: record.brought.calls?.[0], hasBegun: true };
      return { compensating: [...without(compensating, digest), owed] };
    }
    case 'rollback.succeeded':
      return {
        compensating: without(compensating, fact.digest),
        ...withRolledBack(rolledBack, fact.digest, null),
      };
    case 'rollback.failed':
      return {
        compensating: without(compensating, fact.digest),
        ...withRolledBack(rolledBack, fact.digest, failureIn(record)),
      };
    case 'request.accepted':
    case 'request.refused':
    case 'information.requested':
    case 'plan.proposed':
    case 'draft.proposed':
    case 'calls.proposed':
    case 'output.rejected':
    case 'help.requested':
    case 'capability.exceeded':
    case 'policy.decided':
    case 'approval.granted':
    case 'call.cleared':
    case 'taskClass.changed':
    case 'call.started':
    case 'call.refused':
    case 'dependency.awaited':
    case 'dependency.met':
    case 'question.raised':
    case 'verifier.reported':
    case 'human.responded':
    case 'deadline.passed':
    case 'followup.offered':
    case 'changes.requested':
    case 'task.cancelled':
    case 'run.failed':
      return {}; // only outcomes come too late
  }
};
