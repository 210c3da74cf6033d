import { expect } from 'vitest';
import { digest } from '../../src/base/canonical/digest.ts';
import { unmoved, type Attack } from './attack.ts';
import { bank, bring, expectRefusal, order, signed } from './bank.ts';
import { forgery } from './tokens.ts';

const approvers: readonly Attack[] = [
  forgery(
    7,
    'the requesting agent approves by a token',
    'APPROVER_IS_REQUESTER',
    (one) => signed(one, { sub: 'recommender' }),
    'NIST SP 800-53, AC-5',
  ),
  forgery(7, 'a token without an approver', 'APPROVAL_MALFORMED', (one) => signed(one, { sub: undefined })),
  {
    number: 7,
    attempt: 'the requesting agent brings the token of a person',
    expected: 'identity_refused',
    source: 'NIST SP 800-53, AC-5',
    run: async () => {
      const one = bank();
      await one.submit();
      const approval = await signed(one);
      const stop = await unmoved(one, () =>
        one.answer('approve', undefined, { by: 'recommender', approval }),
      );
      expect(one.paid).toEqual([]);
      return stop;
    },
  },
  {
    number: 7,
    attempt: 'the requesting agent approves by its word, in a host that lets everyone answer',
    expected: 'APPROVER_IS_REQUESTER',
    source: 'NIST SP 800-53, AC-5',
    run: async () => {
      const one = bank(undefined, {
        taskClass: { authorities: ['human'] },
        options: { mayRespond: () => true },
      });
      await one.submit();
      const stop = await unmoved(one, () => one.answer('approve', undefined, { by: 'recommender' }));
      expect(one.paid).toEqual([]);
      return stop;
    },
  },
  {
    number: 7,
    attempt: 'a person approves a high-risk write by a word, without a token',
    expected: 'APPROVAL_REQUIRED',
    source: 'UAICP 5.3',
    run: async () => {
      const one = bank();
      await one.submit();
      const stop = await unmoved(one, () => one.answer('approve'));
      expect(one.paid).toEqual([]);
      return stop;
    },
  },
  {
    number: 7,
    attempt: 'one approver approves twice, by two tokens',
    expected: 'APPROVER_REPEATED',
    source: 'NIST SP 800-53, AC-5',
    run: async () => {
      const one = bank(undefined, { taskClass: { approvers: 2 } });
      const taskId = await one.submit();
      await bring(one, await signed(one));
      const stop = await unmoved(one, async () => bring(one, await signed(one, { jti: 'approval-2' })));
      await expectRefusal(one, taskId, stop);
      expect(one.paid).toEqual([]);
      return stop;
    },
  },
  forgery(
    7,
    'an approval that carries a rejection',
    'APPROVAL_REJECTED',
    (one) => signed(one, { decision: 'reject' }),
    'UAICP 5.3',
  ),
  forgery(7, 'a decision that is neither', 'APPROVAL_MALFORMED', (one) => signed(one, { decision: 'maybe' })),
];

const whatWasSeen: readonly Attack[] = [
  forgery(
    10,
    'an approval of another summary than the one that is shown',
    'APPROVAL_SUMMARY_MISMATCH',
    (one) => signed(one, { summary_digest: digest({ amount: 1 }) }),
    'OWASP ASI09',
  ),
  {
    number: 10,
    attempt: 'arguments that were edited after the approval was signed',
    expected: 'APPROVAL_ARGUMENTS_MISMATCH',
    source: 'vercel/ai#15947',
    run: async () => {
      const one = bank();
      const taskId = await one.submit();
      const token = await signed(one);
      await one.answer('edit', { value: { ...order, amount: 999 } });
      const stop = await unmoved(one, () => bring(one, token));
      await expectRefusal(one, taskId, stop);
      expect(one.paid).toEqual([]);
      await bring(one, await signed(one));
      expect(one.paid).toEqual([{ ...order, amount: 999 }]);
      return stop;
    },
  },
  {
    number: 10,
    attempt: 'a policy that changes the arguments after it has read them',
    expected: 'POLICY_ERROR',
    source: 'CWE-367',
    run: async () => {
      const one = bank(undefined, {
        policy: ({ arguments: given }) => {
          (given as { amount: number }).amount = 999;
          return { verdict: 'allow', reasons: [] };
        },
      });
      const taskId = await one.submit();
      await one.ended(taskId);
      expect(one.paid).toEqual([]);
      return (await one.reasonsOf(taskId))[0];
    },
  },
];

export const approversAndSummaries = [approvers, whatWasSeen].flat();
