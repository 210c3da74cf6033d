import { expect, test } from 'vitest';
import { RiskTier } from '../../../schema/index.ts';

test('The risk tiers are the three of UAICP 5.3, from least to most', () => {
  expect(RiskTier.options).toEqual(['read_only', 'write_low_risk', 'write_high_risk']);
});
