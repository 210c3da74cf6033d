import { hash } from 'node:crypto';
import { textOfCopy } from '../canonical/canonicalize.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { digest } from '../canonical/digest.ts';
import { frozenCopy, recordBounds } from '../canonical/freeze.ts';
import type { Emission } from '../ports/emission.ts';
import type { RecordPayload, LedgerEntry, LedgerRecord } from '../ports/ledger.ts';
import type { Deadline, Intent, TaskIndexEntry } from '../ports/store.ts';
import type { SealedRecord } from './record-schema.ts';

/** The input of sealing: the previous hash, the text of the resulting snapshot, and the emissions. */
export interface Sealing {
  readonly previous: string | null;
  readonly snapshot: string | null;
  readonly emissions: readonly Emission[];
  /** The hash of the stored projection, if there is one. */
  readonly beside?: string;
}

/** A prefix of the hashed text, so that a record's hash never equals a document's digest. */
const domain = 'agentcharter ledger record 1\n';

/** Returns `sha256:` and the lower-case hex SHA-256 of a text in UTF-8, such as a snapshot. */
export const hashOfText = (text: string): string => `sha256:${hash('sha256', text)}`;

/**
 * Returns the expected hash of a record that consists of frozen copies: over every member except `brought`, which
 * `documents` represents.
 */
export const hashOfRecord = (record: Omit<LedgerRecord, 'hash'> | Omit<SealedRecord, 'hash'>): string => {
  const { brought: _brought, hash: _hash, ...core }: Partial<LedgerRecord | SealedRecord> = record;
  return hashOfText(domain + textOfCopy(core));
};

/** Returns the documents of an entry, without undefined members. */
const givenIn = ({ brought }: Pick<LedgerEntry, 'brought'>): RecordPayload =>
  Object.values(brought).includes(undefined)
    ? Object.fromEntries(Object.entries(brought).filter(([, document]) => document !== undefined))
    : brought;

/**
 * Returns an entry as a sealed record: a frozen copy with the digests and the hash (UAICP 5.4).
 *
 * Throws `input_unreadable` if a member is not plain I-JSON data. Undefined members of `brought` are omitted.
 */
export const sealRecord = (
  entry: LedgerEntry,
  { previous, snapshot, emissions, beside }: Sealing,
): LedgerRecord => {
  const core = frozenCopy(
    {
      ...entry,
      // Hash the copy: the original could still be changed.
      brought: givenIn(entry),
      emitted: emissions.map(({ name, document }) => digest(document, name)),
      snapshot: snapshot === null ? null : hashOfText(snapshot),
      beside: beside ?? null,
      previous,
    },
    'record',
    recordBounds,
  ) as Omit<LedgerRecord, 'documents' | 'hash'>; // frozenCopy keeps the shape
  const documents = Object.fromEntries(
    Object.entries(core.brought).map(([name, document]) => [name, digest(document, name)]),
  );
  const record = { ...core, documents };
  return deepFreeze({ ...record, hash: hashOfRecord(record) });
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
