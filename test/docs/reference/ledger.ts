import { findingMeaning, replayMeaning, verdictMeaning } from '../../../src/ledger/index.ts';
import type { LedgerRecord } from '../../../src/ports/ledger.ts';
import { code, page, table } from './markdown.ts';

/** What each member of a record says; a new one does not compile until it stands here. */
const members: Readonly<Record<keyof LedgerRecord, string>> = {
  seq: 'its number in the ledger of its task, from 0',
  taskId: 'the task',
  kind: '`fact`, or what changed no state: `orphan` (too late to count), `refusal` (not let in), `erasure`, `recovery` (of an effect in doubt)',
  request_id: 'the request in progress (UAICP 5.4)',
  trace_id: 'the trace, 32 hex digits (UAICP 5.4)',
  timestamp: 'when it was recorded, RFC 3339 (UAICP 5.4)',
  actor: 'who acted: `system`, `agent` or `human`, and their name (UAICP 5.4)',
  outcome: '`success`, `failure`, `uncertain` or `pending` (UAICP 5.4)',
  from: 'the state before',
  to: 'the state after',
  fact: 'what happened, as the chart was told; `null` for the opening and where no fact was stated',
  code: 'why a refusal was refused, where that has a reason code',
  erased: 'the digest of the document that an erasure took out',
  omitted: 'refusals since the record before that were too many to be written down',
  behind: 'milliseconds by which the clock stood behind the latest time that was seen',
  brought: 'the documents that came with the fact; a document that was erased is missing here',
  documents: 'the digest of each document in `brought`, by its name there',
  emitted: 'the digests of the documents that the step emitted, in order',
  snapshot: 'SHA-256 of the text of the snapshot that the fact led to',
  beside: 'SHA-256 of what is stored beside the record: how the task stands, its deadlines, its open intents',
  previous: 'the hash of the record before',
  hash: 'SHA-256 over `agentcharter ledger record 1`, a line feed, and RFC 8785 of all of this but `brought` and `hash`',
};

const meanings = (of: Readonly<Record<string, string>>): string =>
  table(
    ['code', 'meaning'],
    Object.entries(of).map(([name, meaning]) => [code(name), meaning]),
  );

export const ledgerRows = [members, verdictMeaning, findingMeaning, replayMeaning].flatMap((of) =>
  Object.keys(of),
);

export const ledgerPage = (): string =>
  page(
    'The ledger',
    'One record a line when it is exported (`toJsonLines`). Digests are `sha256:` and lower-case hex over the RFC 8785 form of a document.',
    '## A record',
    table(
      ['member', 'what it says'],
      Object.entries(members).map(([name, says]) => [code(name), says]),
    ),
    '## The verdict of `verifyLedger`',
    table(
      ['verdict', 'meaning'],
      Object.entries(verdictMeaning).map(([name, meaning]) => [code(name), meaning]),
    ),
    '## What `verifyLedger` finds',
    meanings(findingMeaning),
    '## What `replay` finds',
    meanings(replayMeaning),
  );
