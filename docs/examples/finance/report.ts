import type { Emission } from 'agentcharter';
import { type LedgerRecord, replay, signCheckpoint, verifyLedger } from 'agentcharter/ledger';
import type { Bank } from './bank.ts';
import { createKeys } from './desk.ts';
import { money, type Snapshot } from './records.ts';
import type { Left } from './reversal.ts';

/** How a run ended, and the result of each answer. */
export type End = readonly [
  state: string | undefined,
  phase: string | undefined,
  outcome: string | undefined,
  codes: readonly string[],
  answers: readonly string[],
  journal: readonly string[],
];

/** Everything that is reported of a run. */
export interface Report extends Omit<Left, 'orchestrator' | 'taskId'> {
  readonly end: End;
  readonly explanation: string;
  /** Who decided what, as the ledger has it. */
  readonly decided: readonly string[];
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly ledger: { readonly records: number; readonly isIntact: boolean; readonly isReplayed: boolean };
  readonly documents: readonly Emission[];
}

const decision = ({ kind, fact, code, actor, brought }: LedgerRecord): readonly string[] => {
  if (kind === 'refusal') return [`refused: ${code}`];
  if (fact?.type === 'approval.granted') return [`approved: by ${actor.id}`];
  return fact?.type === 'policy.decided' ? [`policy: ${fact.verdict}, ${brought.reasons?.join('; ')}`] : [];
};

/** Reads the state of a run, and verifies its ledger with a signed checkpoint and the chart. */
export const reportOn = async (left: Left, bank: Bank, before: Snapshot): Promise<Report> => {
  const { orchestrator, taskId, shown, answers } = left;
  const documents = await orchestrator.documents(taskId);
  const records = await orchestrator.ledger(taskId);
  const { signing, open: keys } = createKeys('auditor-1');
  const checkpoint = await signCheckpoint({ records, key: signing, timestamp: new Date().toISOString() });
  const { intact } = await verifyLedger(records, { checkpoint, keys, emissions: documents });

  const message = documents.findLast((one) => one.name === 'UpFormatMessage')?.document;
  const phase = documents.findLast((one) => one.name === 'MessageEnvelope')?.document.state;
  const { outcome, reasons = [] } = (await orchestrator.list()).find((task) => task.taskId === taskId) ?? {};
  const codes = reasons.map(({ code }) => code);
  const journal = bank.journal.map(({ kind }) => kind);
  return {
    end: [message?.state, phase, outcome, codes, answers.map(({ came }) => came), journal],
    explanation: message?.explanation ?? '',
    shown,
    decided: records.flatMap(decision),
    answers,
    before,
    after: bank.snapshot(),
    ledger: { records: records.length, isIntact: intact, isReplayed: replay(records).same },
    documents,
  };
};

const change = (one: string, other: string): string => (one === other ? one : `${one} -> ${other}`);

/** A report for people. */
export const inWords = (report: Report): string => {
  const { end, explanation, shown, decided, answers, before, after, ledger } = report;
  const [state, phase, outcome, codes, , journal] = end;
  const accounts = after.accounts.map(({ account, cents }, at) =>
    [account, change(money(before.accounts[at]?.cents ?? 0), money(cents))].join(' '),
  );
  const sections = {
    'The approver sees': shown,
    'What is brought': answers.map(({ what, came }) => `${what.padEnd(38)}${came}`),
    'What is decided': decided,
    'How it ends': [`${state} (${[phase, outcome, ...codes].join(', ')})`, explanation],
    'The bank': [
      `${after.transfer.wire} ${change(before.last, after.last)}; journal: ${journal.join(', ')}`,
      accounts.join('; '),
    ],
    'The ledger': [
      `${ledger.records} records, ${ledger.isIntact ? 'intact' : 'NOT INTACT'} under a signed checkpoint`,
      `replayed: ${ledger.isReplayed ? 'same' : 'ANOTHER COURSE'}`,
    ],
  };
  return Object.entries(sections)
    .filter(([, lines]) => lines.length > 0)
    .flatMap(([title, lines]) => [`  ${title}`, ...lines.map((line) => `    ${line}`)])
    .join('\n');
};
