import type { SnapshotFrom } from 'xstate';
import { outcomeOf, stateName, type Fact, type taskMachine } from '../../machines/index.ts';
import type { Outcome, ReasonCode } from '../../schema/index.ts';
import type { Actor, Brought, LedgerEntry } from '../ports/ledger.ts';
import type { Step } from '../ports/store.ts';

export type TaskSnapshot = SnapshotFrom<typeof taskMachine>;

/** Who states a fact, and what it brings beside itself. */
export interface Statement {
  readonly actor: Actor;
  readonly brought?: Brought;
  /** Why it is refused, where that is known before the chart is asked. */
  readonly code?: ReasonCode | null;
  /** Why it was refused, where only the chart's answer tells. */
  readonly whyRefused?: () => ReasonCode | null;
  /** Makes a repeated send harmless. */
  readonly key?: string;
  /** The approvals that it uses up. */
  readonly consumedApprovals?: Step['spends'];
}

/** The orchestrator itself, when it is the one who acts. */
export const orchestratorActor: Actor = { kind: 'system', id: 'agentcharter' };

/** Facts that say what came of something begun: too late to count, they are kept as orphans. */
const lateFacts: ReadonlySet<Fact['type']> = new Set([
  'call.succeeded',
  'call.failed',
  'call.doubted',
  'policy.decided',
  'verifier.reported',
  'rollback.succeeded',
  'rollback.failed',
] satisfies Fact['type'][]);

const factOutcome = (fact: Fact | null, snapshot: TaskSnapshot): Outcome => {
  switch (fact?.type) {
    case 'call.succeeded':
    case 'rollback.succeeded':
      return 'success';
    case 'call.failed':
    case 'call.refused':
    case 'rollback.failed':
      return 'failure';
    case 'call.doubted':
      return 'uncertain';
    case 'verifier.reported':
      return fact.status === 'pass' ? 'success' : 'failure';
    default:
      return outcomeOf(snapshot.context);
  }
};

/** Returns what a fact is recorded as that was not taken: it came too late, or was not let in. */
export const refusedKind = ({ type }: Fact): 'orphan' | 'refusal' =>
  lateFacts.has(type) ? 'orphan' : 'refusal';

const outcomeIn = (kind: LedgerEntry['kind'], fact: Fact | null, after: TaskSnapshot): Outcome => {
  switch (kind) {
    case 'fact':
    case 'orphan': // too late to count, and what happened all the same
      return factOutcome(fact, after);
    case 'erasure':
      return 'success';
    case 'recovery':
      return 'pending';
    case 'refusal':
      return 'failure';
  }
};

/** A fact that is not let in leaves its code, and nothing that could be used: no token is kept for nothing. */
export const refusedOf = ({ brought = {}, whyRefused, ...statement }: Statement): Statement => {
  const { approval: _approval, ...kept } = brought;
  const { key: _key, ...refused } = statement;
  return { ...refused, code: whyRefused?.() ?? null, brought: kept };
};

/** What a record is made of beside its place in the ledger. */
export type Draft = Omit<LedgerEntry, 'seq' | 'taskId' | 'omitted' | 'behind'>;

/** A record of UAICP 5.4, of a step between two snapshots. */
export const draftOf = (
  {
    fact,
    kind,
    actor,
    brought = {},
    code = null,
    erased = null,
  }: Statement & Pick<LedgerEntry, 'fact' | 'kind'> & { readonly erased?: string | null },
  { before, after }: { readonly before: TaskSnapshot; readonly after: TaskSnapshot },
  where: Pick<LedgerEntry, 'trace_id' | 'timestamp'>,
): Draft => ({
  ...where,
  kind,
  request_id: after.context.request,
  actor,
  outcome: outcomeIn(kind, fact, after),
  from: stateName(before.value),
  to: stateName(after.value),
  fact,
  code,
  erased,
  brought,
});
