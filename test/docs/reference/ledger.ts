import { findingMeaning, replayMeaning } from '../../../src/core/ledger/index.ts';
import type { LedgerRecord } from '../../../src/base/ports/ledger.ts';
import { code, list, page } from './markdown.ts';

const kinds: Readonly<Record<LedgerRecord['kind'], string>> = {
  fact: 'the chart got an event',
  orphan: 'a late result',
  refusal: 'the chart refused something',
  erasure: 'a document was erased',
  recovery: 'a write in doubt was resolved',
  agent: 'an agent saved its state',
  message: 'another participant sent one',
  upgrade: 'carried over to another chart',
  end: 'ended without its chart',
};

/** What each member of a record says; a new one does not compile until it is described here. */
const members: Readonly<Record<keyof LedgerRecord, string>> = {
  seq: 'its number in the ledger of its task, from 0',
  taskId: 'the task',
  kind: Object.entries(kinds)
    .map(([kind, meaning]) => `${code(kind)} (${meaning})`)
    .join(', '),
  request_id: 'the request in progress (UAICP 5.4)',
  trace_id: 'the trace, 32 hex digits (UAICP 5.4)',
  timestamp: 'when it was recorded, RFC 3339 (UAICP 5.4)',
  actor: 'who acted: `system`, `agent` or `human`, and their name (UAICP 5.4)',
  outcome: '`success`, `failure`, `uncertain` or `pending` (UAICP 5.4)',
  from: 'the state before',
  to: 'the state after',
  fact: 'the event that the chart got; `null` for the opening and for records without one',
  code: 'the reason code of a refusal, if it has one',
  erased: 'the digest of the erased document',
  omitted: 'the number of refusals since the record before that were not recorded',
  behind: 'milliseconds that the clock was behind the latest recorded time',
  brought: 'the documents that came with the fact, without erased ones',
  documents: 'the digest of each document in `brought`, by name',
  emitted: 'the digests of the emitted documents, in order',
  snapshot:
    'SHA-256 of the snapshot after the fact: where the task comes to rest, and where a write begins or ends; else `null`',
  beside:
    'SHA-256 of the data stored beside the record: the summary of the task, its deadlines, its open intents',
  previous: 'the hash of the record before',
  hash: 'SHA-256 over `agentcharter ledger record 1`, a line feed, and RFC 8785 of all members but `brought` and `hash`',
};

const meanings = (of: Readonly<Record<string, string>>): string =>
  list(Object.entries(of).map(([name, meaning]) => [code(name), meaning]));

export const ledgerRows = [members, findingMeaning, replayMeaning].flatMap((of) => Object.keys(of));

export const ledgerPage = (): string =>
  page(
    'The ledger',
    'Look up what a record contains, and what verification finds. [Ledgers](../embed/ledgers.md#what-a-verdict-claims) has the verdicts. An export (`toJsonLines`) has one record per line. Digests are `sha256:` and lower-case hex over the RFC 8785 form of a document.',
    '## A record',
    meanings(members),
    '## What `verifyLedger` finds',
    meanings(findingMeaning),
    '## What `replay` finds',
    meanings(replayMeaning),
  );
