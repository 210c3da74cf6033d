import { chartVersion } from '../../machines/index.ts';
import { digest } from '../canonical/digest.ts';
import { readerOf } from './record-schema.ts';

/** Every version of the chart that this library can name. */
const versions = [chartVersion, '1'];

interface Opening {
  readonly brought: { readonly chart?: unknown };
  readonly documents: { readonly chart?: unknown };
}

/** Returns the version that an opening record names, also after its erasure; `null` if it names none. */
export const chartNamed = ({ brought: { chart }, documents }: Opening): string | null =>
  typeof chart === 'string'
    ? chart
    : (versions.find((version) => digest(version) === documents.chart) ?? null);

/** Whether a ledger was written by another version: its facts mean nothing to this chart. */
export const isOtherChart = (chart: string | null): chart is string =>
  chart !== null && chart !== chartVersion;

const opens = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'seq' in value && value.seq === 0;

/** Returns the version that the first opening record of a ledger names; `null` where none can be read. */
export const chartOf = (records: readonly unknown[]): string | null => {
  try {
    const opening = records.find(opens);
    return opening === undefined ? null : chartNamed(readerOf(true)('record', opening));
  } catch {
    return null; // an unreadable opening is a finding of its own
  }
};
