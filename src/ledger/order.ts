import { causeOf } from '../errors.ts';
import { chartOf, ledgerReader } from './chart.ts';
import type { Finding, FindingCode } from './findings.ts';
import type { SealedRecord } from './record-schema.ts';
import { hashOfRecord } from './seal.ts';

const found = (seq: number, code: FindingCode, message: string): Finding => ({ seq, code, message });

/** A ledger as it can be judged: the records that are sound in themselves, by their numbers, and what is wrong so far. */
export interface Ordered {
  /** Of the one task, each number once, in the order of their numbers. */
  readonly sound: readonly SealedRecord[];
  /** How many others stand where the record of a number should follow; the head's place is -1. */
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

/** The task that most records are of: the others are foreign. */
const taskOf = (records: readonly Read[]): string | undefined => {
  const counts = new Map<string, number>();
  for (const record of records) {
    if ('seq' in record) counts.set(record.taskId, (counts.get(record.taskId) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
};

const unsoundness = (record: Read, taskId: string | undefined): [FindingCode, string] | null => {
  if ('unreadable' in record) return ['unreadable', record.unreadable];
  if (hashOfRecord(record) !== record.hash) return ['edited', 'its hash is not that of what it says'];
  if (record.taskId !== taskId) return ['foreign', `it is of task ${JSON.stringify(record.taskId)}`];
  return null;
};

/** Reads the records, and sorts out those that are not sound in themselves, are there twice, or stand elsewhere. */
export const ordered = (given: readonly unknown[]): Ordered => {
  const read = ledgerReader(chartOf(given));
  const records = given.map((value) => readOne(value, read));
  const taskId = taskOf(records);
  const bySeq = new Map<number, SealedRecord>();
  const unsoundAfter = new Map<number, number>();
  const findings: Finding[] = [];
  let last = -1; // of the sound record before
  let latest = -1;
  let isAstray = false; // of several that stand too late together, the first is told
  for (const record of records) {
    const fault = unsoundness(record, taskId);
    if (fault !== null || !('seq' in record)) {
      const unsound = (unsoundAfter.get(last) ?? 0) + 1;
      unsoundAfter.set(last, unsound);
      if (fault !== null) findings.push(found(last + unsound, ...fault));
      continue;
    }
    const { seq } = record;
    if (bySeq.has(seq)) {
      findings.push(found(seq, 'duplicated', 'a record of this number stands before it'));
      continue;
    }
    if (seq < latest && !isAstray) findings.push(found(seq, 'swapped', `it stands after record ${latest}`));
    isAstray = seq < latest;
    latest = Math.max(latest, seq);
    last = seq;
    bySeq.set(seq, record);
  }
  const sound = [...bySeq.values()].toSorted((one, other) => one.seq - other.seq);
  return { sound, unsoundAfter, findings };
};
