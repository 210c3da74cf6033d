import type { Emission } from 'agentcharter';
import { replay, signCheckpoint, verifyLedger } from 'agentcharter/ledger';
import { createKeys } from './desk.ts';
import type { Bank } from './bank.ts';
import type { Left } from './reversal.ts';

/** How a run ended, by its last message, its last envelope and the bank's own journal. */
export interface End {
  readonly state: string | undefined;
  readonly phase: string | undefined;
  readonly outcome: string | undefined;
  readonly codes: readonly string[];
  readonly journal: readonly string[];
}

/** All that is to be said of a run. */
export interface Report extends End, Omit<Left, 'orchestrator' | 'taskId'> {
  readonly explanation: string | undefined;
  readonly ledger: { readonly records: number; readonly intact: boolean; readonly same: boolean };
  readonly documents: readonly Emission[];
}

/** Reads how a run was left, and holds its ledger against a signed checkpoint and against the chart. */
export const reportOn = async (left: Left, bank: Bank, timestamp: string): Promise<Report> => {
  const { orchestrator, taskId, shown, attempts } = left;
  const documents = await orchestrator.documents(taskId);
  const records = await orchestrator.ledger(taskId);
  const { signing, open } = createKeys('auditor-1');
  const checkpoint = await signCheckpoint({ records, key: signing, timestamp });
  const { intact } = await verifyLedger(records, { checkpoint, keys: open, emissions: documents });

  const messages = documents.flatMap(({ name, document }) => (name === 'UpFormatMessage' ? [document] : []));
  const envelopes = documents.flatMap(({ name, document }) => (name === 'MessageEnvelope' ? [document] : []));
  const { outcome, reasons = [] } = orchestrator.list().find((task) => task.taskId === taskId) ?? {};
  return {
    state: messages.at(-1)?.state,
    phase: envelopes.at(-1)?.state,
    outcome,
    codes: [...new Set(reasons.map(({ code }) => code))],
    journal: bank.journal.map(({ kind }) => kind),
    explanation: messages.at(-1)?.explanation,
    shown,
    attempts,
    ledger: { records: records.length, intact, same: replay(records).same },
    documents,
  };
};
