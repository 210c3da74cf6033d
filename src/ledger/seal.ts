import { hash } from 'node:crypto';
import { canonicalize } from '../canonical/canonicalize.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { digest } from '../canonical/digest.ts';
import { frozenCopy, recordBounds } from '../canonical/freeze.ts';
import type { Emission } from '../ports/emission.ts';
import type { RecordPayload, LedgerEntry, LedgerRecord } from '../ports/ledger.ts';
import type { Deadline, Intent, TaskIndexEntry } from '../ports/store.ts';
import type { SealedRecord } from './record-schema.ts';

/** What a record is sealed with: the hash before, the text of the snapshot that it led to, and what it emitted. */
export interface Sealing {
  readonly previous: string | null;
  readonly snapshot: string | null;
  readonly emissions: readonly Emission[];
  /** The hash of what is stored beside it, where anything is. */
  readonly beside?: string;
}

/** Says what is hashed, so that no hash of a record is the digest of some document too. */
const domain = 'agentcharter ledger record 1\n';

/** `sha256:` and the lower-case hex of SHA-256 over the UTF-8 of a text, such as a snapshot's. */
export const hashOfText = (text: string): string => `sha256:${hash('sha256', text)}`;

/** The hash that a record should have: over everything in it but `brought`, which `documents` stands for. */
export const hashOfRecord = (record: Omit<LedgerRecord, 'hash'> | Omit<SealedRecord, 'hash'>): string => {
  const { brought: _brought, hash: _hash, ...core }: Partial<LedgerRecord | SealedRecord> = record;
  return hashOfText(domain + canonicalize(core, 'record'));
};

/** What an entry brought: a member that is undefined was not brought. */
const givenIn = ({ brought }: Pick<LedgerEntry, 'brought'>): RecordPayload =>
  Object.values(brought).includes(undefined)
    ? Object.fromEntries(Object.entries(brought).filter(([, document]) => document !== undefined))
    : brought;

/**
 * A record in its chain: a frozen copy of an entry, with the digests and the hash that seal it (UAICP 5.4).
 *
 * Throws `input_unreadable` where a member is not plain I-JSON data; one of `brought` that is undefined is left out.
 */
export const sealRecord = (
  entry: LedgerEntry,
  { previous, snapshot, emissions, beside }: Sealing,
): LedgerRecord => {
  const core = frozenCopy(
    {
      ...entry,
      // The copy is hashed, not what was given: somebody may still hold that.
      brought: givenIn(entry),
      emitted: emissions.map(({ name, document }) => digest(document, name)),
      snapshot: snapshot === null ? null : hashOfText(snapshot),
      beside: beside ?? null,
      previous,
    },
    'record',
    recordBounds,
  ) as Omit<LedgerRecord, 'documents' | 'hash'>; // frozenCopy keeps the shape of what it copies
  const documents = Object.fromEntries(
    Object.entries(core.brought).map(([name, document]) => [name, digest(document, name)]),
  );
  const record = { ...core, documents };
  return deepFreeze({ ...record, hash: hashOfRecord(record) });
};

/** What is stored next to a record, derived from it: index entry, deadlines and intents. */
export interface StoredProjection {
  readonly indexEntry: Omit<TaskIndexEntry, 'head'>;
  readonly deadlines: readonly Deadline[];
  readonly intents: readonly Intent[];
}

/** Returns the SHA-256 of a stored projection. A record holds it, so that an edited deadline or inbox entry is found. */
export const hashOfProjection = ({ indexEntry, deadlines, intents }: StoredProjection): string => {
  const { taskId, threadId, parent, size, at, isSettled, isOwed, asking, summary } = indexEntry;
  const running = deadlines.map(({ of, id, at: end }) => [of, id, end]);
  const begun = intents.map(({ kind, key, tool }) => [kind, key, tool]);
  const entry = [taskId, threadId, parent, size, at, isSettled, isOwed, asking, summary];
  return hashOfText(JSON.stringify([entry, running, begun]));
};
