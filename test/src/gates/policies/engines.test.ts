import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Policy, PolicyDecision, PolicyRequest } from '../../../../src/base/ports/policy.ts';
import { cedarPolicy } from '../../../../src/gates/policies/cedar.ts';
import { tablePolicy, type PolicyRule } from '../../../../src/gates/policies/index.ts';
import { ControlClass, type RiskTier } from '../../../../schema/index.ts';
import { attestationTiers } from '../../../../src/base/ports/policy.ts';
import { runs } from '../../base/canonical/generated.ts';
import { options, request } from './request.ts';

interface Amount {
  readonly amount: number;
}

/** Reads an argument without a check, so that a rule fails if the argument is missing. */
const amountOf = (value: unknown): number => {
  const { amount } = value as Amount;
  if (typeof amount !== 'number') throw new TypeError('no amount');
  return amount;
};

const rules: readonly PolicyRule[] = [
  { tools: ['mail.send'], attestation: 'vouched', verdict: 'allow', reason: 'mail of known agents' },
  { tools: ['mail.send'], agents: ['temp'], verdict: 'deny', reason: 'not while on probation' },
  { tools: ['refund'], owners: ['acme'], verdict: 'allow', reason: 'our refunds', authority: 'treasury' },
  {
    tools: ['refund'],
    controlClasses: ['autonomous'],
    verdict: 'needs_review',
    reason: 'nobody watches this agent',
  },
  {
    tools: ['refund'],
    when: (request) => amountOf(request.arguments) >= 100,
    verdict: 'needs_review',
    reason: 'a large refund',
  },
  { taskClasses: ['audit'], verdict: 'deny', reason: 'an audit writes nothing' },
];

const cedar = `
@reason("mail of known agents")
permit (principal, action, resource == Tool::"mail.send")
  when { ["vouched", "proven"].contains(principal.attestation) };
@reason("not while on probation")
forbid (principal == Agent::"temp", action, resource == Tool::"mail.send");
@reason("our refunds") @authority("treasury")
permit (principal, action, resource == Tool::"refund") when { principal.owner == "acme" };
@reason("nobody watches this agent") @verdict("needs_review")
permit (principal, action, resource == Tool::"refund") when { principal.controlClass == "autonomous" };
@reason("a large refund") @verdict("needs_review")
permit (principal, action, resource == Tool::"refund") when { context.arguments.amount >= 100 };
@reason("an audit writes nothing")
forbid (principal, action, resource) when { context.taskClass == "audit" };
`;

/** One contract in the language of each engine. */
const engines: readonly (readonly [string, Policy])[] = [
  ['a table', tablePolicy({ rules })],
  ['Cedar', cedarPolicy({ policies: cedar })],
];

const { identity } = request;
const refund = { action: 'refund', arguments: { amount: 5 } };

describe.each(engines)('%s', (_, policy) => {
  const decide = (more: Partial<PolicyRequest>): PolicyDecision | Promise<PolicyDecision> =>
    policy.decide({ ...request, ...more }, options);

  it('allows what a rule allows and names the rule', () => {
    expect(decide({})).toEqual({ verdict: 'allow', reasons: ['mail of known agents'] });
  });

  it('denies an action that no rule mentions, by name [UAICP 5.3]', () => {
    expect(decide({ action: 'disk.wipe' })).toEqual({
      verdict: 'deny',
      reasons: [expect.stringContaining('disk.wipe')],
    });
  });

  it('denies when one rule denies, whatever another allows', () => {
    expect(decide({ identity: { ...identity, agent_id: 'temp' } })).toEqual({
      verdict: 'deny',
      reasons: ['not while on probation'],
    });
    expect(decide({ ...refund, taskClass: 'audit' })).toEqual({
      verdict: 'deny',
      reasons: ['an audit writes nothing'],
    });
  });

  it('requires a review when one rule requires it, with all reasons', () => {
    expect(decide({ ...refund, arguments: { amount: 100 } })).toEqual({
      verdict: 'needs_review',
      reasons: ['a large refund'],
    });
    const both = {
      ...refund,
      arguments: { amount: 500 },
      identity: { ...identity, control_class: 'autonomous' as const },
    };
    expect(decide(both)).toEqual({
      verdict: 'needs_review',
      reasons: ['nobody watches this agent', 'a large refund'],
    });
  });

  it('decides by attestation, which comes from the host and not from the agent', () => {
    expect(decide({ attestation: 'proven' })).toMatchObject({ verdict: 'allow' });
    const boastful = { ...identity, attestation: 'proven' };
    expect(decide({ attestation: 'none', identity: boastful })).toMatchObject({ verdict: 'deny' });
  });

  it('decides by control class', () => {
    const autonomous = { ...identity, control_class: 'autonomous' as const };
    expect(decide({ ...refund, identity: autonomous })).toMatchObject({ verdict: 'needs_review' });
    expect(decide(refund)).toMatchObject({ verdict: 'allow' });
  });

  it('denies when a relevant rule fails, although others allow', () => {
    const decision = decide({ ...refund, arguments: {} });
    expect(decision).toEqual({ verdict: 'deny', reasons: [expect.stringMatching(/fail|not told/)] });
  });

  it('names the authority only for what it allows [UAICP 5.3]', () => {
    expect(decide(refund)).toEqual({ verdict: 'allow', reasons: ['our refunds'], authority: 'treasury' });
    expect(decide({ ...refund, arguments: { amount: 100 } })).not.toHaveProperty('authority');
  });

  it('has a fixed version, so an approval under other rules does not count', () => {
    expect(policy.version).toMatch(/^sha256:/);
    expect(Object.isFrozen(policy)).toBe(true);
  });
});

const requests: fc.Arbitrary<PolicyRequest> = fc.record({
  action: fc.constantFrom('mail.send', 'refund', 'disk.wipe'),
  version: fc.constantFrom('1', '2'),
  arguments: fc.oneof(
    fc.record({ amount: fc.constantFrom(0, 99, 100, 1e6) }),
    fc.constantFrom(
      {},
      { amount: null },
      { amount: '5' },
      { amount: { __extn: { fn: 'decimal', arg: '1.0' } } },
    ),
  ),
  tier: fc.constantFrom<RiskTier>('write_low_risk', 'read_only'),
  rollback: fc.constantFrom(null, { type: 'delete' }),
  identity: fc.record({
    agent_id: fc.constantFrom('clerk', 'temp'),
    owner_id: fc.constantFrom('acme', 'other'),
    control_class: fc.constantFrom(...ControlClass.options),
  }),
  attestation: fc.constantFrom(...attestationTiers),
  taskClass: fc.constantFrom('letters', 'audit'),
  requestId: fc.constant(request.requestId),
  request: fc.constant({}),
  confidence: fc.constant(0.9),
  identical: fc.nat({ max: 2 }),
  origins: fc.constant(null),
  evidence: fc.constant([]),
});

describe('both engines', () => {
  const seen = new Map<string, number>();

  it('decide alike on one contract', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const [one, other] = engines.map(([, policy]) => policy.decide(request, options) as PolicyDecision);
        expect(other?.verdict).toBe(one?.verdict);
        expect(other?.authority).toBe(one?.authority);
        expect(one?.reasons.length).toBeGreaterThan(0);
        expect(other?.reasons.length).toBeGreaterThan(0);
        seen.set(one?.verdict ?? '', (seen.get(one?.verdict ?? '') ?? 0) + 1);
      }),
      runs(2_000),
    );
  });

  it('reach each of the three verdicts', () => {
    expect([...seen.keys()].toSorted()).toEqual(['allow', 'deny', 'needs_review']);
    expect(Math.min(...seen.values())).toBeGreaterThan(20);
  });
});
