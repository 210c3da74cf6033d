import { expect, it } from 'vitest';
import * as agentcharter from '../../src/index.ts';

it('the root offers the names of the design', () => {
  expect(Object.keys(agentcharter)).toEqual(
    expect.arrayContaining([
      'createOrchestrator',
      'defineTaskClass',
      'defineTool',
      'defineVerifier',
      'operationalStateOf',
      'CharterError',
      'isCharterError',
    ]),
  );
});

it('an output maps to a state by code alone [UpFormat 2.3]', () => {
  const { operationalStateOf } = agentcharter;
  expect(operationalStateOf({ canProceed: true, confidence: 0.51 })).toBe('completed');
  expect(operationalStateOf({ canProceed: true, confidence: 0.5 })).toBe('needsHumanDecision');
  expect(operationalStateOf({ canProceed: false, confidence: 1 })).toBe('needsHumanDecision');
  expect(operationalStateOf({ canProceed: true, confidence: Number.NaN })).toBe('needsHumanDecision');
  expect(operationalStateOf({ canProceed: true, confidence: 0.8 }, { threshold: 0.9 })).toBe(
    'needsHumanDecision',
  );
  expect(operationalStateOf({ resolution: 'beyondCapability' })).toBe('failed');
});
