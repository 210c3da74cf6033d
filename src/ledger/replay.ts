import { causeOf } from '../errors.ts';
import type { LedgerRecord } from '../ports/ledger.ts';
import { readCarriedOver } from './carry-over.ts';
import { chartsOf, isOtherChart, type CarryOver, type Charts } from './chart.ts';
import { deliveryFindings } from './deliveries.ts';
import type { Finding, ReplayCode } from './findings.ts';
import { readerOf, readRecord } from './record-schema.ts';
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
  /** The version of the chart that the task began under; `null` if its opening record is missing or names none. */
  readonly chart: string | null;
  /** Where the task was carried over to another version: states are derived from the last of these records on. */
  readonly carriedOver: readonly CarryOver[];
  /** How many records agree. */
  readonly records: number;
  /** The state after each of them. */
  readonly states: readonly string[];
  /** Where the two part, if they do; what comes after that follows from it, and is not told. */
  readonly findings: readonly Finding<ReplayCode>[];
}

/** What a replay is given beside the ledger: with `emissions`, the delivered message is held against its draft. */
export type ReplayOptions = Pick<VerifyOptions, 'emissions'>;

/** Reads a record as this version of the chart does, also one that another version wrote before it was carried over. */
const readOne = (value: unknown, isOlder: boolean): LedgerRecord | readonly [ReplayCode, string] => {
  try {
    return isOlder ? readCarriedOver(readerOf(true)('record', value)) : readRecord('record', value);
  } catch (error) {
    return ['unreadable', causeOf(error)];
  }
};

const resultOf = (
  { begun: chart, carriedOver }: Charts,
  states: readonly string[],
  findings: readonly Finding<ReplayCode>[] = [],
): Replay => {
  const isSame = findings.length === 0;
  const verdict = isSame ? 'same' : 'different';
  return { verdict, same: isSame, chart, carriedOver, records: states.length, states, findings };
};

/** The chain of another chart's ledger can be verified, and its states cannot be derived: they are no forgery for that. */
const notDerived = (charts: Charts, records: readonly unknown[], { emissions }: ReplayOptions): Replay => {
  const [broken] = verifyChain(records, emissions).findings;
  if (broken === undefined) return { ...resultOf(charts, []), verdict: 'not_derived', same: false };
  const { seq, code, message } = broken;
  return resultOf(charts, [], [{ seq, code: 'chain', message: `${code}: ${message}` }]);
};

/**
 * Tells a ledger's facts to the chart once more: a fact that was changed leads elsewhere, even where all hashes are right.
 *
 * What a record holds is found, never thrown. Whether the records are those that were sealed is for `verifyLedger`. Of a
 * ledger that another version of the chart wrote, the chain is verified instead. If its task was carried over to this
 * version, all its facts are replayed under this version, and states are compared from that record on.
 */
export const replay = (records: readonly unknown[], options: ReplayOptions = {}): Replay => {
  const charts = chartsOf(records);
  if (isOtherChart(charts.current)) return notDerived(charts, records, options);
  const { since } = charts;
  const states: string[] = [];
  const replayed: LedgerRecord[] = [];
  const endsWith = ([code, message]: readonly [ReplayCode, string]): Replay =>
    resultOf(charts, states, [{ seq: states.length, code, message }]);
  let judge: ReplaySession['judge'] | undefined;
  for (const value of records) {
    const record = readOne(value, states.length < since);
    if (!('seq' in record)) return endsWith(record);
    const { contract } = record.brought;
    if (judge === undefined) {
      if (contract === undefined || record.kind !== 'fact' || record.fact !== null) {
        return endsWith(['unopened', 'the first record does not open a task under a contract']);
      }
      judge = replaySession(contract, record, { since }).judge;
    }
    const judgement = judge(record);
    if (judgement !== null) return endsWith(judgement);
    states.push(record.to);
    replayed.push(record);
  }
  return resultOf(charts, states, deliveryFindings(replayed, options.emissions));
};
