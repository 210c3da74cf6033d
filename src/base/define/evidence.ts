import * as z from 'zod';
import { lazily } from '../boundary/lazily.ts';
import type { EvidenceClause, EvidenceRequirement, Requirements } from '../../../machines/index.ts';
import { withoutUndefined } from '../../../machines/without-undefined.ts';
import { EvidenceType, Identifier, JsonPointer } from '../../../schema/index.ts';
import { digest } from '../canonical/digest.ts';
import type { StandardSchema } from '../ports/schema.ts';
import { jsonSchemaOf } from './json-schema-of.ts';
import { Schema } from './definition.ts';

/**
 * Two JSON Pointers (RFC 6901) whose values must be equal: one into the evidence, one into the request or the
 * arguments of the write.
 */
export type SameSubject =
  | { readonly evidence: string; readonly request: string }
  | { readonly evidence: string; readonly action: string };

/** One kind of evidence that meets a requirement (UAICP 5.1). */
export interface EvidenceClauseDefinition<ToolName extends string = string> {
  readonly type: EvidenceClause['type'];
  /** The tool that must have produced the evidence; any tool by default. */
  readonly tool?: ToolName;
  /** A schema that the payload must fit. */
  readonly where?: StandardSchema;
  /** Ties the evidence to the request, or to each write that relies on it. */
  readonly about?: SameSubject;
  /** Accepts an empty payload (`null`, '', [] or {}); `false` by default. */
  readonly allowEmpty?: boolean;
  /** Accepts a person's statement that a write happened; `false` by default. */
  readonly byPerson?: boolean;
}

/** Evidence that a gate requires: one clause, or any of several. */
export type EvidenceRequirementDefinition<ToolName extends string = string> =
  EvidenceClauseDefinition<ToolName> | { readonly anyOf: readonly EvidenceClauseDefinition<ToolName>[] };

/** The requirements of a gate. */
export interface RequirementsDefinition<ToolName extends string = string> {
  readonly evidence?: readonly EvidenceRequirementDefinition<ToolName>[];
  readonly verifiers?: readonly string[];
}

const clauseSchema = lazily(() =>
  z.strictObject({
    type: EvidenceType.exclude(['approval_token']),
    tool: Identifier.optional(),
    where: Schema.optional(),
    about: z
      .union([
        z.strictObject({ evidence: JsonPointer, request: JsonPointer }),
        z.strictObject({ evidence: JsonPointer, action: JsonPointer }),
      ])
      .optional(),
    allowEmpty: z.boolean().optional(),
    byPerson: z.boolean().optional(),
  }),
);

/** The schema of a task class's requirements. */
export const requirementsSchema = lazily(() =>
  z.strictObject({
    evidence: z
      .array(z.union([z.strictObject({ anyOf: z.array(clauseSchema()).min(1) }), clauseSchema()]))
      .optional(),
    verifiers: z.array(Identifier).optional(),
  }),
);

/** A check that runs when evidence is collected, with its name in the contract. */
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

/** Derives a check's name from its content, so that it stays the same in another version of the task class. */
export const nameOf = ({ type, tool, where, about }: EvidenceClauseDefinition): string =>
  digest({ type, tool: tool ?? null, where: shapeOf(where), about: about ?? null }).slice(0, 23);

const isChecked = ({ where, about }: EvidenceClauseDefinition): boolean =>
  where !== undefined || about !== undefined;

const clauseOf = (clause: EvidenceClauseDefinition): EvidenceClause => {
  const { type, tool, about, allowEmpty = false, byPerson = false } = clause;
  return withoutUndefined<EvidenceClause>({
    type,
    tool,
    allowEmpty: allowEmpty || undefined,
    byPerson: byPerson || undefined,
    check: isChecked(clause) ? nameOf(clause) : undefined,
    ofAction: (about !== undefined && 'action' in about) || undefined,
  });
};

const clausesIn = (requirement: EvidenceRequirementDefinition): readonly EvidenceClauseDefinition[] =>
  'anyOf' in requirement ? requirement.anyOf : [requirement];

const requirementOf = (requirement: EvidenceRequirementDefinition): EvidenceRequirement =>
  'anyOf' in requirement ? { anyOf: requirement.anyOf.map(clauseOf) } : clauseOf(requirement);

/** Returns the requirements as plain data, for the contract. */
export const requirementsOf = ({
  evidence = [],
  verifiers = [],
}: RequirementsDefinition = {}): Requirements => ({ evidence: evidence.map(requirementOf), verifiers });

/** Returns the checks of the requirements of a task class, without duplicates. */
export const checksOf = (
  ...requirements: readonly (RequirementsDefinition | undefined)[]
): readonly EvidenceCheck[] => {
  const clauses = requirements.flatMap((one) => (one?.evidence ?? []).flatMap(clausesIn)).filter(isChecked);
  return [
    ...new Map(clauses.map((clause) => [nameOf(clause), { name: nameOf(clause), ...clause }])).values(),
  ];
};
