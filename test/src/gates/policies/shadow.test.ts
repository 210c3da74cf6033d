import { createGuard } from 'agentcharter/guard';
import { defineTaskClass, defineTool } from 'agentcharter';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { cedarPolicy } from '../../../../src/gates/policies/cedar.ts';
import { shadowPolicy, tablePolicy, type PolicyRule } from '../../../../src/gates/policies/index.ts';
import type { Policy, PolicyRequest } from '../../../../src/base/ports/policy.ts';
import { options, refusalOf, request } from './request.ts';

const rule = { tools: ['mail.send'], reason: 'mail' } as const;
const rules: readonly PolicyRule[] = [
  { ...rule, verdict: 'allow' },
  { ...rule, agents: ['temp'], verdict: 'needs_review', reason: 'on probation' },
  { ...rule, owners: ['other'], verdict: 'deny', reason: 'not ours' },
];
const table = tablePolicy({ rules });
const ask = (policy: Policy, more: Partial<PolicyRequest> = {}) =>
  policy.decide({ ...request, ...more }, options);
const by = (agent_id: string, owner_id = 'acme') => ({
  identity: { ...request.identity, agent_id, owner_id },
});

describe('A policy in the shadow', () => {
  it.each([
    ['allow', by('clerk'), 'shadow allow: mail'],
    ['needs_review', by('temp'), 'shadow needs_review: on probation'],
    ['deny', by('temp', 'other'), 'shadow deny: not ours'],
    ['deny', { action: 'disk.wipe' }, 'shadow deny: no rule matches disk.wipe'],
  ])('allows what it would %s, and says so', async (_, more, reason) => {
    expect(await ask(shadowPolicy(table), more)).toEqual({ verdict: 'allow', reasons: [reason] });
  });

  it.each([
    [
      'throws',
      () => Promise.reject(new Error('the till is down')),
      'the policy failed: Error: the till is down',
    ],
    [
      'throws at once',
      () => {
        throw new Error('no till');
      },
      'the policy failed: Error: no till',
    ],
    ['answers nonsense', () => ({ verdict: 'perhaps', reasons: [] }) as never, 'the policy failed: '],
    ['gives no reason', () => ({ verdict: 'deny', reasons: [] }) as const, 'no reason'],
  ])('that %s would deny, and allows', async (_, decide, reason) => {
    expect(await ask(shadowPolicy({ decide }))).toEqual({
      verdict: 'allow',
      reasons: [expect.stringContaining(`shadow deny: ${reason}`)],
    });
  });

  it('has another version than the rules in force, and none without', () => {
    expect(shadowPolicy(table).version).toBe(`shadow ${table.version}`);
    expect(shadowPolicy({ decide: (asked) => table.decide(asked, options) })).not.toHaveProperty('version');
  });

  it('wraps Cedar too', async () => {
    const policies = '@reason("sealed") forbid (principal, action, resource);';
    expect(await ask(shadowPolicy(cedarPolicy({ policies })))).toEqual({
      verdict: 'allow',
      reasons: ['shadow deny: sealed'],
    });
  });

  it('is refused if it is no policy', () => {
    for (const wrong of [undefined, {}, { decide: 'allow' }])
      expect(refusalOf(() => shadowPolicy(wrong as unknown as Policy))).toMatchObject({
        code: 'definition_invalid',
        message: 'shadow policy must be an object `{ decide }`, or what `tablePolicy` returned',
      });
  });
});

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  version: '1',
  tier: 'write_high_risk',
  doubt: 'idempotent',
  input: z.object({ cents: z.int() }),
  output: z.string(),
  rollback: {
    describe: (given) => ({ type: 'refund', target: 'till', payload: given }),
    run: async () => {},
  },
  call: async ({ cents }) => `paid ${cents}`,
});

const payingUnder = async (authorities: readonly ('human' | 'system')[]) => {
  const policy = shadowPolicy(
    tablePolicy({ rules: [{ tools: ['pay'], verdict: 'deny', reason: 'sealed' }] }),
  );
  await using guard = createGuard({
    tools: [pay],
    taskClasses: [defineTaskClass({ id: 'till', tools: ['pay'], authorities })],
    policy,
  });
  const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' as const };
  const run = await guard.begin({ taskClass: 'till', payload: {}, explanation: 'Pay.', identity });
  const outcome = await run.call('pay', { cents: 5 });
  const records = await guard.orchestrator.ledger(run.taskId);
  return {
    outcome,
    facts: records.flatMap(({ fact, brought }) => (fact === null ? [] : [{ fact, brought }])),
  };
};

describe('A high-risk write under a policy in the shadow', () => {
  it('is made where the task class accepts a system, and the ledger has the verdict and who approved', async () => {
    const { outcome, facts } = await payingUnder(['human', 'system']);
    expect(outcome).toMatchObject({ status: 'done', result: 'paid 5' });
    const reasons = ['shadow deny: sealed'];
    expect(facts).toContainEqual({
      fact: expect.objectContaining({ type: 'policy.decided', verdict: 'allow' }),
      brought: { reasons },
    });
    expect(facts).toContainEqual({
      fact: expect.objectContaining({
        type: 'approval.granted',
        authority: 'system',
        approver: 'agentcharter:shadow',
      }),
      brought: { reasons },
    });
  });

  it('waits for a person where it accepts none', async () => {
    const { outcome, facts } = await payingUnder(['human']);
    expect(outcome.status).toBe('paused');
    expect(facts.map(({ fact }) => fact.type)).not.toContain('approval.granted');
  });
});

it('The names in its rules are checked as those of the policy are', () => {
  const misspelt = shadowPolicy(
    tablePolicy({ rules: [{ tools: ['pya'], verdict: 'deny', reason: 'sealed' }] }),
  );
  const taskClasses = [defineTaskClass({ id: 'till', tools: ['pay'] })];
  // @ts-expect-error -- no tool has this name
  const refusal = refusalOf(() => createGuard({ tools: [pay], taskClasses, policy: misspelt }));
  expect(refusal).toMatchObject({ message: expect.stringContaining('Did you mean "pay"?') });
  expectTypeOf(misspelt.ruleNames).toEqualTypeOf(
    tablePolicy({ rules: [{ tools: ['pya'], verdict: 'deny', reason: 'sealed' }] }).ruleNames,
  );
});
