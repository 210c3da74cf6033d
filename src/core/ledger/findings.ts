import type { RecordPayload } from '../../base/ports/ledger.ts';

/** The problems that a ledger may have, with the meaning of each code. */
export const findingMeaning = {
  unreadable: 'It is not plain JSON data, or does not fit the schema of a record.',
  edited: 'The record is not the one that was sealed, or not the one that a checkpoint names.',
  dropped: 'The record is missing, and perhaps some that follow it.',
  swapped: 'The record comes after a later one.',
  duplicated: 'An earlier record has the same number.',
  foreign: 'The record belongs to another task.',
  truncated: 'The ledger ends before the record that a checkpoint names.',
  unchained: 'The record names another hash as the previous one: one of the two records was sealed again.',
  inconsistent:
    'The record violates a rule of its kind, or does not begin in the state where the last one ended.',
  time_backwards:
    'The record is earlier than one before it: where a clock goes back, a task keeps the latest time that it saw.',
  document_edited: 'A document that the record brought is not the one that was sealed.',
  document_missing: 'A document that the record brought is missing, and no later record marks it as erased.',
  document_kept: 'A document that a later record marks as erased still exists.',
  emission_edited: 'An emitted document is not the one that was sealed.',
  emission_missing: 'An emitted document is missing, and no later record marks it as erased.',
  emission_added: 'A document was never emitted, or still exists although a record marks it as erased.',
  delivered_other:
    'What the record delivers is not the draft that was verified: the text has another digest, or the message another payload.',
  contradictory:
    'A document says something else than another place of the ledger that says the same thing; see `contradiction`.',
  approval_invalid:
    'The key that the token of an approval names did not sign it, or may not sign for its approver.',
  approval_key_unknown: 'The token of an approval names no given key: its signature was not verified.',
  checkpoint_invalid:
    'The checkpoint is not signed by a given key, or is of another kind, or of another task.',
} as const;

/** The code of a ledger problem; see `findingMeaning`. */
export type FindingCode = keyof typeof findingMeaning;

/** The verdicts of a verification, with their meanings. */
export const verdictMeaning = {
  anchored: 'It is intact, and its last record is that of a signed checkpoint. Later records may be missing.',
  unanchored: 'It is intact. No checkpoint covers its last record: records after it may be missing.',
  unsettled:
    'It is intact, and its task is not settled. No checkpoint covers its last record: the task goes on, or records are missing.',
  broken: 'It is not intact; see the findings.',
} as const;

/** The verdict of a verification; see `verdictMeaning`. */
export type LedgerVerdict = keyof typeof verdictMeaning;

/** The problems that a replay may find, with the meaning of each code. */
export const replayMeaning = {
  unreadable: 'It is not plain JSON data, or does not fit the schema of a record.',
  unopened: 'The ledger does not begin with an opening record and its contract.',
  chain:
    'Another version of the chart wrote the ledger, so its states are not derived, and its chain is not the one that was sealed.',
  refused: 'The chart does not accept the fact in this state.',
  state: 'The record names other states than the chart goes through.',
  snapshot:
    'The record names another snapshot than the one that the fact leads to, or lacks one where the task comes to rest or a write begins or ends.',
  delivered_other: 'What the record delivers is not the draft that was verified.',
  origins:
    'The values of a call do not come from where its record says, or it is held for other reasons than they give.',
  request: 'The record names another request than the one in progress.',
} as const;

/** The code of a replay problem; see `replayMeaning`. */
export type ReplayCode = keyof typeof replayMeaning;

/** A member in a finding; a container and a text of more than 128 characters are named by their digest. */
export type Stated = string | number | boolean | null;

/** Two places of a ledger that say the same thing, and differ. */
export interface Contradiction {
  /** The document that the record brought; `record` for the record itself. */
  readonly document: keyof RecordPayload | 'record';
  /** A JSON Pointer into it; empty for the whole. */
  readonly member: string;
  /** What it says; `null` for nothing. */
  readonly found: Stated;
  /** What the other place says, such as the fact of the record, or the signed token. */
  readonly expected: Stated;
}

/** A problem, and the number of its record. */
export interface Finding<Code extends FindingCode | ReplayCode = FindingCode> {
  readonly seq: number;
  readonly code: Code;
  /** Identifiers, never a payload. */
  readonly message: string;
  /** Present if the code is `contradictory`. */
  readonly contradiction?: Contradiction;
}
