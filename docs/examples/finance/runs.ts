import { isDeepStrictEqual } from 'node:util';
import type { Store } from 'agentcharter';
import { openBank } from './bank.ts';
import given from './case.json' with { type: 'json' };
import { clerk } from './model.ts';
import type { Entry } from './records.ts';
import { reportOn, type End, type Report } from './report.ts';
import { reverse, type Parts, type Ports } from './reversal.ts';

const refusals = [
  'APPROVAL_ALGORITHM_WRONG',
  'APPROVAL_ALGORITHM_WRONG',
  'APPROVAL_SIGNATURE_WRONG',
  'APPROVAL_ARGUMENTS_MISMATCH',
  'APPROVAL_EXPIRED',
  'APPROVAL_REQUIRED',
];

/** The four runs, and how each must end. */
export const expected = {
  delivered: ['completed', 'deliver', 'success', [], ['accepted'], ['wired', 'reversed']],
  unapproved: ['needsHumanDecision', 'execute', 'pending', [], [], ['wired']],
  incomplete: ['failed', 'fail_safe', 'uncertain', ['EVIDENCE_MISSING'], [], ['wired']],
  forged: ['cancelled', 'fail_safe', 'failure', ['CANCELLED'], refusals, ['wired']],
} satisfies Record<string, End>;

export type Run = keyof typeof expected;
export const isRun = (name: string): name is Run => Object.hasOwn(expected, name);
export const runs = Object.keys(expected).filter(isRun);

/** The reads of the clerk after the ticket's, and the approval for its question. */
const scripts: Record<Run, readonly [readonly string[], Parts['brings']]> = {
  delivered: [['ledger.snapshot', 'beneficiary.read'], 'signed'],
  unapproved: [['ledger.snapshot', 'beneficiary.read'], 'nothing'],
  incomplete: [['ledger.snapshot'], 'signed'], // it takes the ticket's word for the beneficiary's
  forged: [['ledger.snapshot', 'beneficiary.read'], 'forged'],
};

/** The store of a run, and its listeners. */
export interface Keeping {
  /** Gets each line of the bank's journal. */
  readonly keep: (entry: Entry) => void;
  readonly store?: Store;
}

/** Makes one of the runs, with a bank of its own. */
export const perform = async (run: Run, { keep, ...kept }: Keeping, ports: Ports = {}): Promise<Report> => {
  const bank = openBank(given, keep);
  const before = bank.snapshot();
  const [reads, brings] = scripts[run];
  const parts = { given, bank, model: clerk(reads), brings, ports, ...kept };
  return reverse(parts, (left) => reportOn(left, bank, before));
};

/** Returns whether a run and its ledger ended as expected. */
export const isExpected = (run: Run, { end, ledger }: Report): boolean =>
  isDeepStrictEqual(end, expected[run]) && ledger.isIntact && ledger.isReplayed;
