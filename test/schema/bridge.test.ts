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
  test('maps every operational state and every phase', () => {
    expect(new Set(Object.keys(correspondences))).toEqual(new Set(OperationalState.options));
    expect(new Set(rows.flatMap((row) => row.phases))).toEqual(new Set(Phase.options));
    expect(rows).toHaveLength(10);
  });

  test('maps to success exactly the delivered runs', () => {
    for (const { outcome, phases } of rows) expect(outcome === 'success').toBe(phases.includes('deliver'));
  });

  test('maps to failure or uncertain exactly the runs in fail_safe', () => {
    for (const { outcome, phases } of rows)
      expect(outcome === 'failure' || outcome === 'uncertain').toBe(phases.includes('fail_safe'));
  });

  test('maps to uncertain a task that ended on an unmet invariant', () => {
    expect(rows.filter((row) => row.outcome === 'uncertain').map((row) => row.state)).toEqual([
      'failed',
      'cancelled',
    ]);
  });
});

describe('The bridge between fields', () => {
  const fields = Object.entries<FieldCorrespondence>(fieldCorrespondences);

  test('decides every field of a message', () => {
    expect(fields.map(([field]) => field)).toEqual(Object.keys(UpFormatMessage.shape));
  });

  test('names only fields of the envelope', () => {
    for (const [, { is, isNot }] of fields)
      for (const named of [is, isNot])
        if (named) expect(Object.keys(MessageEnvelope.shape)).toContain(named.split('.')[0]);
  });

  test('keeps a parent message apart from a parent trace', () => {
    expect(fieldCorrespondences.parentMessageId).toMatchObject({ is: null, isNot: 'parent_trace_id' });
  });
});
