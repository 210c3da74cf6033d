import { describe, expect, test } from 'vitest';
import { share } from '../../../share.ts';
import { failureWith } from './faulted.ts';
import { faults } from './faults/index.ts';

test('there are many planted faults, each of its own', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  expect(faults.length).toBeGreaterThanOrEqual(40);
});

/** Every fault at night, and one of so many before. */
const step = share(1, 20);
const chosen = faults.filter((_, at) => at % step === 0);

describe.concurrent('The simulator finds a library that', () => {
  test.each(chosen.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
    expect(await failureWith(fault)).toContain(`Expected that ${fault.law}.`);
  });
});
