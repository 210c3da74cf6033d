import { expect, test } from 'vitest';
import { Phase } from '../../../schema/index.ts';

test('The phases are the six of UAICP 3, in that order', () => {
  expect(Phase.options).toEqual(['intake', 'plan', 'execute', 'verify', 'deliver', 'fail_safe']);
});
