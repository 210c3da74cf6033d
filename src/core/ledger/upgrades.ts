import { chartNamed, isOlderChart, upgradeIn } from './chart.ts';
import type { Finding } from './findings.ts';
import { endSchema, type SealedRecord } from './record-schema.ts';

/** The chart and the snapshot before a record. */
interface Before {
  readonly chart: string | null;
  readonly snapshot: string | null;
  readonly isEnded: boolean;
}

const none: readonly Finding[] = [];

type Rules = Readonly<Record<string, boolean>>;

const upgradeRules = (record: SealedRecord, { chart, snapshot }: Before): Rules => {
  const upgrade = upgradeIn(record);
  if (upgrade === null) return { 'upgrade: it was erased': record.kind !== 'upgrade' };
  const { from, to } = upgrade;
  return {
    'upgrade: it does not begin under the version that was in force': chart === null || from.chart === chart,
    'upgrade: it does not lead to a later version': isOlderChart(from.chart, to.chart),
    'upgrade: it does not begin where the task stood':
      from.state === record.from && from.snapshot === snapshot,
    'upgrade: it does not lead where its record does':
      to.state === record.to && to.snapshot === record.snapshot,
  };
};

const endRules = (record: SealedRecord, { chart }: Before): Rules => {
  const end = record.kind === 'end' ? endSchema().safeParse(record.brought['end']).data : undefined;
  if (end === undefined) return {};
  return {
    'end: it does not end the version that was in force': chart === null || end.chart === chart,
    'end: it does not begin where the task stood': end.state === record.from,
  };
};

/**
 * Finds carry-overs and ends that contradict the records around them. A carry-over begins at the task's state and
 * version, and names the later version, state and snapshot of its record. An end names the current version, and only
 * erasures follow it.
 */
export const upgradeFindings = (records: readonly SealedRecord[]): readonly Finding[] => {
  const [opening] = records;
  const chart = opening === undefined ? null : chartNamed(opening);
  let before: Before = { chart, snapshot: null, isEnded: false };
  return records.flatMap((record): readonly Finding[] => {
    const { kind, snapshot } = record;
    if (!before.isEnded && kind !== 'upgrade' && kind !== 'end') {
      if (snapshot !== null) before = { ...before, snapshot };
      return none;
    }
    const rules: Rules = {
      'end: only erasures follow it': !before.isEnded || record.kind === 'erasure',
      ...upgradeRules(record, before),
      ...endRules(record, before),
    };
    before = {
      chart: upgradeIn(record)?.to.chart ?? before.chart,
      snapshot: record.snapshot ?? before.snapshot,
      isEnded: before.isEnded || record.kind === 'end',
    };
    return Object.keys(rules)
      .filter((rule) => rules[rule] === false)
      .slice(0, 1)
      .map((message) => ({ seq: record.seq, code: 'inconsistent', message }));
  });
};
