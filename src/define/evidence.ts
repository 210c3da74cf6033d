import * as z from 'zod';
import type { EvidenceClause, EvidenceRequirement, Requirements } from '../../machines/index.ts';
import { EvidenceType, Identifier } from '../../schema/index.ts';
import { digest } from '../canonical/digest.ts';
import type { StandardSchema } from '../ports/schema.ts';
import { jsonSchemaOf } from './json-schema-of.ts';
import { Schema } from './definition.ts';

/** A JSON Pointer (RFC 6901). */
const Pointer = z.string().regex(/^(?:\/(?:[^~/]|~[01])*)*$/, 'expected a JSON Pointer such as /order/id');

/** Where evidence must say the same as the request, or as the arguments of the write; each a JSON Pointer (RFC 6901). */
export type SameSubject =
  | { readonly evidence: string; readonly request: string }
  | { readonly evidence: string; readonly action: string };

/** One kind of evidence that counts for a requirement (UAICP 5.1). */
export interface EvidenceClauseDefinition {
  readonly type: EvidenceClause['type'];
  /** The tool that must have produced it; any tool by default. */
  readonly tool?: string;
  /** A schema that the payload must fit. */
  readonly where?: StandardSchema;
  /** Binds the evidence to the request, or to each write that rests on it. */
  readonly about?: SameSubject;
  /** An empty payload (`null`, '', [] or {}) counts; by default it does not. */
  readonly allowEmpty?: boolean;
  /** A person's word that a write happened counts; by default it does not. */
  readonly byPerson?: boolean;
}

/** Evidence that a gate asks for: one clause, or any of several. */
export type EvidenceRequirementDefinition =
  EvidenceClauseDefinition | { readonly anyOf: readonly EvidenceClauseDefinition[] };

/** What must stand before a gate opens. */
export interface RequirementsDefinition {
  readonly evidence?: readonly EvidenceRequirementDefinition[];
  readonly verifiers?: readonly string[];
}

const Clause = z.strictObject({
  type: EvidenceType.exclude(['approval_token']),
  tool: Identifier.optional(),
  where: Schema.optional(),
  about: z
    .union([
      z.strictObject({ evidence: Pointer, request: Pointer }),
      z.strictObject({ evidence: Pointer, action: Pointer }),
    ])
    .optional(),
  allowEmpty: z.boolean().optional(),
  byPerson: z.boolean().optional(),
});

/** The schema of a task class's requirements. */
export const RequirementsSchema = z.strictObject({
  evidence: z.array(z.union([z.strictObject({ anyOf: z.array(Clause).min(1) }), Clause])).optional(),
  verifiers: z.array(Identifier).optional(),
});

/** What is checked of evidence when it is collected, under the name that the contract knows it by. */
export interface EvidenceCheck extends Pick<EvidenceClauseDefinition, 'type' | 'tool' | 'where' | 'about'> {
  readonly name: string;
}

const shapeOf = (schema: StandardSchema | undefined): unknown => {
  if (schema === undefined) return null;
  try {
    return jsonSchemaOf(schema);
  } catch {
    return 'a schema that cannot be printed';
  }
};

/** Names a check by what it asks for, so that another version of the task class asks for the same under the same name. */
const nameOf = ({ type, tool, where, about }: EvidenceClauseDefinition): string =>
  digest({ type, tool: tool ?? null, where: shapeOf(where), about: about ?? null }).slice(0, 23);

const isChecked = ({ where, about }: EvidenceClauseDefinition): boolean =>
  where !== undefined || about !== undefined;

const clauseOf = (clause: EvidenceClauseDefinition): EvidenceClause => {
  const { type, tool, about, allowEmpty, byPerson } = clause;
  return {
    type,
    ...(tool !== undefined && { tool }),
    ...(allowEmpty === true && { allowEmpty }),
    ...(byPerson === true && { byPerson }),
    ...(isChecked(clause) && { check: nameOf(clause) }),
    ...(about !== undefined && 'action' in about && { ofAction: true as const }),
  };
};

const clausesIn = (requirement: EvidenceRequirementDefinition): readonly EvidenceClauseDefinition[] =>
  'anyOf' in requirement ? requirement.anyOf : [requirement];

const requirementOf = (requirement: EvidenceRequirementDefinition): EvidenceRequirement =>
  'anyOf' in requirement ? { anyOf: requirement.anyOf.map(clauseOf) } : clauseOf(requirement);

/** The requirements as the contract holds them: data alone. */
export const requirementsOf = ({
  evidence = [],
  verifiers = [],
}: RequirementsDefinition = {}): Requirements => ({ evidence: evidence.map(requirementOf), verifiers });

/** The checks that the requirements of a task class make, each once. */
export const checksOf = (
  ...requirements: readonly (RequirementsDefinition | undefined)[]
): readonly EvidenceCheck[] => {
  const clauses = requirements.flatMap((one) => (one?.evidence ?? []).flatMap(clausesIn)).filter(isChecked);
  return [
    ...new Map(clauses.map((clause) => [nameOf(clause), { name: nameOf(clause), ...clause }])).values(),
  ];
};
