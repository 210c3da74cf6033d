import { describe, expect, it } from 'vitest';
import { cedarPolicy } from '../../../../../src/gates/policies/cedar.ts';
import type { PolicyDecision } from '../../../../../src/base/ports/policy.ts';
import { loadCedar } from '../../../../../src/gates/policies/cedar/engine.ts';
import { readAsReference } from '../../../../../src/gates/policies/cedar/lookalike.ts';
import {
  agentOf,
  contextMembers,
  contextOf,
  toolOf,
} from '../../../../../src/gates/policies/cedar/request.ts';
import { options, request } from '../request.ts';

const schemaOf = (argument: string): string => `
  entity Account in [Account] = { owner: String };
  entity Agent = { owner: String, controlClass: String, attestation: String };
  entity Tool = { version: String, tier: String };
  entity Json;
  action call appliesTo {
    principal: Agent, resource: Tool,
    context: {
      arguments: ${argument},
      taskClass: String, rollback: Bool, evidence: Set<{ type: String, source: String }>,
    },
  };`;

const entities = [{ uid: { type: 'Account', id: 'house' }, attrs: { owner: 'acme' } }];
const house = { type: 'Account', id: 'house' };

const decide = (argument: string, given: object, condition: string): PolicyDecision =>
  cedarPolicy({
    policies: `permit (principal, action, resource) when { ${condition} };`,
    schema: schemaOf(argument),
    entities,
  }).decide({ ...request, arguments: given }, options) as PolicyDecision;

const refused = {
  verdict: 'deny',
  reasons: [expect.stringContaining('no record of a request or a call is read as one')],
};

describe('An argument that looks like an entity', () => {
  it.each<[string, string, object, string]>([
    ['itself', '{ to: Account }', { to: house }, 'context.arguments.to.owner == "acme"'],
    [
      'with more in it',
      '{ to: Account }',
      { to: { ...house, more: 1 } },
      'context.arguments.to.owner == "acme"',
    ],
    ['in a record', '{ a: { to: Account } }', { a: { to: house } }, 'context.arguments.a.to.owner == "acme"'],
    ['in a set', '{ to: Set<Account> }', { to: [house] }, 'context.arguments.to.contains(Account::"house")'],
    ['as an optional member', '{ to?: Account }', { to: house }, 'context.arguments has to'],
    ['in the form of an absent value', '{ to: Json }', { to: { type: 'Json', id: 'null' } }, 'true'],
    ['as all of the arguments', 'Account', house, 'true'],
  ])('is denied when the schema would parse it as an entity: %s', (_, argument, given, condition) => {
    expect(decide(argument, given, condition)).toEqual(refused);
  });

  it.each<[string, string, object, string]>([
    ['a record', '{ to: { type: String, id: String } }', { to: house }, 'context.arguments.to.id == "house"'],
    [
      'in a set',
      '{ to: Set<{ type: String, id: String }> }',
      { to: [house] },
      '!context.arguments.to.isEmpty()',
    ],
    [
      'of other kinds',
      '{ to: { type: Long, id: Long } }',
      { to: { type: 1, id: 2 } },
      'context.arguments.to.id == 2',
    ],
  ])('stays a record when the schema has a record: %s', (_, argument, given, condition) => {
    expect(decide(argument, given, condition)).toMatchObject({ verdict: 'allow' });
  });

  it('stays a record without a schema', () => {
    const policies =
      'permit (principal, action, resource) when { context.arguments.to == Account::"house" };';
    const asked = { ...request, arguments: { to: house } };
    expect(cedarPolicy({ policies, entities }).decide(asked, options)).toMatchObject({ verdict: 'deny' });
  });
});

it('An argument that looks like a function call is denied when the schema would evaluate it', () => {
  const given = { from: { fn: 'ip', arg: '10.0.0.1' } };
  const inside = 'context.arguments.from.isInRange(ip("10.0.0.0/8"))';
  expect(decide('{ from: ipaddr }', given, inside)).toEqual(refused);
  const condition = 'context.arguments.from.fn == "ip"';
  expect(decide('{ from: { fn: String, arg: String } }', given, condition)).toMatchObject({
    verdict: 'allow',
  });
});

it('A fraction is still a decimal', () => {
  const condition = 'context.arguments.rate.lessThan(decimal("0.2")) && context.arguments.of.id == "a"';
  const argument = '{ rate: decimal, of: { type: String, id: String } }';
  expect(decide(argument, { rate: 0.15, of: { type: 'b', id: 'a' } }, condition)).toMatchObject({
    verdict: 'allow',
  });
});

const withRequest = (payload: string): string =>
  schemaOf('{ to: String, amount: Long }').replace('taskClass:', `request: ${payload}, taskClass:`);

const decideOn = (payload: string, given: Readonly<Record<string, unknown>>, condition: string) =>
  cedarPolicy({
    policies: `permit (principal, action, resource) when { ${condition} };`,
    schema: withRequest(payload),
    entities,
    context: ['request'],
  }).decide({ ...request, request: given }, options);

describe('A member of the context that others write', () => {
  const denied = {
    verdict: 'deny',
    reasons: [expect.stringMatching(/^context\.request: a record of the form/)],
  };

  it.each<[string, string, Readonly<Record<string, unknown>>, string]>([
    [
      'an entity',
      '{ approver: Account }',
      { approver: house },
      'context.request.approver == Account::"house"',
    ],
    [
      'an address',
      '{ from: ipaddr }',
      { from: { fn: 'ip', arg: '127.0.0.1' } },
      'context.request.from.isLoopback()',
    ],
    ['an entity as a whole', 'Account', house, 'context.request.owner == "acme"'],
  ])('is denied when the payload of the request poses as %s', (_, payload, given, condition) => {
    expect(decideOn(payload, given, condition)).toEqual(denied);
  });

  it('stays a record when the schema has a record', () => {
    const condition = 'context.request.approver.id == "house"';
    expect(
      decideOn('{ approver: { type: String, id: String } }', { approver: house }, condition),
    ).toMatchObject({
      verdict: 'allow',
    });
  });

  it.each(Object.keys(contextOf(request, contextMembers)))('is probed wherever it is: %s', (member) => {
    const posing = { ...contextOf(request, contextMembers), [member]: { to: house } };
    const types = Object.keys(posing).map(
      (name) => `${name}: ${name === member ? '{ to: Account }' : other[name]}`,
    );
    const schema = schemaOf('{}').replace(
      /context: \{[^]*\},\n {2}\};/u,
      `context: { ${types.join(', ')} } };`,
    );
    expect(readAsReference(loadCedar(), schema, posing)).toBe(member);
  });
});

/** The types of the members of the context, in the notation of a schema. */
const other: Readonly<Record<string, string>> = {
  arguments: '{ to: String, amount: Long }',
  taskClass: 'String',
  rollback: 'Bool',
  evidence: 'Set<{ type: String, source: String }>',
  request: '{}',
  confidence: 'String',
  origins: 'Set<{ at: String, integrity: String, from: Set<String> }>',
  trustedEvidence: 'Set<{ type: String, source: String }>',
};

it('The attributes of a request’s agent and tool are texts, which Cedar reads as no entity', () => {
  const identity = { ...request.identity, user_id: 'ada', team: house };
  for (const { attrs } of [agentOf({ ...request, identity }), toolOf(request)])
    for (const attribute of Object.values(attrs)) expect(attribute).toBeTypeOf('string');
});
