import type { SnapshotFrom } from 'xstate';
import { outcomeOf, type Fact, type taskMachine } from '../../machines/index.ts';
import type { Outcome } from '../../schema/index.ts';
import type { Actor, Brought, LedgerRecord } from '../ports/ledger.ts';

export type TaskSnapshot = SnapshotFrom<typeof taskMachine>;

/** Who states a fact, and what it brings beside itself. */
export interface Statement {
  readonly actor: Actor;
  readonly brought?: Brought;
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

/** A snapshot's state as one word: `submitted.execute.calling`. */
export const stateName = (value: TaskSnapshot['value']): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value)
        .map(([key, inner]) =>
          inner === undefined ? key : `${key}.${stateName(inner as TaskSnapshot['value'])}`,
        )
        .join('+');

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

/** What became of a fact: taken, too late, or not let in. */
export const kindOf = (fact: Fact, isTaken: boolean): LedgerRecord['kind'] => {
  if (isTaken) return 'fact';
  return lateFacts.has(fact.type) ? 'orphan' : 'refusal';
};

/** A record of UAICP 5.4, of a step between two snapshots. */
export const recordOf = (
  { fact, kind, actor, brought = {} }: Statement & Pick<LedgerRecord, 'fact' | 'kind'>,
  { before, after }: { readonly before: TaskSnapshot; readonly after: TaskSnapshot },
  where: Pick<LedgerRecord, 'seq' | 'taskId' | 'trace_id' | 'timestamp'>,
): LedgerRecord => ({
  ...where,
  kind,
  request_id: after.context.request,
  actor,
  outcome: kind === 'fact' ? factOutcome(fact, after) : 'failure',
  from: stateName(before.value),
  to: stateName(after.value),
  fact,
  brought,
});
