import { expect, it } from 'vitest';
import { openBank } from '../../../../docs/examples/finance/bank.ts';
import given from '../../../../docs/examples/finance/case.json' with { type: 'json' };
import type { Entry } from '../../../../docs/examples/finance/records.ts';

const opened = (changed: Partial<typeof given> = {}) => {
  const kept: Entry[] = [];
  return { bank: openBank({ ...given, ...changed }, (entry) => kept.push(entry)), kept };
};

it('reverses a wire once a key, and keeps each line', () => {
  const { bank, kept } = opened();
  expect(bank.reverse('W-2231', 'a')).toBe(bank.reverse('W-2231', 'a'));
  expect(bank.reverse('W-2231', 'b')).toEqual({ refused: 'W-2231 cannot be reversed: W-2231 is reversed' });
  expect(kept.map(({ entry, kind, key }) => [entry, kind, key])).toEqual([
    [1, 'wired', 'W-2231'],
    [2, 'reversed', 'a'],
  ]);
});

it('reinstates a reversed wire once a key, and nothing else', () => {
  const { bank, kept } = opened();
  const before = bank.snapshot().accounts;
  expect(bank.reinstate('W-2231', 'a')).toHaveProperty('refused');
  expect(bank.reverse('W-2231', 'a')).toBe(bank.find('reversed', 'a'));
  expect(bank.reinstate('W-2231', 'a')).toBe(bank.reinstate('W-2231', 'a'));
  expect(bank.snapshot()).toMatchObject({ last: 'reinstated', accounts: before });
  expect(kept).toHaveLength(3);
});

it('refuses uncovered amounts and unknown wires', () => {
  const poor = given.accounts.map((account) => ({ ...account, cents: 0 }));
  const { bank } = opened({ accounts: poor.map((one, at) => ({ ...one, cents: -at })) });
  expect(bank.reverse('W-2231', 'a')).toEqual({ refused: 'BOREALIS-USD does not cover W-2231' });
  expect(bank.reverse('W-1', 'a')).toHaveProperty('refused');
});

it('moves no money when the journal cannot be written', () => {
  let isBroken = false;
  const bank = openBank(given, () => {
    if (isBroken) throw new Error('disk full');
  });
  isBroken = true;
  expect(() => bank.reverse('W-2231', 'a')).toThrow('disk full');
  expect(bank.snapshot().last).toBe('wired');
});
