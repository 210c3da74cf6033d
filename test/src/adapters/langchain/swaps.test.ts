import { describe, expect, it } from 'vitest';
import { answer, balance, payment, staged } from '../stage.ts';
import { subject } from './subject.ts';
import { hidePlanned } from '../../../planned.ts';

const swaps = await (async () => {
  const { house } = await staged(subject, []);
  await house.close();
  const { swaps: all } = house.opened;
  return 'none' in all ? [] : all;
})();

describe('runGraph refuses to call or deliver anything when', () => {
  it.each(swaps.map(({ name }) => name))('%s', async (name) => {
    hidePlanned('error', /^Error in handler GraphWatch, /); // LangChain prints what a handler throws
    const stage = await staged(subject, [balance, payment, answer]);
    await using house = stage.house;
    const { swaps: all } = house.opened;
    const swap = 'none' in all ? undefined : all.find((one) => one.name === name);
    const past: unknown[] = [];
    const outcome = await swap?.begin(stage, (...given) => past.push(given)).catch((error: unknown) => error);
    expect([past, stage.backend.effects]).toEqual([[], []]);
    expect(outcome).not.toMatchObject({ status: 'delivered' });
  });
});
