import { createOrchestrator, defineTaskClass } from 'agentcharter';
import { createGuard } from 'agentcharter/guard';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PolicyDecision, PolicyRequest } from '../../../../src/base/ports/policy.ts';
import { tablePolicy, type PolicyRule } from '../../../../src/gates/policies/index.ts';
import { runs } from '../../base/canonical/generated.ts';
import { scriptedModel, writeTool } from '../../core/shell/scripted.ts';
import { options, refusalOf, request } from './request.ts';

const allow: PolicyRule = { tools: ['mail.send'], verdict: 'allow', reason: 'mail' };
const broken = () => {
  throw new Error('broken');
};
const versionOf = (rule: PolicyRule): string | undefined => tablePolicy({ rules: [rule] }).version;
const decide = (rules: readonly PolicyRule[], more: Partial<PolicyRequest> = {}) =>
  tablePolicy({ rules }).decide({ ...request, ...more }, options) as PolicyDecision;

describe('a rule', () => {
  it.each<[string, Partial<PolicyRule>, Partial<PolicyRequest>]>([
    ['tools', { tools: ['mail.send'] }, { action: 'mail.read' }],
    ['tiers', { tiers: ['write_low_risk'] }, { tier: 'write_high_risk' }],
    ['task classes', { taskClasses: ['letters'] }, { taskClass: 'payments' }],
    ['agents', { agents: ['clerk'] }, { identity: { ...request.identity, agent_id: 'cleric' } }],
    ['owners', { owners: ['acme'] }, { identity: { ...request.identity, owner_id: 'acne' } }],
    [
      'control classes',
      { controlClasses: ['human-supervised'] },
      { identity: { ...request.identity, control_class: 'human-directed' } },
    ],
    ['an attestation', { attestation: 'vouched' }, { attestation: 'none' }],
    ['a condition', { when: ({ version }) => version === '1' }, { version: '2' }],
  ])('that names %s applies to these only', (_, criterion, other) => {
    const rules: PolicyRule[] = [{ ...criterion, verdict: 'allow', reason: 'named' }];
    expect(decide(rules)).toEqual({ verdict: 'allow', reasons: ['named'] });
    expect(decide(rules, other)).toMatchObject({ verdict: 'deny' });
  });

  it('applies to a write only when every criterion fits', () => {
    expect(decide([{ ...allow, taskClasses: ['payments'] }])).toMatchObject({ verdict: 'deny' });
  });

  it('that denies may apply to every write', () => {
    expect(decide([allow, { verdict: 'deny', reason: 'closed today' }]).reasons).toEqual(['closed today']);
  });

  it('evaluates its condition last, and only when the criteria fit', () => {
    expect(decide([allow, { tools: ['refund'], when: broken, verdict: 'deny', reason: 'x' }]).verdict).toBe(
      'allow',
    );
  });

  it.each<[string, () => boolean]>([
    ['throws', broken],
    ['promises an answer', (async () => false) as unknown as () => boolean],
    ['returns a truthy value', (() => 1) as unknown as () => boolean],
    ['answers nothing', (() => undefined) as unknown as () => boolean],
  ])('whose condition %s denies, although another rule allows', (_, when) => {
    const rules: PolicyRule[] = [allow, { tools: ['mail.send'], when, verdict: 'allow', reason: 'odd' }];
    const { verdict, reasons } = decide(rules);
    expect(verdict).toBe('deny');
    expect(reasons).toEqual([expect.stringMatching(/^the condition of "odd" failed: /)]);
  });
});

describe('a high-risk write of an autonomous agent', () => {
  const unattended = {
    tier: 'write_high_risk',
    identity: { ...request.identity, control_class: 'autonomous' },
  } as const;

  it('is allowed only by a rule that names the control class', () => {
    expect(decide([allow], unattended)).toEqual({
      verdict: 'deny',
      reasons: ['no rule matches mail.send, or none names autonomous agents for a high-risk write'],
    });
    const controlClasses = ['autonomous', 'human-supervised'] as const;
    expect(decide([{ ...allow, controlClasses }], unattended).verdict).toBe('allow');
  });

  it('may be sent to review by a rule that does not', () => {
    expect(decide([{ ...allow, verdict: 'needs_review' }], unattended).verdict).toBe('needs_review');
  });

  it.each([{ tier: 'write_low_risk' as const }, { identity: request.identity }])(
    'is recognized only as both: %j is allowed as usual',
    (attended) => {
      expect(decide([allow], { ...unattended, ...attended }).verdict).toBe('allow');
    },
  );
});

describe('a table', () => {
  const rule = fc.record<PolicyRule>({
    taskClasses: fc.constantFrom(['letters'], ['payments']),
    verdict: fc.constantFrom('allow', 'needs_review', 'deny'),
    reason: fc.constantFrom('a', 'b', 'c'),
  });

  it('decides alike in any order of rules: deny, then needs_review, then allow', () => {
    fc.assert(
      fc.property(
        fc
          .array(rule)
          .chain((rules) =>
            fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length })),
          ),
        ([rules, shuffled]) => {
          const [one, other] = [decide(rules), decide(shuffled)];
          expect(other.verdict).toBe(one.verdict);
          expect(other.reasons.toSorted()).toEqual(one.reasons.toSorted());
          const verdicts = rules
            .filter(({ taskClasses }) => taskClasses?.includes('letters'))
            .map(({ verdict }) => verdict);
          const strictest = (['deny', 'needs_review', 'allow'] as const).find((v) => verdicts.includes(v));
          expect(one.verdict).toBe(strictest ?? 'deny');
        },
      ),
      runs(),
    );
  });

  it('copies its rules', () => {
    const tools = ['mail.send'];
    const rules = [{ ...allow, tools }];
    const policy = tablePolicy({ rules });
    tools.push('refund');
    rules.length = 0;
    expect(policy.decide(request, options)).toMatchObject({ verdict: 'allow' });
    expect(policy.decide({ ...request, action: 'refund' }, options)).toMatchObject({ verdict: 'deny' });
  });

  it('without rules denies everything', () => {
    expect(decide([])).toEqual({ verdict: 'deny', reasons: ['no rule matches mail.send'] });
  });

  it('has its given version, or a digest of its rules', () => {
    expect(tablePolicy({ version: '7', rules: [] }).version).toBe('7');
    expect(versionOf({ ...allow })).toBe(
      versionOf({ reason: 'mail', verdict: 'allow', tools: ['mail.send'] }),
    );
    const others = [
      allow,
      { ...allow, reason: 'letters' },
      { ...allow, when: () => true },
      { ...allow, when: () => false },
    ];
    expect(new Set(others.map(versionOf)).size).toBe(4);
  });

  it('treats undefined members as omitted', () => {
    const loose = { ...allow, agents: undefined, when: undefined } as unknown as PolicyRule;
    expect(tablePolicy({ rules: [loose] }).version).toBe(tablePolicy({ rules: [allow] }).version);
    expect(decide([loose]).verdict).toBe('allow');
  });
});

describe('an invalid table', () => {
  it.each<[string, object, string]>([
    ['a rule that allows every write', { tools: undefined }, '/rules/0'],
    ['one that would want no attestation', { tools: undefined, attestation: 'none' }, '/rules/0'],
    ['one that reviews every write', { tools: undefined, verdict: 'needs_review' }, '/rules/0'],
    ['no tool', { tools: [] }, '/rules/0/tools'],
    ['a misspelt key', { tool: ['mail.send'] }, '/rules/0/tool'],
    ['an unknown verdict', { verdict: 'maybe' }, '/rules/0/verdict'],
    ['no reason', { reason: '' }, '/rules/0/reason'],
    ['an unknown tier', { tiers: ['write'] }, '/rules/0/tiers/0'],
    ['an unknown control class', { controlClasses: ['free'] }, '/rules/0/controlClasses/0'],
    ['an unknown attestation', { attestation: 'signed' }, '/rules/0/attestation'],
    ['a condition that is no function', { when: true }, '/rules/0/when'],
    ['a deny of the agents known best', { verdict: 'deny', attestation: 'proven' }, '/rules/0/attestation'],
    ['an authority behind a review', { verdict: 'needs_review', authority: 'x' }, '/rules/0/authority'],
  ])('is rejected for %s, and the error names the path', (_, more, path) => {
    const rule = { ...allow, ...more } as PolicyRule;
    expect(refusalOf(() => tablePolicy({ rules: [rule] }))).toMatchObject({
      code: 'definition_invalid',
      details: { definition: 'table policy', issues: [{ path }] },
    });
  });
});

describe('a deny that ends the call alone', () => {
  const tools = ['mail.send'];
  const denied = { tools, verdict: 'deny', reason: 'not to strangers' } as const;

  it('says so, unless another rule that denies ends the run', () => {
    expect(decide([{ ...denied, ends: 'call' }])).toEqual({
      verdict: 'deny',
      reasons: ['not to strangers'],
      ends: 'call',
    });
    expect(
      decide([
        { ...denied, ends: 'call' },
        { ...denied, reason: 'never' },
      ]),
    ).not.toHaveProperty('ends');
    expect(() => tablePolicy({ rules: [{ ...denied, verdict: 'allow', ends: 'call' }] })).toThrow(/ends/);
  });
});

describe('the names in a rule', () => {
  const charter = {
    tools: [writeTool('mail.send')],
    taskClasses: [defineTaskClass({ id: 'letters', tools: ['mail.send'] })],
  };
  const asked = { verdict: 'needs_review', reason: 'to strangers' } as const;
  const withRule = (named: Partial<PolicyRule>) => tablePolicy({ rules: [allow, { ...asked, ...named }] });

  it.each<[string, Partial<PolicyRule>, string]>([
    ['tool', { tools: ['mail.sned'] }, 'the unknown tool "mail.sned": expected one of mail.send'],
    ['tool', { tools: ['mail.sned'] }, 'Did you mean "mail.send"?'],
    ['task class', { taskClasses: ['leters'] }, 'Did you mean "letters"?'],
  ])('are refused where the policy is passed, if one is an unknown %s', (_, named, words) => {
    const policy = withRule(named);
    expect(() => createGuard({ ...charter, policy })).toThrow('policy: rule "to strangers" names');
    expect(() => createGuard({ ...charter, policy })).toThrow(words);
    const { model } = scriptedModel([]);
    expect(() => createOrchestrator({ ...charter, model, policy })).toThrow(words);
  });

  it('may be those of what the policy is passed with, and any for a guest, which asks no policy', async () => {
    const known = withRule({ tools: ['mail.send'], taskClasses: ['letters'] });
    await createGuard({ ...charter, policy: known }).close();
    const policy = withRule({ tools: ['elsewhere'] });
    await createOrchestrator({
      taskClasses: charter.taskClasses,
      tools: charter.tools,
      role: 'guest',
      policy,
    }).close();
  });
});
