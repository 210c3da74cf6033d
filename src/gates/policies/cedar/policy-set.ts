import * as z from 'zod';
import { digest } from '../../../base/canonical/digest.ts';
import { checkDefinition } from '../../../base/define/definition.ts';
import { refusal, refusalOf, type Cedar } from './engine.ts';

const Text = z.string().min(1);
const Annotated = z.strictObject({ id: Text.optional(), reason: Text.optional() });
const Forbid = z.strictObject({ ...Annotated.shape, ends: z.literal('call').optional() });
const Permit = z.strictObject({
  ...Annotated.shape,
  verdict: z.literal('needs_review').optional(),
  authority: Text.optional(),
});

/** The annotations of a policy. */
export type Annotations = Partial<z.infer<typeof Permit> & z.infer<typeof Forbid>>;

/** A policy set that the engine has parsed and keeps under this name until the process ends. */
export interface PolicySet {
  readonly name: string;
  readonly schemaName: string | null;
  /** By identifier: `@id`, or the policy's position in the text (`policy0`). */
  readonly annotations: ReadonlyMap<string, Annotations>;
  /** The tools that the policies name, by the identifier of the policy. */
  readonly tools: ReadonlyMap<string, readonly string[]>;
}

interface Policy {
  readonly id: string;
  readonly text: string;
  readonly annotations: Annotations;
  readonly tools: readonly string[];
}

/** An entity, or the type of one, as a policy names it. */
interface Named {
  readonly type: string;
  readonly id?: string;
}

/** Returns what a part of a policy names, at any depth, as the engine prints it: `{ type, id }`, `{ entity_type }`. */
const namedIn = (printed: unknown): readonly Named[] => {
  if (typeof printed !== 'object' || printed === null) return [];
  const { type, id, entity_type: of } = printed as Readonly<Record<string, unknown>>; // an object, or an array
  if (typeof type === 'string' && typeof id === 'string') return [{ type, id }];
  return [...(typeof of === 'string' ? [{ type: of }] : []), ...Object.values(printed).flatMap(namedIn)];
};

const readPolicy = (cedar: Cedar, text: string, place: string, types: ReadonlySet<string>): Policy => {
  const answer = cedar.policyToJson(text);
  if (answer.type === 'failure') throw refusalOf('/policies', answer.errors);
  const { effect, annotations = {} } = answer.json;
  // closed: `@verdcit("needs_review")` would otherwise allow
  checkDefinition(
    'cedar policy',
    annotations['id'] ?? place,
    effect === 'permit' ? Permit : Forbid,
    annotations,
  );
  // without a schema the engine takes any: a `forbid` of another resource would never apply
  const other = namedIn(answer.json.resource).find(({ type }) => !types.has(type));
  if (other !== undefined) {
    const message = `has a resource of type ${JSON.stringify(other.type)}: expected one of ${[...types].join(', ')}`;
    throw refusal([{ path: '/policies', message }]);
  }
  const tools = namedIn(answer.json).flatMap(({ type, id }) => (type === 'Tool' ? (id ?? []) : []));
  return { id: annotations['id'] ?? place, text, annotations, tools: [...new Set(tools)] };
};

const readPolicies = (cedar: Cedar, text: string, types: ReadonlySet<string>): readonly Policy[] => {
  const parts = cedar.policySetTextToParts(text);
  if (parts.type === 'failure') throw refusalOf('/policies', parts.errors);
  if (parts.policy_templates.length > 0)
    throw refusal([{ path: '/policies', message: 'has a template: expected policies without slots' }]);
  // the engine names policies by position, and returns them sorted by these names: policy10 before policy2
  const places = parts.policies.map((_, index) => `policy${index}`).toSorted();
  const policies = parts.policies.map((part, index) => readPolicy(cedar, part, places[index] ?? '', types));
  const ids = policies.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  // one of the two would be lost, possibly a `forbid`
  if (twice !== undefined)
    throw refusal([{ path: '/policies', message: `has two policies of the id ${twice}` }]);
  return policies;
};

/**
 * Parses policies with the engine and validates them against a schema. `types` are those that a resource may have.
 * Throws `definition_invalid` with the engine's message.
 */
export const readPolicySet = (
  cedar: Cedar,
  text: string,
  schema: string | undefined,
  types: ReadonlySet<string>,
): PolicySet => {
  const policies = readPolicies(cedar, text, types);
  const staticPolicies = Object.fromEntries(policies.map(({ id, text }) => [id, text]));
  const name = digest({ text });
  const schemaName = schema === undefined ? null : digest({ schema });
  if (schema !== undefined && schemaName !== null) {
    const parsed = cedar.preparseSchema(schemaName, schema);
    if (parsed.type === 'failure') throw refusalOf('/schema', parsed.errors);
    const judged = cedar.validate({ schema, policies: { staticPolicies } });
    if (judged.type === 'failure') throw refusalOf('/policies', judged.errors);
    const errors = judged.validationErrors.map(({ error }) => error);
    if (errors.length > 0) throw refusalOf('/policies', errors);
  }
  const kept = cedar.preparsePolicySet(name, { staticPolicies });
  if (kept.type === 'failure') throw refusalOf('/policies', kept.errors);
  return {
    name,
    schemaName,
    annotations: new Map(policies.map(({ id, annotations }) => [id, annotations])),
    tools: new Map(policies.map(({ id, tools }) => [id, tools])),
  };
};
