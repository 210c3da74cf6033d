import Module from 'node:module';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { labelsKey } from '../../../../src/gates/origins/sources.ts';
import type { Labels } from '../../../../src/base/ports/origin.ts';
import type { PolicyDecision, PolicyRequest } from '../../../../src/base/ports/policy.ts';
import { cedarPolicy, type CedarDefinition } from '../../../../src/gates/policies/cedar.ts';
import { createGuard } from '../../../../src/guard/index.ts';
import { defineTaskClass } from '../../../../src/index.ts';
import { writeTool } from '../../core/shell/scripted.ts';
import { options, refusalOf, request } from './request.ts';

const schema = `
  entity Team;
  entity Agent in [Team] = { owner: String, controlClass: String, attestation: String, user?: String };
  entity Tool = { version: String, tier: String };
  entity Json;
  action call appliesTo {
    principal: Agent, resource: Tool,
    context: {
      arguments: { to: String, amount: Long, rate?: decimal, cc?: Json },
      taskClass: String, rollback: Bool, evidence: Set<{ type: String, source: String }>,
    },
  };`;

const decide = (
  policies: string,
  more: Partial<PolicyRequest> = {},
  definition: Partial<CedarDefinition> = {},
) => cedarPolicy({ ...definition, policies }).decide({ ...request, ...more }, options) as PolicyDecision;
const permitWhen = (condition: string): string =>
  `permit (principal, action, resource) when { ${condition} };`;
const team = { type: 'Team', id: 'mail' };
const given = (value: unknown) => ({ arguments: { ...(request.arguments as object), ...(value as object) } });

describe('a request in Cedar', () => {
  it.each<[string, Partial<PolicyRequest>]>([
    ['principal == Agent::"clerk" && action == Action::"call" && resource == Tool::"mail.send"', {}],
    ['principal.owner == "acme" && principal.controlClass == "human-supervised"', {}],
    ['principal.attestation == "vouched" && !(principal has user)', {}],
    [
      'principal has user && principal.user == "dana"',
      { identity: { ...request.identity, user_id: 'dana' } },
    ],
    ['resource.version == "1" && resource.tier == "write_low_risk"', {}],
    ['context.taskClass == "letters" && !context.rollback', {}],
    ['context.rollback', { rollback: { type: 'unsend' } }],
    ['context.arguments.to like "*@example.org" && context.arguments.amount < 6', {}],
    ['context.arguments has rate && context.arguments.rate.lessThan(decimal("0.2"))', given({ rate: 0.15 })],
    ['context.arguments has cc && context.arguments.cc == Json::"null"', given({ cc: null })],
    [
      'context.evidence.contains({ type: "tool_result", source: "search" })',
      {
        evidence: [
          {
            evidence_id: 'e1',
            evidence_type: 'tool_result',
            source: 'search',
            hash: 'sha256:0',
            collected_at: '2026-01-01T00:00:00Z',
          },
        ],
      },
    ],
  ])('satisfies %s', (condition, more) => {
    expect(decide(permitWhen(condition), more).verdict).toBe('allow');
    expect(decide(permitWhen(`!(${condition})`), more).verdict).toBe('deny');
    expect(decide(permitWhen(condition), more, { schema }).verdict).toBe('allow');
  });

  it('treats no argument as an entity or a decimal', () => {
    const forged = given({ amount: { __extn: { fn: 'decimal', arg: '1.0' } }, cc: { __entity: request } });
    expect(decide(permitWhen('context.arguments.amount.lessThan(decimal("2.0"))'), forged).verdict).toBe(
      'deny',
    );
    expect(decide(permitWhen('context.arguments.cc == Agent::"clerk"'), forged).verdict).toBe('deny');
    expect(decide(permitWhen('context.arguments.to == "dana@example.org"'), forged).verdict).toBe('allow');
  });
});

describe('a Cedar policy', () => {
  it('without @reason is named by its @id, else by its place in the text', () => {
    const twelve = Array.from({ length: 11 }, () => 'permit (principal, action, resource) when { false };');
    const unnamed = [...twelve, 'permit (principal, action, resource);'].join('\n');
    expect(decide(unnamed).reasons).toEqual(['decided by policy11']);
    expect(decide('@id("__proto__") forbid (principal, action, resource);').reasons).toEqual([
      'decided by __proto__',
    ]);
  });

  it('that requires a review overrides a plain permit', () => {
    const policies = `permit (principal, action, resource);
      @verdict("needs_review") @reason("look") permit (principal, action, resource);`;
    expect(decide(policies)).toEqual({ verdict: 'needs_review', reasons: ['look'] });
  });

  it('that fails denies despite a permit and explains the failure', () => {
    const policies = `permit (principal, action, resource);
      @id("odd") forbid (principal, action, resource) when { context.arguments.missing };`;
    expect(decide(policies)).toEqual({
      verdict: 'deny',
      reasons: ['odd failed: record does not have the attribute `missing`'],
    });
  });

  it('lists the reasons of a forbid beside those of a failure', () => {
    const policies = `@reason("no") forbid (principal, action, resource);
      @id("odd") permit (principal, action, resource) when { context.arguments.missing };`;
    expect(decide(policies).reasons).toEqual(['no', expect.stringContaining('odd failed')]);
  });

  it('resolves teams and groups from entities; the request’s attributes take precedence', () => {
    const entities = [
      { uid: { type: 'Agent', id: 'clerk' }, attrs: { attestation: 'proven', grade: 3 }, parents: [team] },
    ];
    const policies = permitWhen(
      'principal in Team::"mail" && principal.grade == 3 && principal.attestation == "vouched"',
    );
    expect(decide(policies, {}, { entities }).verdict).toBe('allow');
    expect(decide(policies).verdict).toBe('deny');
    const member = [{ uid: { type: 'Agent', id: 'clerk' }, parents: [team] }, { uid: team }];
    expect(decide(permitWhen('principal in Team::"mail"'), {}, { entities: member, schema }).verdict).toBe(
      'allow',
    );
  });

  it('with a schema denies a request that does not fit, without quoting its arguments', () => {
    const policies = 'permit (principal, action, resource);';
    const { verdict, reasons } = decide(policies, given({ amount: 'secret' }), { schema });
    expect(verdict).toBe('deny');
    expect(reasons).toEqual([expect.stringMatching(/^Cedar rejected the request: context …/)]);
  });

  it('throws for arguments that are not JSON', () => {
    expect(() => decide('permit (principal, action, resource);', given({ amount: 1n }))).toThrow('arguments');
  });

  it('continues to decide after text that is not Unicode', () => {
    const policy = cedarPolicy({ policies: 'permit (principal, action, resource);' });
    const broken = { ...request, arguments: { to: '\ud800' } };
    for (let count = 0; count < 2_000; count += 1)
      expect(refusalOf(() => policy.decide(broken, options))).toMatchObject({ code: 'input_unreadable' });
    expect(policy.decide(request, options)).toMatchObject({ verdict: 'allow' });
  });

  it('has its given version, or a digest of text, schema and entities', () => {
    const policies = 'permit (principal, action, resource);';
    const definitions: CedarDefinition[] = [
      { policies },
      { policies: `${policies} ` },
      { policies, schema },
      { policies, entities: [{ uid: { type: 'Team', id: 'a' } }] },
    ];
    const versions = definitions.map((definition) => cedarPolicy(definition).version);
    expect(new Set(versions).size).toBe(4);
    expect(cedarPolicy({ policies, version: '7' }).version).toBe('7');
  });
});

describe('an invalid Cedar policy', () => {
  const permit = 'permit (principal, action, resource);';
  it.each<[string, Partial<CedarDefinition>, string, string]>([
    ['text that is no policy', { policies: 'permit (principal);' }, '/policies', 'missing the `action`'],
    ['an invalid schema', { schema: 'entity' }, '/schema', 'unexpected end of input'],
    [
      'an attribute that the schema does not know',
      { schema, policies: permitWhen('context.arguments.amuont < 5') },
      '/policies',
      'did you mean `amount`?',
    ],
    [
      'a template, which would never apply',
      { policies: permit.replace('principal', 'principal == ?principal') },
      '/policies',
      'template',
    ],
    ['two policies of one id', { policies: `@id("a")${permit} @id("a")${permit}` }, '/policies', 'the id a'],
    [
      'an id that another has by its place',
      { policies: `@id("policy1")${permit} ${permit}` },
      '/policies',
      'the id policy1',
    ],
    ['a misspelt annotation', { policies: `@verdcit("needs_review")${permit}` }, '/verdcit', 'unknown key'],
    ['an unknown verdict', { policies: `@verdict("maybe")${permit}` }, '/verdict', 'needs_review'],
    ['an empty verdict', { policies: `@verdict ${permit}` }, '/verdict', 'needs_review'],
    [
      'a forbid that asks for a review',
      { policies: `@verdict("needs_review")${permit.replace('permit', 'forbid')}` },
      '/verdict',
      'unknown key',
    ],
    [
      'an authority behind a forbid',
      { policies: `@authority("x")${permit.replace('permit', 'forbid')}` },
      '/authority',
      'unknown key',
    ],
    [
      'an entity twice',
      { entities: [{ uid: team }, { uid: team, attrs: { open: true } }] },
      '/entities',
      'duplicate entity',
    ],
    [
      'an entity that the schema does not know',
      { schema, entities: [{ uid: { type: 'Group', id: 'a' } }] },
      '/entities',
      'not declared in the schema',
    ],
    ['a misspelt key', { policy: permit } as Partial<CedarDefinition>, '/policy', 'unknown key'],
  ])('is rejected for %s, in the engine’s words', (_, more, path, message) => {
    expect(refusalOf(() => cedarPolicy({ policies: permit, ...more }))).toMatchObject({
      code: 'definition_invalid',
      message: expect.stringContaining(message) as unknown,
      details: { definition: 'cedar policy', issues: [{ path }] },
    });
  });

  describe('without its engine', () => {
    afterEach(() => vi.restoreAllMocks());

    it('is rejected with the install command', () => {
      // Node's own loader, which a mock of vitest does not affect
      const loader = Module as unknown as { _load: () => string };
      vi.spyOn(loader, '_load').mockImplementation(() => {
        throw new Error('Cannot find module');
      });
      expect(refusalOf(() => cedarPolicy({ policies: permit }))).toMatchObject({
        code: 'definition_invalid',
        message: expect.stringContaining('npm install @cedar-policy/cedar-wasm') as unknown,
      });
    });
  });
});

const evidence = (source: string, labels: Labels) => ({
  evidence_id: source,
  evidence_type: 'tool_result' as const,
  source,
  hash: 'sha256:0',
  collected_at: '2026-01-01T00:00:00Z',
  [labelsKey]: labels,
});

describe('What a Cedar policy sees of origins', () => {
  const origin = {
    at: '/to',
    found: [{ source: 'mail.read#1', pointer: '/text' }],
    integrity: 'untrusted',
    readers: 'anyone',
  } as const;
  const shown = { integrity: 'untrusted', readers: 'anyone' } as const;
  const request = {
    at: '/cc',
    found: [
      { source: 'request', pointer: '/wish' },
      { source: 'book#1', pointer: '', isUntrusted: true, isEcho: true },
      { source: 'mail.read#1', pointer: '/text', isUntrusted: true },
    ],
    integrity: 'trusted',
    readers: 'anyone',
  } as const;
  const asked = {
    request: { wish: 'a letter' },
    origins: {
      shown,
      values: [origin, request],
    },
    evidence: [
      evidence('book', { '': { integrity: 'trusted' } }),
      evidence('mail', { '': { integrity: 'untrusted' } }),
    ],
  };
  const context = ['request', 'confidence', 'origins', 'trustedEvidence'] as const;
  it.each([
    ['context.request.wish == "a letter"', true],
    ['context.confidence == "0.9"', true],
    ['context.origins.contains({ at: "/to", integrity: "untrusted", from: ["mail.read#1"] })', true],
    ['context.origins.contains({ at: "/to", integrity: "trusted", from: ["mail.read#1"] })', false],
    ['context.origins.contains({ at: "/cc", integrity: "trusted", from: ["request", "book#1"] })', true],
    ['context.evidence.contains({ type: "tool_result", source: "mail" })', true],
    ['context.trustedEvidence.contains({ type: "tool_result", source: "book" })', true],
    ['context.trustedEvidence.contains({ type: "tool_result", source: "mail" })', false],
  ])('%s: %s', (condition, expected) => {
    expect(decide(permitWhen(condition), asked, { context }).verdict === 'allow').toBe(expected);
  });

  it('refuses the call alone where each policy that forbids it says so', () => {
    const forbids = 'forbid (principal, action, resource);';
    expect(decide(`@ends("call") ${forbids}`)).toMatchObject({ verdict: 'deny', ends: 'call' });
    expect(decide(`@ends("call") ${forbids} ${forbids}`)).not.toHaveProperty('ends');
  });
});

describe('the tools that policies name', () => {
  const tools = [writeTool('mail.send')];
  const taskClasses = [defineTaskClass({ id: 'letters', tools: ['mail.send'] })];
  const allow = 'permit (principal, action, resource);';
  const group = { uid: { type: 'Tool', id: 'writes' } };
  const inGroup = { uid: { type: 'Tool', id: 'mail.send' }, parents: [group.uid] };

  it.each(['== tool::"mail.send"', 'in App::Tool::"mail.send"', 'is Toll'])(
    'are refused under another type: resource %s',
    (of) => {
      const create = () => cedarPolicy({ policies: `forbid (principal, action, resource ${of});` });
      expect(create).toThrow(/has a resource of type "(?:tool|App::Tool|Toll)": expected one of Tool/);
    },
  );

  it.each([
    ['in its scope', 'forbid (principal, action, resource == Tool::"mail.sned");'],
    [
      'in a condition',
      'forbid (principal, action, resource) when { [Tool::"mail.sned"].contains(resource) };',
    ],
  ])('are refused where the policy is passed, if one is unknown %s', (_, forbid) => {
    const policy = cedarPolicy({ policies: `${allow} @id("no mail") ${forbid}` });
    const create = () => createGuard({ tools, taskClasses, policy });
    expect(create).toThrow('rule "no mail" names the unknown tool "mail.sned"');
    expect(create).toThrow('Did you mean "mail.send"?');
  });

  it.each([
    ['forbid (principal, action, resource == Tool::"mail.send");', []],
    ['forbid (principal, action, resource in Tool::"writes");', [group]],
    ['forbid (principal, action, resource in Tool::"writes");', [inGroup]],
    ['forbid (principal, action, resource is Tool in Team::"mail");', [{ uid: team }]],
  ])('may be those of what it is passed with, and entities: %s', async (forbid, entities) => {
    const policy = cedarPolicy({ policies: `${allow} ${forbid}`, entities });
    await createGuard({ tools, taskClasses, policy }).close();
  });
});
