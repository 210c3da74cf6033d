import { chartNamed, upgradeIn } from './chart.ts';
import type { Finding } from './findings.ts';
import type { SealedRecord } from './record-schema.ts';

/**
 * Finds carry-overs that contradict the records around them: they must begin where the task stood, under the version that
 * was in force, and name the state and the snapshot that their record leads to.
 */
export const upgradeFindings = (records: readonly SealedRecord[]): readonly Finding[] => {
  const [opening] = records;
  let chart = opening === undefined ? null : chartNamed(opening);
  let snapshot: string | null = null;
  return records.flatMap((record): readonly Finding[] => {
    const upgrade = upgradeIn(record);
    const before = snapshot;
    snapshot = record.snapshot ?? snapshot;
    if (upgrade === null) return [];
    const { from, to } = upgrade;
    const rules: Readonly<Record<string, boolean>> = {
      'it does not begin under the version that was in force': chart === null || from.chart === chart,
      'it begins under the version that it leads to': from.chart !== to.chart,
      'it does not begin where the task stood': from.state === record.from && from.snapshot === before,
      'it does not lead where its record does': to.state === record.to && to.snapshot === record.snapshot,
    };
    chart = to.chart;
    return Object.keys(rules)
      .filter((rule) => rules[rule] === false)
      .slice(0, 1)
      .map((rule) => ({ seq: record.seq, code: 'inconsistent', message: `upgrade: ${rule}` }));
  });
};
