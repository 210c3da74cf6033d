import { isCharterError } from 'agentcharter';
import { describe, expect, it } from 'vitest';
import { answer, balance, payment, staged } from '../stage.ts';
import { subject } from './subject.ts';

const swaps = await (async () => {
  const { house } = await staged(subject, []);
  await house.close();
  const { swaps: all } = house.opened;
  return 'none' in all ? [] : all;
})();

/** The SDK's tools are frozen: a script in strict mode cannot assign to them. */
const isFrozen = (error: unknown): boolean =>
  error instanceof TypeError && error.message.includes('read only');

describe('runAgent refuses with definition_invalid and calls nothing when', () => {
  it.each(swaps.map(({ name }) => name))('%s', async (name) => {
    const stage = await staged(subject, [balance, payment, answer]);
    await using house = stage.house;
    const { swaps: all } = house.opened;
    const swap = 'none' in all ? undefined : all.find((one) => one.name === name);
    const past: unknown[] = [];
    const begun = swap?.begin(stage, (...given) => past.push(given));
    await expect(begun).rejects.toSatisfy(
      (error) => isCharterError(error, 'definition_invalid') || isFrozen(error),
    );
    expect([past, stage.backend.effects]).toEqual([[], []]);
  });
});
