import { describe, expect, test } from 'vitest';
import {
  MessageEnvelope,
  OperationalState,
  Phase,
  UpFormatMessage,
  correspondences,
  fieldCorrespondences,
} from '../../schema/index.ts';
import type { Correspondence, FieldCorrespondence } from '../../schema/index.ts';

const rows = Object.entries<readonly Correspondence[]>(correspondences).flatMap(([state, situations]) =>
  situations.map((situation) => ({ state, ...situation })),
);

describe('The bridge between operational states and phases', () => {
  test('names every operational state and every phase', () => {
    expect(new Set(Object.keys(correspondences))).toEqual(new Set(OperationalState.options));
    expect(new Set(rows.flatMap((row) => row.phases))).toEqual(new Set(Phase.options));
    expect(rows).toHaveLength(10);
  });

  test('says success exactly where the run delivered', () => {
    for (const { outcome, phases } of rows) expect(outcome === 'success').toBe(phases.includes('deliver'));
  });

  test('says failure or uncertain exactly where the run failed safe', () => {
    for (const { outcome, phases } of rows)
      expect(outcome === 'failure' || outcome === 'uncertain').toBe(phases.includes('fail_safe'));
  });

  test('says uncertain for a task that ended on an unmet invariant', () => {
    expect(rows.filter((row) => row.outcome === 'uncertain').map((row) => row.state)).toEqual([
      'failed',
      'cancelled',
    ]);
  });
});

describe('The bridge between fields', () => {
  const fields = Object.entries<FieldCorrespondence>(fieldCorrespondences);

  test('judges every field of a message', () => {
    expect(fields.map(([field]) => field)).toEqual(Object.keys(UpFormatMessage.shape));
  });

  test('names only fields that the envelope has', () => {
    for (const [, { is, isNot }] of fields)
      for (const named of [is, isNot])
        if (named) expect(Object.keys(MessageEnvelope.shape)).toContain(named.split('.')[0]);
  });

  test('does not take a parent message for a parent trace', () => {
    expect(fieldCorrespondences.parentMessageId).toMatchObject({ is: null, isNot: 'parent_trace_id' });
  });
});
