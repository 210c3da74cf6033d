import { describe, test } from 'vitest';
import { behaviours } from './suite.ts';
import { subject as byHand } from './by-hand/subject.ts';

describe.each([byHand])('$framework', (subject) => {
  test.each(behaviours)('$sentence', ({ show }) => show(subject));
});
