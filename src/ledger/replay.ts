import { causeOf } from '../errors.ts';
import type { LedgerRecord } from '../ports/ledger.ts';
import { chartOf, isOtherChart } from './chart.ts';
import { deliveryFindings } from './deliveries.ts';
import type { Finding, ReplayCode } from './findings.ts';
import { readRecord } from './record-schema.ts';
import { replaySession, type ReplaySession } from './replay-session.ts';
import { verifyChain, type VerifyOptions } from './verify.ts';

/** What came of a ledger's facts, told to the chart once more. */
export interface Replay {
  /**
   * `same`: the chart goes where the ledger says. `different`: it does not. `not_derived`: another version of the chart
   * wrote the ledger; its chain is intact, and only that version can derive its states.
   */
  readonly verdict: 'same' | 'different' | 'not_derived';
  /** Whether the verdict is `same`. */
  readonly same: boolean;
  /** The version of the chart that wrote the ledger; `null` if its opening record is missing or names none. */
  readonly chart: string | null;
  /** How many records agree. */
  readonly records: number;
  /** The state after each of them. */
  readonly states: readonly string[];
  /** Where the two part, if they do; what comes after that follows from it, and is not told. */
  readonly findings: readonly Finding<ReplayCode>[];
}

/** What a replay is given beside the ledger: with `emissions`, the delivered message is held against its draft. */
export type ReplayOptions = Pick<VerifyOptions, 'emissions'>;

const readOne = (value: unknown): LedgerRecord | readonly [ReplayCode, string] => {
  try {
    return readRecord('record', value);
  } catch (error) {
    return ['unreadable', causeOf(error)];
  }
};

const resultOf = (
  chart: string | null,
  states: readonly string[],
  findings: readonly Finding<ReplayCode>[] = [],
): Replay => {
  const isSame = findings.length === 0;
  const verdict = isSame ? 'same' : 'different';
  return { verdict, same: isSame, chart, records: states.length, states, findings };
};

/** The chain of another chart's ledger can be verified, and its states cannot be derived: they are no forgery for that. */
const notDerived = (chart: string, records: readonly unknown[], { emissions }: ReplayOptions): Replay => {
  const [broken] = verifyChain(records, emissions).findings;
  if (broken === undefined)
    return { verdict: 'not_derived', same: false, chart, records: 0, states: [], findings: [] };
  const { seq, code, message } = broken;
  return resultOf(chart, [], [{ seq, code: 'chain', message: `${code}: ${message}` }]);
};

/**
 * Tells a ledger's facts to the chart once more: a fact that was changed leads elsewhere, even where all hashes are right.
 *
 * What a record holds is found, never thrown. Whether the records are those that were sealed is for `verifyLedger`. Of a
 * ledger that another version of the chart wrote, the chain is verified instead.
 */
export const replay = (records: readonly unknown[], options: ReplayOptions = {}): Replay => {
  const chart = chartOf(records);
  if (isOtherChart(chart)) return notDerived(chart, records, options);
  const states: string[] = [];
  const replayed: LedgerRecord[] = [];
  const endsWith = ([code, message]: readonly [ReplayCode, string]): Replay =>
    resultOf(chart, states, [{ seq: states.length, code, message }]);
  let judge: ReplaySession['judge'] | undefined;
  for (const value of records) {
    const record = readOne(value);
    if (!('seq' in record)) return endsWith(record);
    const { contract } = record.brought;
    if (judge === undefined) {
      if (contract === undefined || record.kind !== 'fact' || record.fact !== null) {
        return endsWith(['unopened', 'the first record does not open a task under a contract']);
      }
      judge = replaySession(contract, record).judge;
    }
    const judgement = judge(record);
    if (judgement !== null) return endsWith(judgement);
    states.push(record.to);
    replayed.push(record);
  }
  return resultOf(chart, states, deliveryFindings(replayed, options.emissions));
};
