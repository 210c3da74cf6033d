import type { Finding, FindingCode } from './findings.ts';
import type { Ordered } from './order.ts';
import type { SealedRecord } from './record-schema.ts';

const found = (seq: number, code: FindingCode, message: string): Finding => ({ seq, code, message });

const none: readonly Finding[] = [];

/** The predecessor of the first record. */
const start = { seq: -1, hash: null } as const;

const gapBefore = (seq: number, missing: number): readonly Finding[] => {
  if (missing <= 0) return none;
  const names = missing === 1 ? 'it is missing' : `it is missing, and ${missing - 1} after it`;
  return [found(seq - missing, 'dropped', names)];
};

const linkFindings = (before: SealedRecord | typeof start, record: SealedRecord): readonly Finding[] => {
  const { seq } = record;
  if (record.previous !== before.hash) {
    return [found(seq, 'unchained', 'its previous hash does not match the record before it')];
  }
  if (!('to' in before) || record.from === before.to) return none;
  return [found(seq, 'inconsistent', 'from: it does not begin where the record before it ended')];
};

/** Returns whether a time is written as `toISOString` does: such texts sort as their times do. */
const isUsualTime = (time: string): boolean => time.length === 24 && time.endsWith('Z');

const isEarlier = (time: string, than: string): boolean =>
  isUsualTime(time) && isUsualTime(than) ? time < than : Date.parse(time) < Date.parse(than);

/** Returns the problems between sound records: gaps, broken links, and times that go back. */
export const chainFindings = ({ sound, unsoundAfter }: Ordered): readonly Finding[] => {
  let before: SealedRecord | typeof start = start;
  let latest = sound[0]?.timestamp ?? '';
  const findings: Finding[] = [];
  for (const record of sound) {
    const { seq, timestamp } = record;
    const between = seq - before.seq - 1;
    const unsound = unsoundAfter.get(before.seq) ?? 0;
    // Unsound records between are already reported, and their content proves nothing.
    findings.push(...(between === 0 ? linkFindings(before, record) : gapBefore(seq, between - unsound)));
    if (isEarlier(timestamp, latest))
      findings.push(found(seq, 'time_backwards', 'it is earlier than a record before it'));
    else latest = timestamp;
    before = record;
  }
  return findings;
};
