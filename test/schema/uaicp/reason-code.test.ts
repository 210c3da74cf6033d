import { expect, test } from 'vitest';
import { PublishedReasonCode, ReasonCode, reasonMeaning } from '../../../schema/index.ts';

test('The published reason codes come first, spelled as published', () => {
  expect(PublishedReasonCode.options).toEqual([
    'EVIDENCE_MISSING',
    'VERIFICATION_FAILED',
    'POLICY_BLOCKED',
    'APPROVAL_REQUIRED',
    'ROLLBACK_REQUIRED',
    'IDENTITY_INVALID',
    'TOOL_TIMEOUT',
  ]);
  expect(ReasonCode.options.slice(0, 7)).toEqual(PublishedReasonCode.options);
});

test('Our reason codes are spelled in the published style, without duplicates', () => {
  for (const code of ReasonCode.options) expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/);
  expect(new Set(ReasonCode.options).size).toBe(ReasonCode.options.length);
});

test('Each reason code has a unique meaning on one line', () => {
  expect(Object.keys(reasonMeaning)).toEqual(ReasonCode.options);
  expect(new Set(Object.values(reasonMeaning)).size).toBe(ReasonCode.options.length);
  for (const meaning of Object.values(reasonMeaning)) expect(meaning).toMatch(/^[^\n]{10,110}\.$/);
});
