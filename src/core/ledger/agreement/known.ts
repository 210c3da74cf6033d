import { isObject } from '../../../base/boundary/is-object.ts';
import type { Emission } from '../../../base/ports/emission.ts';
import type { CallDocument, LedgerRecord } from '../../../base/ports/ledger.ts';
import type { Erasures } from '../erasures.ts';
import { valueAt } from '../checked-text.ts';
import { proposedIn } from '../../kernel/origins.ts';
import { memberOf } from './comparison.ts';

/** A call as its record has it; the form of its members is not known. */
export type RecordedCall = Partial<Readonly<Record<keyof CallDocument, unknown>>>;

/** What the records before one say, as far as later records say it again. */
export interface Known {
  readonly opening: LedgerRecord;
  /** The number of the first record of this version of the chart. */
  readonly since: number;
  /** The request in progress, and those before it. */
  readonly requests: Set<string>;
  request: string;
  /** The calls that were proposed, by id and by digest; of an erased proposal none. */
  readonly calls: Map<string, RecordedCall>;
  /** The tiers of proposed calls, by digest. */
  readonly tiers: Map<string, string>;
  /** The ids of evidence. */
  readonly evidence: Set<unknown>;
  /** The names of the approvals that an action has, by digest. */
  readonly granted: Map<unknown, readonly string[]>;
  /** The action that used up an approval, by the name of the approval. */
  readonly consumed: Map<string, string>;
  /** The questions of emitted messages, by the id of the message; `null` if no emissions were given. */
  readonly questions: ReadonlyMap<unknown, unknown> | null;
  /** Whether documents were erased, of which emitted ones leave no trace here. */
  readonly hasErasures: boolean;
}

/** Returns the questions that messages ask, by the id of the message. */
const questionsIn = (emissions: readonly Emission[]): ReadonlyMap<string, unknown> => {
  const questions = new Map<string, unknown>();
  for (const { name, document } of emissions) {
    const [id, payload] = [valueAt(document, 'messageId'), valueAt(document, 'payload')];
    if (name !== 'UpFormatMessage' || typeof id !== 'string' || !isObject(payload)) continue;
    const question = valueAt(payload, 'question');
    if (question !== undefined) questions.set(id, question);
  }
  return questions;
};

/** Returns what is known before the first record. */
export const knownBefore = (
  opening: LedgerRecord,
  since: number,
  erasures: Erasures,
  emissions: readonly Emission[] | undefined,
): Known => ({
  opening,
  since,
  requests: new Set([opening.request_id]),
  request: opening.request_id,
  calls: new Map(),
  tiers: new Map(),
  evidence: new Set(),
  granted: new Map(),
  consumed: new Map(),
  questions: emissions === undefined ? null : questionsIn(emissions),
  hasErasures: erasures.size > 0,
});

const learnProposal = (known: Known, record: LedgerRecord): void => {
  for (const { digest, tier } of proposedIn(record)) known.tiers.set(digest, tier);
  for (const call of record.brought.calls ?? [])
    for (const key of [call.id, call.digest]) known.calls.set(key, call);
};

const learnApprovals = (known: Known, { fact, brought }: LedgerRecord): void => {
  const { calls, granted, consumed } = known;
  if (fact?.type === 'approval.granted') {
    const jti = memberOf(brought.approval, 'jti');
    if (typeof jti === 'string') granted.set(fact.digest, [...(granted.get(fact.digest) ?? []), jti]);
  } else if (fact?.type === 'call.started')
    for (const jti of granted.get(fact.digest) ?? []) consumed.set(jti, fact.digest);
  else if (fact?.type === 'call.refused') granted.delete(calls.get(fact.call)?.digest);
  else if (fact?.type === 'deadline.passed' && fact.of === 'approval') granted.delete(fact.id);
  // another plan keeps the approvals of calls that it leaves as they are, which only a replay knows
  else if (fact?.type === 'changes.requested' || fact?.type === 'plan.proposed') granted.clear();
};

/** Adds what a record says, after it was compared. */
export const learn = (known: Known, record: LedgerRecord): void => {
  const { fact, kind } = record;
  known.request = record.request_id;
  known.requests.add(record.request_id);
  if (kind !== 'fact' && kind !== 'orphan') return;
  if (fact !== null && 'evidence' in fact && typeof fact.evidence === 'object')
    known.evidence.add(fact.evidence.id);
  if (kind === 'orphan') return;
  learnProposal(known, record);
  learnApprovals(known, record);
};
