import { causeOf } from '../../base/errors.ts';
import { chartOf, ledgerReader } from './chart.ts';
import type { Finding, FindingCode } from './findings.ts';
import type { SealedRecord } from './record-schema.ts';
import { hashOfRecord } from '../kernel/seal.ts';
import { sealReaders } from './sealed-line.ts';

const found = (seq: number, code: FindingCode, message: string): Finding => ({ seq, code, message });

/** A ledger for verification: its sound records by number, and the problems so far. */
export interface Ordered {
  /** The records of this task, without duplicates, by number. */
  readonly sound: readonly SealedRecord[];
  /** Those whose documents were not compared with their digests yet. */
  readonly unchecked: ReadonlySet<SealedRecord>;
  /** The number of unsound records after each record; -1 for those at the start. */
  readonly unsoundAfter: ReadonlyMap<number, number>;
  readonly findings: readonly Finding[];
}

type Read = SealedRecord | { readonly unreadable: string };

const readOne = (value: unknown, read: ReturnType<typeof ledgerReader>): Read => {
  try {
    return read('record', value);
  } catch (error) {
    return { unreadable: causeOf(error) };
  }
};

/** Returns the task of most records; the others are foreign. */
const taskOf = (records: readonly Read[]): string | undefined => {
  const counts = new Map<string, number>();
  for (const record of records) {
    if ('seq' in record) counts.set(record.taskId, (counts.get(record.taskId) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
};

const unsoundness = (
  record: Read,
  taskId: string | undefined,
  unchecked: ReadonlySet<SealedRecord>,
): [FindingCode, string] | null => {
  if ('unreadable' in record) return ['unreadable', record.unreadable];
  if (unchecked.has(record) && hashOfRecord(record) !== record.hash)
    return ['edited', 'its hash does not match its content'];
  if (record.taskId !== taskId) return ['foreign', `it is of task ${JSON.stringify(record.taskId)}`];
  return null;
};

/** Reads the records, and separates those that are unsound, duplicated or out of order. */
export const ordered = (given: readonly unknown[]): Ordered => {
  const unchecked = new Set<SealedRecord>();
  const read = ledgerReader(chartOf(given), sealReaders(unchecked));
  const records = given.map((value) => readOne(value, read));
  const taskId = taskOf(records);
  const bySeq = new Map<number, SealedRecord>();
  const unsoundAfter = new Map<number, number>();
  const findings: Finding[] = [];
  let last = -1; // the last sound record
  let latest = -1;
  let isMisplaced = false; // of adjacent misplaced records, only the first is reported
  for (const record of records) {
    const fault = unsoundness(record, taskId, unchecked);
    if (fault !== null || !('seq' in record)) {
      const unsound = (unsoundAfter.get(last) ?? 0) + 1;
      unsoundAfter.set(last, unsound);
      if (fault !== null) findings.push(found(last + unsound, ...fault));
      continue;
    }
    const { seq } = record;
    if (bySeq.has(seq)) {
      findings.push(found(seq, 'duplicated', 'an earlier record has the same number'));
      continue;
    }
    if (seq < latest && !isMisplaced) findings.push(found(seq, 'swapped', `it comes after record ${latest}`));
    isMisplaced = seq < latest;
    latest = Math.max(latest, seq);
    last = seq;
    bySeq.set(seq, record);
  }
  const sound = [...bySeq.values()].toSorted((one, other) => one.seq - other.seq);
  return { sound, unchecked, unsoundAfter, findings };
};
