import * as z from 'zod';
import { digest } from '../canonical/digest.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { checkDefinition } from '../define/definition.ts';
import type { Policy, PolicyDecision, PolicyRequest } from '../ports/policy.ts';
import { decisionOf } from './cedar/decision.ts';
import { loadCedar } from './cedar/engine.ts';
import { Entity, readEntities, type CedarEntity } from './cedar/entities.ts';
import { readPolicySet } from './cedar/policy-set.ts';
import { isReadAsReference } from './cedar/lookalike.ts';
import { action, agentOf, contextOf, toolOf } from './cedar/request.ts';

export type { CedarEntity } from './cedar/entities.ts';

const readAsReference =
  'an argument of the form { type, id } or { fn, arg } stands where the schema expects an entity or a function: expected a text or a number, for a record of an agent is never read as one';

/** Policies in Cedar's language, as their author writes them. */
export interface CedarDefinition {
  readonly policies: string;
  /** In Cedar's own notation; policies and requests that do not fit it are refused. */
  readonly schema?: string;
  /** Teams of agents, groups of tools and the like; static. */
  readonly entities?: readonly CedarEntity[];
  /** Left out, it is the digest of policies, schema and entities. */
  readonly version?: string;
}

const Definition = z.strictObject({
  policies: z.string(),
  schema: z.string().optional(),
  entities: z.array(Entity).optional(),
  version: z.string().min(1).optional(),
});

/**
 * A policy in Cedar's language, decided by the peer `@cedar-policy/cedar-wasm`: `forbid` wins, no `permit` denies.
 *
 * A request is `Agent::"<agent_id>"` (`owner`, `controlClass`, `attestation`, `user` where there is one) that does
 * `Action::"call"` to `Tool::"<name>"` (`version`, `tier`); the context holds `arguments`, `taskClass`, whether a
 * `rollback` is declared, and `evidence` as a set of `{ type, source }`. A policy may say `@id`, `@reason`, and, where it
 * permits, `@verdict("needs_review")`, which wins over a plain permit, and `@authority`. Arguments that Cedar has no value
 * for (`null`, a fraction of more than four digits, an integer beyond 2^53) are entities `Json::"<canonical text>"`.
 *
 * A record of the arguments stays a record: where a schema would have `{ type, id }` read as an entity, or `{ fn, arg }` as
 * the call of a function, the request is denied.
 *
 * Its reasons come in the order of the policies' `@id`, as text.
 *
 * Throws `definition_invalid` in the engine's words, or with the line that installs it; a decision throws
 * `input_unreadable` for a request that is not plain JSON data.
 */
export const cedarPolicy = (definition: CedarDefinition): Policy => {
  checkDefinition('cedar policy', definition.version ?? '', Definition, definition);
  const { policies, schema } = definition;
  const given = frozenCopy(definition.entities ?? [], 'entities') as readonly CedarEntity[];
  const cedar = loadCedar();
  const { name, schemaName, annotations } = readPolicySet(cedar, policies, schema);
  const entities = readEntities(cedar, given, schema);
  const shared = {
    action,
    preparsedPolicySetId: name,
    ...(schemaName !== null && { preparsedSchemaName: schemaName, validateRequest: true }),
  };
  return Object.freeze({
    version: definition.version ?? digest({ policies, schema: schema ?? null, entities: given }),
    decide: (asked: PolicyRequest): PolicyDecision => {
      // Text that is no Unicode breaks the engine, and for good: it never gets there.
      const request = frozenCopy(asked, 'policy request') as PolicyRequest;
      const [agent, tool] = [agentOf(request), toolOf(request)];
      const context = contextOf(request);
      if (schema !== undefined && isReadAsReference(cedar, schema, context))
        return { verdict: 'deny', reasons: [readAsReference] };
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
