import { describe, expect, test } from 'vitest';
import { plant } from './faulted.ts';
import { faults } from './faults/index.ts';

/** The orders within which each is found. */
const most = 300;

describe('The simulator finds a library that', () => {
  test('has one of many faults, each of its own', () => {
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
    expect(faults.length).toBeGreaterThanOrEqual(40);
  });

  test.each(faults.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
    const { simulate, charters } = await plant(fault);
    const { charter, given } = charters[fault.charter];
    const found = simulate(charter, given, { orders: most, shrink: false });
    await expect(found).rejects.toThrow(`Expected that ${fault.law}.`);
  });
});
