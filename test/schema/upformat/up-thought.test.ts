import { describe, expect, test } from 'vitest';
import { UpThought } from '../../../schema/index.ts';

const fits = (thought: unknown): boolean => UpThought.safeParse(thought).success;

describe('upThought', () => {
  test('accepts the six optional fields of Table 2', () => {
    expect(Object.keys(UpThought.shape)).toEqual([
      'reasoning',
      'questions',
      'confidence',
      'canProceed',
      'alternatives',
      'assumptions',
    ]);
    expect(fits({})).toBe(true);
  });

  test.each([0, 0.45, 1, -0])('accepts a confidence of %d', (confidence) => {
    expect(fits({ confidence })).toBe(true);
  });

  test.each([-0.01, 1.01, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, '0.5', null])(
    'refuses a confidence of %s',
    (confidence) => {
      expect(fits({ confidence })).toBe(false);
    },
  );

  test('keeps alternatives as the agent wrote them', () => {
    const alternatives = ['wait', { invite: ['ada', 'grace'] }, 2, null];
    expect(UpThought.parse({ alternatives })).toEqual({ alternatives });
  });
});
