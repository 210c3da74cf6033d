import { describe, expect, it } from 'vitest';
import type { Approvals } from 'agentcharter';
import { conformance } from '../../../../src/testing/conformance/index.ts';
import { brokenIn } from './findings.ts';
import { ours, type Configure } from './ours.ts';

/** Takes every token for an approval, by whatever name. */
const credulous: Approvals = {
  verify: async (token, _, now) => ({ approver: 'dana', jti: token.slice(-64), expiresAt: now + 600_000 }),
};

/** A busy machine is no fault of the subject's. */
const patient = { patience: 60_000 };

const long = 365 * 24 * 3_600_000;

const hosts: readonly (readonly [what: string, configure: Configure, broken: readonly string[]])[] = [
  [
    'believes every token',
    () => ({ approvals: credulous }),
    [
      'uaicp-5.3-approval-arguments',
      'uaicp-5.3-approval-expired',
      'uaicp-5.3-approval-refused',
      'uaicp-5.3-approval-request',
      'uaicp-5.3-approval-verified',
    ],
  ],
  [
    'allows every write',
    () => ({ policy: { decide: () => ({ verdict: 'allow', reasons: [] }) } }),
    ['uaicp-5.3-policy', 'uaicp-5.3-policy-and-approval'],
  ],
  [
    'lets no evidence grow old',
    ({ taskClasses }) => ({ taskClasses: taskClasses.map((one) => ({ ...one, maxAge: long })) }),
    ['uaicp-5.1-age', 'uaicp-5.1-age-at-write'],
  ],
  ['lets clocks differ by a year', () => ({ skew: long }), ['uaicp-5.1-future']],
];

describe('AgentCharter', () => {
  it.each(hosts)('in a host that %s breaks exactly the rules about it', async (_, configure, broken) => {
    expect(brokenIn(await conformance(ours({ configure }), patient))).toEqual(broken);
  });
});
