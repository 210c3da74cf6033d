import { textOfFixed } from '../../base/canonical/canonicalize.ts';
import { deepFreeze, markFrozen } from '../../base/canonical/deep-freeze.ts';
import { digest, digestOfOwn, hashOfText } from '../../base/canonical/digest.ts';
import type { Emission } from '../../base/ports/emission.ts';
import type { RecordPayload, LedgerEntry, LedgerRecord } from '../../base/ports/ledger.ts';
import type { Deadline, Intent, Step, TaskIndexEntry } from '../../base/ports/store.ts';
import type { Reading } from './now.ts';

/** The head of a task's ledger: what the next record continues. */
export interface Head {
  /** The number of records. */
  readonly size: number;
  /** The number of emitted documents. */
  readonly emitted: number;
  /** The hash of the last record; `null` for none. */
  readonly hash: string | null;
  /** The time of the last record (milliseconds since 1970). */
  readonly latest: number;
  /** The number of refusals since the last other record. */
  readonly refusals: number;
  /** The number of refusals since the last record that were not recorded. */
  readonly omitted: number;
}

/** The head of an empty ledger. */
export const noRecords: Head = {
  size: 0,
  emitted: 0,
  hash: null,
  latest: -Infinity,
  refusals: 0,
  omitted: 0,
};

/** The number of consecutive refusals that are recorded; the next record counts the others. */
const refusalLimit = 100;

/** Returns the head after a refusal that is one too many to record; `null` if it is to be recorded. */
export const omitRefusal = (head: Head): Head | null =>
  head.refusals < refusalLimit ? null : { ...head, omitted: head.omitted + 1 };

/** Returns the head after a record that emitted so many documents. */
const headAfter = (
  { size, emitted, refusals }: Head,
  { hash, kind, timestamp }: LedgerRecord,
  documents: number,
): Head => ({
  size: size + 1,
  emitted: emitted + documents,
  hash,
  latest: Date.parse(timestamp),
  refusals: kind === 'refusal' ? refusals + 1 : 0,
  omitted: 0,
});

/** Returns the time of a new record: never before the last one, even if another process was ahead. */
export const recordTime = ({ latest }: Head, { at }: Pick<Reading, 'at'>): number => Math.max(at, latest);

/** Returns the head of a ledger that emitted so many documents. */
export const headOf = (records: readonly LedgerRecord[], emitted: number): Head => ({
  size: records.length,
  emitted,
  hash: records.at(-1)?.hash ?? null,
  latest: records.reduce((latest, { timestamp }) => Math.max(latest, Date.parse(timestamp)), -Infinity),
  refusals: records.length - 1 - records.findLastIndex(({ kind }) => kind !== 'refusal'),
  omitted: 0,
});

/** The input of sealing: the previous hash, the text of the resulting snapshot, and the emissions. */
export interface Sealing {
  readonly previous: string | null;
  readonly snapshot: string | null;
  readonly emissions: readonly Emission[];
  /** The hash of the stored projection, if there is one. */
  readonly beside?: string;
}

/** A prefix of the hashed text of a record, so that a record's hash never equals a document's digest. */
export const recordDomain = 'agentcharter ledger record 1\n';

/** The members of a record that its hash covers, in the order of RFC 8785, with the text that each begins with. */
const covered = (
  [
    'actor',
    'behind',
    'beside',
    'code',
    'documents',
    'emitted',
    'erased',
    'fact',
    'from',
    'kind',
    'omitted',
    'outcome',
    'previous',
    'request_id',
    'seq',
    'snapshot',
    'taskId',
    'timestamp',
    'to',
    'trace_id',
  ] as const satisfies readonly (keyof LedgerRecord)[]
).map((name, index) => [name, `${index === 0 ? '{' : ','}"${name}":`] as const);

/** The number of members of a record: `brought` and `hash` are not covered. */
const memberCount = covered.length + 2;

type Hashed = Omit<LedgerRecord, 'hash' | 'brought'>;

/** A record as it was read: of its members only the names are known. */
type Named = Readonly<Record<keyof Hashed, unknown>> & {
  readonly brought?: unknown;
  readonly hash?: unknown;
};

const coveredText = (record: Named, document?: string): string => {
  let text = '';
  for (const [name, start] of covered) text += start + textOfFixed(record[name], document);
  return `${text}}`;
};

/**
 * Returns the expected hash of a record that consists of frozen copies: over every member except `brought`, which
 * `documents` represents. A member that only a later version knows is covered too.
 */
export const hashOfRecord = (record: Named): string => {
  if (Object.keys(record).length === memberCount && covered.every(([name]) => Object.hasOwn(record, name)))
    return hashOfText(recordDomain + coveredText(record));
  const { brought: _brought, hash: _hash, ...core } = record;
  return hashOfText(recordDomain + textOfFixed(core));
};

const digestsOf = (brought: RecordPayload): LedgerRecord['documents'] => {
  const documents: Partial<Record<keyof RecordPayload, string>> = {};
  for (const name of Object.keys(brought) as (keyof RecordPayload)[])
    documents[name] = digest(brought[name], name);
  return Object.freeze(documents);
};

/**
 * Returns an entry of `entryOf` as a sealed record: frozen, with the digests and the hash (UAICP 5.4).
 *
 * Throws `input_unreadable` if an emitted document is not plain I-JSON data.
 */
export const sealRecord = (
  entry: LedgerEntry,
  { previous, snapshot, emissions, beside }: Sealing,
): LedgerRecord => {
  const record = {
    ...entry,
    documents: digestsOf(entry.brought),
    emitted: Object.freeze(emissions.map(({ name, document }) => digestOfOwn(document, name))),
    snapshot: snapshot === null ? null : hashOfText(snapshot),
    beside: beside ?? null,
    previous,
    hash: '',
  };
  record.hash = hashOfText(recordDomain + coveredText(record, 'record'));
  markFrozen(Object.freeze(record));
  return record;
};

/** The data stored with a record and derived from it: index entry, deadlines and intents. */
export interface StoredProjection {
  readonly indexEntry: Omit<TaskIndexEntry, 'head'>;
  readonly deadlines: readonly Deadline[];
  readonly intents: readonly Intent[];
}

/**
 * Returns the SHA-256 of a stored projection. A record contains it, so that an edited deadline or inbox entry is
 * detected.
 */
export const hashOfProjection = ({ indexEntry, deadlines, intents }: StoredProjection): string => {
  const { taskId, threadId, parent, size, at, isSettled, isOwed, asking, summary } = indexEntry;
  const running = deadlines.map(({ of, id, at: end }) => [of, id, end]);
  const begun = intents.map(({ kind, key, tool }) => [kind, key, tool]);
  const entry = [taskId, threadId, parent, size, at, isSettled, isOwed, asking, summary];
  return hashOfText(JSON.stringify([entry, running, begun]));
};

/** A step as it is to be stored, but for what its process adds. */
export interface SealedStep extends Pick<
  Step,
  | 'taskId'
  | 'key'
  | 'record'
  | 'snapshot'
  | 'indexEntry'
  | 'deadlines'
  | 'intents'
  | 'emissions'
  | 'consumedApprovals'
> {
  /** Whether its agent must take a turn, and nothing else can be done. */
  readonly isTurn: boolean;
}

/** What is stored with a record. */
export interface Consequence extends Pick<
  SealedStep,
  'snapshot' | 'emissions' | 'consumedApprovals' | 'key' | 'isTurn'
> {
  readonly beside: StoredProjection;
}

/** Returns a step whose record is sealed, and the head after it. */
export const sealedStep = (
  head: Head,
  entry: LedgerEntry,
  { beside, snapshot, emissions, consumedApprovals, key, isTurn }: Consequence,
): { readonly step: SealedStep; readonly head: Head } => {
  const sealing = { previous: head.hash, snapshot, emissions, beside: hashOfProjection(beside) };
  const record = sealRecord(entry, sealing);
  const step: SealedStep = Object.freeze({
    taskId: entry.taskId,
    key,
    record,
    snapshot,
    indexEntry: Object.freeze({ head: record.hash, ...beside.indexEntry }),
    deadlines: deepFreeze(beside.deadlines),
    intents: deepFreeze(beside.intents),
    emissions: deepFreeze(emissions),
    consumedApprovals: deepFreeze(consumedApprovals),
    isTurn,
  });
  return { step, head: headAfter(head, record, emissions.length) };
};
