import { describe, expect, test } from 'vitest';
import { EvidenceObject, EvidenceType } from '../../../schema/index.ts';

const evidence = {
  evidence_id: 'e1',
  evidence_type: 'tool_result',
  source: 'search',
  collected_at: '2026-11-21T04:58:37Z',
  hash: 'sha256:00',
};

const fits = (change: object): boolean => EvidenceObject.safeParse({ ...evidence, ...change }).success;

describe('An evidence object', () => {
  test('requires the five fields of the schema', () => {
    expect(EvidenceObject.parse(evidence)).toEqual(evidence);
    for (const field of Object.keys(evidence)) expect(fits({ [field]: undefined })).toBe(false);
    expect(Object.keys(evidence)).toHaveLength(5);
  });

  test('accepts exactly five types', () => {
    expect(EvidenceType.options).toEqual([
      'tool_result',
      'source_citation',
      'test_report',
      'approval_token',
      'custom',
    ]);
    expect(fits({ evidence_type: 'hearsay' })).toBe(false);
  });

  test('accepts any JSON value as its payload', () => {
    for (const payload of [{}, [], '', 0, false, null]) expect(fits({ payload })).toBe(true);
    expect(fits({ payload: Number.NaN })).toBe(false);
  });

  test('keeps unknown fields', () => {
    expect(EvidenceObject.parse({ ...evidence, 'acme:page': 7 })).toHaveProperty('acme:page', 7);
  });

  test('requires a UUID as its request, and nonempty traces', () => {
    expect(fits({ request_id: 'r-1' })).toBe(false);
    expect(fits({ trace_id: '' })).toBe(false);
    expect(fits({ parent_trace_id: '' })).toBe(false);
    expect(fits({ actor: '' })).toBe(true);
  });
});
