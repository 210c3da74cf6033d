import { describe, expect, it } from 'vitest';
import given from '../../../../docs/examples/finance/case.json' with { type: 'json' };
import { changing, reported } from './parts.ts';

const larger = { ...given.ticket.transfer, cents: 100_000_000 };
const { ticket, confirmation, accounts } = given;

describe('A reversal that contradicts its evidence', () => {
  it.each([
    ['a ticket for another amount', { ticket: { ...ticket, transfer: larger } }],
    ['a beneficiary that refuses', { confirmation: { ...confirmation, isConfirmed: false } }],
    ['a confirmation of another account', { confirmation: { ...confirmation, account: 'ACME-USD' } }],
    [
      'an account without enough money',
      { accounts: accounts.map((account) => ({ ...account, cents: account.cents - 25_000_000 })) },
    ],
    [
      'a model that asks for more',
      {
        model: changing((output) =>
          JSON.stringify(output).includes('"wire.reverse"')
            ? JSON.parse(JSON.stringify(output).replaceAll('12500000', '100000000'))
            : output,
        ),
      },
    ],
  ])('is neither shown to an approver nor made: %s', async (_, changed) => {
    const { end, shown } = await reported(changed);
    expect(end).toEqual(['failed', 'fail_safe', 'uncertain', ['VERIFICATION_FAILED'], [], ['wired']]);
    expect(shown).toEqual([]);
  });
});

it('rolls a reversal back when the draft differs from the booking', async () => {
  const { end, before, after } = await reported({
    model: changing((output) =>
      'payload' in output ? { ...output, payload: { ...(output['payload'] as object), entry: 7 } } : output,
    ),
  });
  const [state, phase, outcome, codes, , journal] = end;
  expect({ state, phase, outcome }).toEqual({ state: 'failed', phase: 'fail_safe', outcome: 'uncertain' });
  expect(codes).toContain('VERIFICATION_FAILED');
  expect(journal).toEqual(['wired', 'reversed', 'reinstated']);
  expect(after.accounts).toEqual(before.accounts);
});
