import { expect } from 'vitest';
import { jwsApprovals } from '../../src/gates/approvals/index.ts';
import { elsewhere, options } from '../src/gates/approvals/desk.ts';
import { stopped, unmoved, type Attack, type Stop } from './attack.ts';
import { bank, bring, expectRefusal, order, signed, type Bank } from './bank.ts';
import { forgery } from './tokens.ts';

const seconds = (one: Bank): number => Math.floor(one.clock.now() / 1_000);
const after = (milliseconds: number) => (one: { readonly clock: { readonly now: () => number } }) =>
  Math.floor((one.clock.now() + milliseconds) / 1_000);

const minute = 60_000;
const day = 1_440 * minute;

/** What the ledger says of the last call that was not made. */
const refusedCall = async (one: Bank, taskId: string): Promise<Stop | undefined> => {
  const fact = (await one.orchestrator.ledger(taskId)).findLast(
    (record) => record.fact?.type === 'call.refused',
  )?.fact;
  return fact?.type === 'call.refused' ? fact.code : undefined;
};

const times: readonly Attack[] = [
  forgery(
    4,
    'an approval that has expired',
    'APPROVAL_EXPIRED',
    (one) => signed(one, { nbf: after(-10 * minute)(one), exp: after(-minute)(one) }),
    'RFC 7519, 4.1.4',
  ),
  forgery(
    4,
    'an approval that does not hold yet',
    'APPROVAL_NOT_YET_VALID',
    (one) => signed(one, { nbf: after(minute)(one) }),
    'RFC 7519, 4.1.5',
  ),
  forgery(
    4,
    'an approval that never expires',
    'APPROVAL_MALFORMED',
    (one) => signed(one, { exp: undefined }),
    'RFC 7519',
  ),
  forgery(4, 'an approval without a beginning', 'APPROVAL_MALFORMED', (one) =>
    signed(one, { nbf: undefined }),
  ),
  forgery(4, 'an approval for a century', 'APPROVAL_MALFORMED', (one) =>
    signed(one, { exp: after(36_500 * day)(one) }),
  ),
  forgery(4, 'an expiry that is a text', 'APPROVAL_MALFORMED', (one) =>
    signed(one, { exp: String(after(10 * minute)(one)) }),
  ),
  {
    number: 4,
    attempt: 'a leeway of an hour between clocks',
    expected: 'definition_invalid',
    source: 'RFC 7519',
    run: () => stopped(() => jwsApprovals({ ...options, leeway: 60 * minute })),
  },
  {
    number: 4,
    attempt: 'an approval that expires between its acceptance and the effect',
    expected: 'APPROVAL_EXPIRED',
    source: 'RFC 7519, 4.1.4',
    run: async () => {
      const one = bank([
        ['transfer', order],
        ['payout', order],
      ]);
      await one.submit();
      const [first, second] = await one.orchestrator.inbox();
      const short = await signed(one, { exp: seconds(one) + 60, jti: 'short' }, {}, first);
      await bring(one, short, first);
      await one.clock.advance(2 * minute);
      await bring(one, await signed(one, {}, {}, second), second);
      expect(one.paid).toEqual([]);
      const stop = await unmoved(one, () => bring(one, short));
      expect(one.paid).toEqual([]);
      return stop;
    },
  },
  {
    number: 4,
    attempt: 'an approval whose key is withdrawn between its acceptance and the effect',
    expected: 'APPROVAL_KEY_UNKNOWN',
    run: async () => {
      let asked = 0;
      const keys = () => (asked++ === 0 ? (options.keys as { keys: [] }) : { keys: [] });
      const one = bank(undefined, { options: { approvals: jwsApprovals({ ...options, keys }) } });
      const taskId = await one.submit();
      await bring(one, await signed(one));
      expect(asked).toBe(2);
      expect(one.paid).toEqual([]);
      expect((await one.question()).question.kind).toBe('approval');
      return refusedCall(one, taskId);
    },
  },
];

const replays: readonly Attack[] = [
  {
    number: 5,
    attempt: 'an approval that was used for this action already',
    expected: 'APPROVAL_SPENT',
    source: 'CWE-294',
    run: async () => {
      const one = bank();
      await one.submit();
      const asked = await one.question();
      const token = await signed(one);
      await bring(one, token);
      expect(one.paid).toHaveLength(1);
      const stop = await unmoved(one, () => bring(one, token, asked));
      expect(one.paid).toHaveLength(1);
      return stop;
    },
  },
  {
    number: 5,
    attempt: 'a new approval under the name of one that was used for another task',
    expected: 'APPROVAL_SPENT',
    source: 'RFC 9449, 11.1',
    run: async () => {
      const one = bank();
      await one.submit();
      await bring(one, await signed(one));
      const second = await one.submit();
      await bring(one, await signed(one));
      expect(one.paid).toHaveLength(1);
      expect((await one.question()).taskId).toBe(second);
      return refusedCall(one, second);
    },
  },
  {
    number: 5,
    attempt: 'one approval for an action that needs two',
    expected: 'APPROVAL_SPENT',
    run: async () => {
      const one = bank(undefined, { taskClass: { approvers: 2 } });
      const taskId = await one.submit();
      const token = await signed(one);
      await bring(one, token);
      const stop = await unmoved(one, () => bring(one, token));
      await expectRefusal(one, taskId, stop);
      expect(one.paid).toEqual([]);
      return stop;
    },
  },
];

/** A token of the first of two open questions is brought for the second. */
const swapped = (attempt: string, expected: Stop, second: string, to = order): Attack => ({
  number: 6,
  attempt,
  expected,
  source: 'CWE-345',
  run: async () => {
    const one = bank([
      ['transfer', order],
      [second, to],
    ]);
    const taskId = await one.submit();
    const [first, other] = await one.orchestrator.inbox();
    const stop = await unmoved(one, async () => bring(one, await signed(one, {}, {}, first), other));
    await expectRefusal(one, taskId, stop);
    expect(one.paid).toEqual([]);
    return stop;
  },
});

const otherActions: readonly Attack[] = [
  swapped('an approval of a call of another tool', 'APPROVAL_CALL_MISMATCH', 'payout'),
  swapped('an approval of the same tool with other arguments', 'APPROVAL_ARGUMENTS_MISMATCH', 'transfer', {
    ...order,
    amount: 999,
  }),
  forgery(
    6,
    'an approval of another version of the tool',
    'APPROVAL_CALL_MISMATCH',
    (one) => signed(one, { tool_version: '0' }),
    'CWE-345',
  ),
  forgery(
    6,
    'an approval of another rollback',
    'APPROVAL_ARGUMENTS_MISMATCH',
    (one) => signed(one, { action_digest: elsewhere }),
    'CWE-345',
  ),
  forgery(
    6,
    'an approval of a lower risk',
    'APPROVAL_TIER_MISMATCH',
    (one) => signed(one, { tier: 'write_low_risk' }),
    'UAICP 5.3',
  ),
  forgery(
    6,
    'an approval under another version of the policy',
    'APPROVAL_POLICY_MISMATCH',
    (one) => signed(one, { policy_version: 'rules-0' }),
    'UAICP 5.3',
  ),
  {
    number: 6,
    attempt: 'an approval of the same action in another request',
    expected: 'APPROVAL_REQUEST_MISMATCH',
    source: 'CWE-345',
    run: async () => {
      const one = bank();
      await one.submit();
      const token = await signed(one);
      const second = await one.submit();
      const asked = (await one.orchestrator.inbox()).find(({ taskId }) => taskId === second);
      const stop = await unmoved(one, () => bring(one, token, asked));
      await expectRefusal(one, second, stop);
      expect(one.paid).toEqual([]);
      return stop;
    },
  },
];

export const approvals = [times, replays, otherActions].flat();
