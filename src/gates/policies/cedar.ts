import * as z from 'zod';
import { digest } from '../../base/canonical/digest.ts';
import { frozenCopy } from '../../base/canonical/freeze.ts';
import { checkDefinition } from '../../base/define/definition.ts';
import type { PolicyDecision, PolicyOfRules, PolicyRequest, RuleNames } from '../../base/ports/policy.ts';
import { decisionOf } from './cedar/decision.ts';
import { loadCedar } from './cedar/engine.ts';
import { Entity, readEntities, type CedarEntity } from './cedar/entities.ts';
import { readPolicySet } from './cedar/policy-set.ts';
import { readAsReference } from './cedar/lookalike.ts';
import { action, agentOf, contextMembers, contextOf, toolOf, type ContextMember } from './cedar/request.ts';

export type { CedarEntity } from './cedar/entities.ts';

/** Returns the reason of a denial for a member of the context. */
const posesAsReference = (member: string): string =>
  `context.${member}: a record of the form { type, id } or { fn, arg } is used where the schema expects an entity or a function: expected a text or a number, because no record of a request or a call is read as one`;

/** A policy in Cedar's language, as you write it. */
export interface CedarDefinition {
  readonly policies: string;
  /** A schema in Cedar's notation; policies and requests that do not fit it are refused. */
  readonly schema?: string;
  /** Static entities, such as teams of agents and groups of tools. */
  readonly entities?: readonly CedarEntity[];
  /**
   * Further members of the context: `request` (the payload), `confidence` (of the plan, as a text), `identical`, `trustedEvidence`
   * (a set of `{ type, source }`), `origins` (a set of `{ at, integrity, from }`: for each value of the arguments, its
   * JSON Pointer and where it stands). By default none; a schema must have them too.
   */
  readonly context?: readonly ContextMember[];
  /** By default the digest of policies, schema and entities. */
  readonly version?: string;
}

const Definition = z.strictObject({
  policies: z.string(),
  schema: z.string().optional(),
  entities: z.array(Entity).optional(),
  context: z.array(z.enum(contextMembers)).optional(),
  version: z.string().min(1).optional(),
});

/** Returns the tools that each policy names, without entities of the host. Cedar names are known at run time only. */
const namesOf = (
  tools: ReadonlyMap<string, readonly string[]>,
  own: ReadonlySet<string>,
): readonly RuleNames<never, never>[] =>
  [...tools].map(([id, names]) => ({
    rule: JSON.stringify(id),
    tools: names.filter((name) => !own.has(name)) as never[], // no name that the compiler knows
    taskClasses: [],
  }));

/**
 * Creates a policy in Cedar's language, evaluated by the peer `@cedar-policy/cedar-wasm`. `forbid` wins; without a
 * `permit` the write is denied.
 *
 * The principal is `Agent::"<agent_id>"` (`owner`, `controlClass`, `attestation`, optional `user`), the action
 * `Action::"call"`, the resource `Tool::"<name>"` (`version`, `tier`). The context has `arguments`, `taskClass`,
 * `rollback` (whether one is declared), `evidence`, a set of `{ type, source }`, and what `context` adds. A policy may
 * have the annotations `@id` and `@reason`. If every deciding `forbid` has `@ends("call")`, only the call is
 * refused and the run goes on. A `permit` may also have `@verdict("needs_review")`, which wins over a plain permit, and `@authority`.
 * Arguments without a Cedar value (`null`, a fraction of more than four digits, an integer
 * beyond 2^53) become entities `Json::"<canonical text>"`.
 *
 * A record in the context stays a record. The request is denied if the schema would make Cedar read `{ type, id }`
 * of any member as an entity, or `{ fn, arg }` as a function call.
 *
 * Each `Tool::"…"` must be a tool where you pass the policy, or be among `entities`, such as a group of tools.
 *
 * The reasons are ordered by the policies' `@id`, as text.
 *
 * Throws `definition_invalid` with the engine's message, or with the command that installs the engine. A decision
 * throws `input_unreadable` if the request is not plain JSON data.
 */
export const cedarPolicy = (definition: CedarDefinition): PolicyOfRules<never, never> => {
  checkDefinition('cedar policy', definition.version ?? '', Definition, definition);
  const { policies, schema } = definition;
  const members = [...(definition.context ?? [])];
  const given = frozenCopy(definition.entities ?? [], 'entities') as readonly CedarEntity[];
  const uids = given.flatMap(({ uid, parents = [] }) => [uid, ...parents]);
  const own = new Set(uids.flatMap(({ type, id }) => (type === 'Tool' ? [id] : [])));
  const types = new Set(['Tool', ...uids.map(({ type }) => type)]);
  const cedar = loadCedar();
  const { name, schemaName, annotations, tools: named } = readPolicySet(cedar, policies, schema, types);
  const entities = readEntities(cedar, given, schema);
  const shared = {
    action,
    preparsedPolicySetId: name,
    ...(schemaName !== null && { preparsedSchemaName: schemaName, validateRequest: true }),
  };
  return Object.freeze({
    ruleNames: namesOf(named, own),
    version: definition.version ?? digest({ policies, schema: schema ?? null, entities: given }),
    decide: (asked: PolicyRequest): PolicyDecision => {
      // Ill-formed Unicode breaks the engine for good: refuse it before.
      const request = frozenCopy(asked, 'policy request') as PolicyRequest;
      const [agent, tool] = [agentOf(request), toolOf(request)];
      const context = contextOf(request, members);
      const posing = schema === undefined ? undefined : readAsReference(cedar, schema, context);
      if (posing !== undefined) return { verdict: 'deny', reasons: [posesAsReference(posing)] };
      const answer = cedar.statefulIsAuthorized({
        ...shared,
        principal: agent.uid,
        resource: tool.uid,
        context,
        entities: entities([agent, tool]),
      });
      return decisionOf(answer, request.action, annotations);
    },
  });
};
