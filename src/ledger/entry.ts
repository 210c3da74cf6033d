import type { SnapshotFrom } from 'xstate';
import { outcomeOf, stateName, type Fact, type taskMachine } from '../../machines/index.ts';
import type { Outcome } from '../../schema/index.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { frozenCopy, recordBounds } from '../canonical/freeze.ts';
import type { Brought, LedgerEntry } from '../ports/ledger.ts';

type TaskSnapshot = SnapshotFrom<typeof taskMachine>;

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

/** Returns a deeply frozen copy of what an entry brought, without members that are undefined. Throws `input_unreadable`. */
const broughtIn = (given: Brought): Brought => {
  const entries = Object.entries(given).filter(([, document]) => document !== undefined);
  return frozenCopy(Object.fromEntries(entries), 'record', recordBounds) as Brought; // frozenCopy keeps the shape of what it copies
};

/** What an entry is made of, and the snapshots around it. */
export interface NewEntry
  extends
    Pick<
      LedgerEntry,
      'seq' | 'taskId' | 'trace_id' | 'timestamp' | 'fact' | 'kind' | 'actor' | 'omitted' | 'behind'
    >,
    Partial<Pick<LedgerEntry, 'brought' | 'code' | 'erased'>> {
  readonly before: TaskSnapshot;
  readonly after: TaskSnapshot;
}

/** Returns an entry of UAICP 5.4, frozen: what is projected, emitted and stored of it cannot change any more. */
export const entryOf = ({ before, after, brought = {}, ...given }: NewEntry): LedgerEntry => {
  const { seq, taskId, trace_id, timestamp, kind, actor, fact, code = null, erased = null } = given;
  const { omitted, behind } = given;
  return deepFreeze({
    seq,
    taskId,
    trace_id,
    timestamp,
    kind,
    request_id: after.context.request,
    actor,
    outcome: outcomeIn(kind, fact, after),
    from: stateName(before.value),
    to: stateName(after.value),
    fact,
    code,
    erased,
    brought: broughtIn(brought),
    omitted,
    behind,
  });
};
