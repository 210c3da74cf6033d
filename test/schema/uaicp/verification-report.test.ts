import { describe, expect, test } from 'vitest';
import { VerificationReport } from '../../../schema/index.ts';

const report = {
  report_id: 'v1',
  request_id: 'a3bb189e-8bf9-3888-9912-ace4e6543002',
  status: 'pass',
  checks: [{ check_id: 'emails', result: 'pass' }],
  generated_at: '2026-11-21T04:58:37Z',
};

const fits = (change: object): boolean => VerificationReport.safeParse({ ...report, ...change }).success;

describe('A verification report', () => {
  test('requires the five fields of the schema', () => {
    expect(VerificationReport.parse(report)).toEqual(report);
    for (const field of Object.keys(report)) expect(fits({ [field]: undefined })).toBe(false);
    expect(Object.keys(report)).toHaveLength(5);
  });

  test('accepts pass, fail and partial', () => {
    for (const status of ['pass', 'fail', 'partial']) expect(fits({ status })).toBe(true);
    expect(fits({ status: 'skip' })).toBe(false);
  });

  test('requires a name and a result for each check, and accepts an empty list', () => {
    expect(fits({ checks: [] })).toBe(true);
    for (const result of ['pass', 'fail', 'skip'])
      expect(fits({ checks: [{ check_id: 'c', result }] })).toBe(true);
    expect(fits({ checks: [{ check_id: 'c', result: 'partial' }] })).toBe(false);
    expect(fits({ checks: [{ check_id: '', result: 'pass' }] })).toBe(false);
    expect(fits({ checks: [{ result: 'pass' }] })).toBe(false);
  });

  test('keeps unknown fields, in its checks too', () => {
    const extended = {
      ...report,
      'acme:engine': 'z3',
      checks: [{ check_id: 'c', result: 'pass', 'acme:ms': 4 }],
    };
    expect(VerificationReport.parse(extended)).toEqual(extended);
  });
});
