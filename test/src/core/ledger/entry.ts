import type { LedgerEntry } from '../../../../src/base/ports/ledger.ts';

/** An entry that is valid and has no meaning. */
export const entryOf = (seq: number, changes: Partial<LedgerEntry> = {}): LedgerEntry => ({
  seq,
  taskId: 'task',
  kind: 'fact',
  request_id: '00000000-0000-4000-8000-000000000001',
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  timestamp: '2026-11-21T05:00:00Z',
  actor: { kind: 'system', id: 'agentcharter' },
  outcome: 'pending',
  from: 'submitted.intake',
  to: 'submitted.plan.proposing',
  fact: seq === 0 ? null : { type: 'request.accepted' },
  code: null,
  erased: null,
  omitted: 0,
  behind: 0,
  brought: {},
  ...changes,
});
