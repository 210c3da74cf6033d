import { chartVersion } from '../../../machines/index.ts';
import { digest } from '../../base/canonical/digest.ts';
import type { UpgradeDocument } from '../../base/ports/ledger.ts';
import { readerOf, upgradeSchema, type SealedRecord } from './record-schema.ts';

/** Every known version of the chart, counted from 1. */
const versions = Array.from({ length: Number(chartVersion) }, (_, before) => String(before + 1));

/** The versions of the chart of tasks that can go on here, as an index entry names them: empty text for version 1. */
export const continuedCharts: readonly string[] = ['', ...versions];

interface Opening {
  readonly brought: { readonly chart?: unknown };
  readonly documents: { readonly chart?: unknown };
}

/** Returns the version that an opening record names, also after its erasure; `null` for none. */
export const chartNamed = ({ brought: { chart }, documents }: Opening): string | null =>
  typeof chart === 'string'
    ? chart
    : (versions.find((version) => digest(version) === documents.chart) ?? null);

/** Returns whether the chart's version is not this library's; its facts then cannot be replayed. */
export const isOtherChart = (chart: string | null): chart is string =>
  chart !== null && chart !== chartVersion;

/** Returns whether a version of the chart is older than another; versions are increasing integers. */
export const isOlderChart = (chart: string, than: string = chartVersion): boolean =>
  /^\d+$/.test(chart) && /^\d+$/.test(than) && Number(chart) < Number(than);

const opens = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'seq' in value && value.seq === 0;

/** Returns the version that the first opening record of a ledger names; `null` if none is readable. */
export const chartOf = (records: readonly unknown[]): string | null => {
  try {
    const opening = records.find(opens);
    return opening === undefined ? null : chartNamed(readerOf(true)('record', opening));
  } catch {
    return null; // an unreadable opening record is a separate finding
  }
};

/** A carry-over of a task: the number of its record, and the two versions of the chart. */
export interface CarryOver {
  readonly seq: number;
  readonly from: string;
  readonly to: string;
}

const upgrades = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'upgrade';

/** Returns the carry-over that a record describes; `null` for none. */
export const upgradeIn = ({ kind, brought }: SealedRecord): UpgradeDocument | null =>
  kind === 'upgrade' ? (upgradeSchema().safeParse(brought['upgrade']).data ?? null) : null;

const carryOverIn = (value: unknown): CarryOver | null => {
  try {
    if (!upgrades(value)) return null;
    const record = readerOf(true)('record', value);
    const upgrade = upgradeIn(record);
    return upgrade && { seq: record.seq, from: upgrade.from.chart, to: upgrade.to.chart };
  } catch {
    return null; // an unreadable record is a separate finding
  }
};

/** The versions of the chart that a ledger was written under. */
export interface Charts {
  /** The version of the opening record; `null` if that record is missing or names none. */
  readonly begun: string | null;
  /** The version that the task continues under. */
  readonly current: string | null;
  /** In the order of the records. */
  readonly carriedOver: readonly CarryOver[];
  /** The index of the first record of the current version: 0 without a carry-over. */
  readonly since: number;
}

/** Returns the versions of the chart that a ledger was written under. */
export const chartsOf = (records: readonly unknown[]): Charts => {
  const begun = chartOf(records);
  const carriedOver: CarryOver[] = [];
  let since = 0;
  for (const [place, value] of records.entries()) {
    const carryOver = carryOverIn(value);
    if (carryOver === null) continue;
    carriedOver.push(carryOver);
    since = place;
  }
  return { begun, current: carriedOver.at(-1)?.to ?? begun, carriedOver, since };
};

/** Returns the version of the chart that a ledger goes on under; `null` if it is the current one. */
export const otherChartOf = ({ records }: { readonly records: readonly unknown[] }): string | null => {
  const { current } = chartsOf(records);
  return isOtherChart(current) ? current : null;
};

/**
 * Returns a reader for the records of one ledger, in order. It is strict for records of this version of the chart,
 * and checks only the chain for others. `chart` is the version of the opening record.
 */
export const ledgerReader = (chart: string | null, readerFor: typeof readerOf = readerOf) => {
  let read = readerFor(isOtherChart(chart));
  return (document: string, value: unknown): SealedRecord => {
    const record = read(document, value);
    const upgrade = upgradeIn(record);
    if (upgrade !== null) read = readerFor(isOtherChart(upgrade.to.chart));
    return record;
  };
};
