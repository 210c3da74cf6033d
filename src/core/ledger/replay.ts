import * as z from 'zod';
import { lazily } from '../../base/boundary/lazily.ts';
import { checkDefinition } from '../../base/define/definition.ts';
import { replayed, unreplayed, type Replayed } from '../kernel/replay.ts';
import { causeOf } from '../../base/errors.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import { readCarriedOver } from './carry-over.ts';
import { chartsOf, isOtherChart, type CarryOver, type Charts } from './chart.ts';
import { deliveryFindings } from './deliveries.ts';
import type { Finding, ReplayCode } from './findings.ts';
import { readerOf, readRecord } from './record-schema.ts';
import { list, verifyChain, type VerifyOptions } from './verify.ts';

/** The result of replaying a ledger's facts in the chart. */
export interface Replay {
  /**
   * `same`: the chart reaches the recorded states. `different`: it does not. `not_derived`: the ledger is of another
   * version of the chart; its chain is intact, and only that version can derive its states.
   */
  readonly verdict: 'same' | 'different' | 'not_derived';
  /** Whether the verdict is `same`. */
  readonly same: boolean;
  /** The version of the opening record; `null` if that record is missing or names none. */
  readonly chart: string | null;
  /** The carry-overs to other versions; states are derived from the last of these records on. */
  readonly carriedOver: readonly CarryOver[];
  /** The number of records that agree. */
  readonly records: number;
  /** The state after each of these records. */
  readonly states: readonly string[];
  /** The first difference, if any. Later ones would follow from it and are not reported. */
  readonly findings: readonly Finding<ReplayCode>[];
}

/** The options of a replay. With `emissions`, delivered messages are compared with their drafts. */
export type ReplayOptions = Pick<VerifyOptions, 'emissions'>;

const Given = lazily(() =>
  z.strictObject({
    records: list(),
    options: z.looseObject({ emissions: list().optional() }),
  }),
);

/** Reads a record of this version of the chart, or of an older one before a carry-over. */
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

/** Verifies the chain of another version's ledger; its states cannot be derived, which is no proof of forgery. */
const notDerived = (charts: Charts, records: readonly unknown[], { emissions }: ReplayOptions): Replay => {
  const [broken] = verifyChain(records, emissions).findings;
  if (broken === undefined) return { ...resultOf(charts, []), verdict: 'not_derived', same: false };
  const { seq, code, message } = broken;
  return resultOf(charts, [], [{ seq, code: 'chain', message: `${code}: ${message}` }]);
};

/**
 * Replays a ledger's facts in the chart: a changed fact leads to other states, even if all hashes are right.
 *
 * Invalid records become findings; `definition_invalid` is thrown for arguments of another type. To check the seals, use `verifyLedger`. For a ledger of
 * another version of the chart, the chain is verified instead. If the task was carried over to this version, all
 * facts are replayed under it, and states are compared from that record on.
 */
export const replay = (records: readonly unknown[], options: ReplayOptions = {}): Replay => {
  checkDefinition('replay', null, Given(), { records, options });
  const charts = chartsOf(records);
  if (isOtherChart(charts.current)) return notDerived(charts, records, options);
  const { since } = charts;
  const states: string[] = [];
  const agreed: LedgerRecord[] = [];
  const endsWith = ([code, message]: readonly [ReplayCode, string]): Replay =>
    resultOf(charts, states, [{ seq: states.length, code, message }]);
  let before: Replayed | undefined;
  for (const value of records) {
    const record = readOne(value, states.length < since);
    if (!('seq' in record)) return endsWith(record);
    const { contract } = record.brought;
    if (before === undefined) {
      if (contract === undefined || record.kind !== 'fact' || record.fact !== null) {
        return endsWith(['unopened', 'the first record does not open a task under a contract']);
      }
      before = unreplayed(contract, record);
    }
    const { after, fault } = replayed(before, record, since);
    if (fault !== null) return endsWith(fault);
    before = after;
    states.push(record.to);
    agreed.push(record);
  }
  return resultOf(charts, states, deliveryFindings(agreed, options.emissions));
};
