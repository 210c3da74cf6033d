import { ruleOf } from '../../../machines/facts/index.ts';
import type { Fact } from '../../../machines/index.ts';
import type { Outcome } from '../../../schema/index.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { frozenCopy, recordBounds } from '../../base/canonical/freeze.ts';
import type { RecordPayload, LedgerEntry } from '../../base/ports/ledger.ts';

/** Returns the outcome of a record: that of its fact, or else that of the run. */
export const outcomeIn = (kind: LedgerEntry['kind'], fact: Fact | null, run: Outcome): Outcome => {
  switch (kind) {
    case 'fact':
    case 'orphan': // too late to count, and what happened all the same
      return (fact && ruleOf(fact.type).outcome?.(fact)) ?? run;
    case 'erasure':
      return 'success';
    case 'recovery':
      return 'pending';
    case 'refusal':
      return 'failure';
    case 'agent':
    case 'message':
    case 'upgrade':
    case 'end':
      return run;
  }
};

/**
 * Returns a deeply frozen copy of a payload, without undefined members. Each document is a copy of its own, whose
 * digest is computed once. Throws `input_unreadable`.
 */
const broughtIn = (given: RecordPayload): RecordPayload => {
  const copies: Record<string, unknown> = {};
  for (const [name, document] of Object.entries(given))
    if (document !== undefined) copies[name] = frozenCopy(document, 'record', recordBounds, name);
  return frozenCopy(copies, 'record', recordBounds) as RecordPayload; // frozenCopy keeps the shape
};

const nothingBrought = broughtIn({});

/** The input of an entry. */
export interface NewEntry
  extends
    Pick<
      LedgerEntry,
      | 'seq'
      | 'taskId'
      | 'trace_id'
      | 'timestamp'
      | 'fact'
      | 'kind'
      | 'actor'
      | 'from'
      | 'to'
      | 'omitted'
      | 'behind'
    >,
    Partial<Pick<LedgerEntry, 'brought' | 'code' | 'erased'>> {
  /** The current request after the record. */
  readonly request: string;
  /** The outcome of the run after the record. */
  readonly run: Outcome;
}

/** Returns a ledger entry (UAICP 5.4), deeply frozen, so that projection, emissions and store use the same data. */
export const entryOf = (given: NewEntry): LedgerEntry => {
  const { seq, taskId, trace_id, timestamp, kind, actor, fact, code = null, erased = null } = given;
  const { omitted, behind, from, to, request, run, brought } = given;
  return deepFreeze({
    seq,
    taskId,
    trace_id,
    timestamp,
    kind,
    request_id: request,
    actor,
    outcome: outcomeIn(kind, fact, run),
    from,
    to,
    fact,
    code,
    erased,
    brought: brought === undefined ? nothingBrought : broughtIn(brought),
    omitted,
    behind,
  });
};
