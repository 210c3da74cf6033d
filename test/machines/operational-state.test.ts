import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operationalStateOf } from '../../machines/index.ts';
import { runs } from './generated.ts';

describe('the state of a structured output [UpFormat 2.3]', () => {
  const sure = { canProceed: true, confidence: 0.9 };

  test.each([
    ['may go on above the threshold', sure, {}, 'completed'],
    ['asks at the threshold', { ...sure, confidence: 0.5 }, {}, 'needsHumanDecision'],
    ['asks below the threshold', { ...sure, confidence: 0.49 }, {}, 'needsHumanDecision'],
    ['asks at a threshold of its own', sure, { threshold: 0.9 }, 'needsHumanDecision'],
    ['may go on just above a threshold of its own', sure, { threshold: 0.9 - Number.EPSILON }, 'completed'],
    [
      'asks where it cannot proceed, however sure',
      { canProceed: false, confidence: 1 },
      {},
      'needsHumanDecision',
    ],
    ['asks where confidence is not a number', { ...sure, confidence: Number.NaN }, {}, 'needsHumanDecision'],
    ['asks where the threshold is not a number', sure, { threshold: Number.NaN }, 'needsHumanDecision'],
    ['asks where confidence is out of range', { ...sure, confidence: 1.0000001 }, {}, 'needsHumanDecision'],
    ['asks where confidence has no bound', { ...sure, confidence: Infinity }, {}, 'needsHumanDecision'],
    [
      'asks where confidence is below 0',
      { ...sure, confidence: -1 },
      { threshold: -2 },
      'needsHumanDecision',
    ],
    ['asks where nobody states a confidence', { ...sure, confidence: 'unstated' }, {}, 'needsHumanDecision'],
    [
      'goes on unstated where that is allowed',
      { ...sure, confidence: 'unstated' },
      { unstated: 'proceed' },
      'completed',
    ],
    [
      'asks under a boundless threshold',
      { ...sure, confidence: Infinity },
      { threshold: Infinity },
      'needsHumanDecision',
    ],
    ['asks with no confidence at all', { ...sure, confidence: -Infinity }, {}, 'needsHumanDecision'],
    ['asks where the model needs a person', { resolution: 'needHuman' }, {}, 'needsHumanDecision'],
    ['fails where the task is beyond the model', { resolution: 'beyondCapability' }, {}, 'failed'],
  ] as const)('%s', (_, output, options, state) => {
    expect(operationalStateOf(output, options)).toBe(state);
  });

  test.each<[canProceed: unknown, confidence: unknown]>([
    [true, '0.9'],
    [true, [0.9]],
    [true, { valueOf: () => 0.9 }],
    [true, 1n],
    ['no', 0.9],
    ['true', 0.9],
    [1, 0.9],
    [{}, 0.9],
  ])('asks for what a caller without types passes (%#)', (canProceed, confidence) => {
    const output = { canProceed, confidence } as unknown as Parameters<typeof operationalStateOf>[0];
    expect(operationalStateOf(output)).toBe('needsHumanDecision');
  });

  test('never asks less of more: a higher threshold opens nothing', () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), fc.double(), (confidence, threshold, more) => {
        const output = { canProceed: true, confidence };
        const higher = operationalStateOf(output, { threshold: threshold + Math.abs(more) });
        return higher !== 'completed' || operationalStateOf(output, { threshold }) === 'completed';
      }),
      runs(),
    );
  });
});
