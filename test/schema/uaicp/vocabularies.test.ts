import { expect, test } from 'vitest';
import { ControlClass, Outcome, Phase, RiskTier } from '../../../schema/index.ts';

test('The phases are the six of UAICP 3, in its order', () => {
  expect(Phase.options).toEqual(['intake', 'plan', 'execute', 'verify', 'deliver', 'fail_safe']);
});

test('The outcomes are the four of the envelope schema', () => {
  expect(Outcome.options).toEqual(['success', 'failure', 'uncertain', 'pending']);
});

test('The risk tiers are the three of UAICP 5.3, from least to most', () => {
  expect(RiskTier.options).toEqual(['read_only', 'write_low_risk', 'write_high_risk']);
});

test('The control classes are the three of the envelope schema', () => {
  expect(ControlClass.options).toEqual(['autonomous', 'human-supervised', 'human-directed']);
});
