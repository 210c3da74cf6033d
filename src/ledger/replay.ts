import { chartVersion } from '../../machines/index.ts';
import { causeOf } from '../errors.ts';
import type { LedgerRecord } from '../ports/ledger.ts';
import type { Finding, ReplayCode } from './findings.ts';
import { readRecord } from './record-schema.ts';
import { retellingOf, type Retelling } from './retelling.ts';

/** What came of a ledger's facts, told to the chart once more. */
export interface Replay {
  /** Whether the chart goes where the ledger says that it went. */
  readonly same: boolean;
  /** How many records agree. */
  readonly records: number;
  /** The state after each of them. */
  readonly states: readonly string[];
  /** Where the two part, if they do; what comes after that follows from it, and is not told. */
  readonly findings: readonly Finding<ReplayCode>[];
}

const readOne = (value: unknown): LedgerRecord | readonly [ReplayCode, string] => {
  try {
    return readRecord('record', value);
  } catch (error) {
    return ['unreadable', causeOf(error)];
  }
};

/**
 * Tells a ledger's facts to the chart once more: a fact that was changed leads elsewhere, even where all hashes are right.
 *
 * What a record holds is found, never thrown. Whether the records are those that were sealed is for `verifyLedger`.
 */
export const replay = (records: readonly unknown[]): Replay => {
  const states: string[] = [];
  const result = (finding?: readonly [ReplayCode, string]): Replay => ({
    same: finding === undefined,
    records: states.length,
    states,
    findings: finding === undefined ? [] : [{ seq: states.length, code: finding[0], message: finding[1] }],
  });
  let judge: Retelling['judge'] | undefined;
  for (const value of records) {
    const record = readOne(value);
    if (!('seq' in record)) return result(record);
    const { contract, chart } = record.brought;
    if (judge === undefined) {
      if (contract === undefined || record.kind !== 'fact' || record.fact !== null) {
        return result(['unopened', 'the first record does not open a task under a contract']);
      }
      if (chart !== undefined && chart !== chartVersion)
        return result(['chart', `it began under version ${chart} of the chart, this is ${chartVersion}`]);
      judge = retellingOf(contract, record.request_id).judge;
    }
    const judgement = judge(record);
    if (judgement !== null) return result(judgement);
    states.push(record.to);
  }
  return result();
};
