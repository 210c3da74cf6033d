import * as z from 'zod';
import { EvidenceType, Identifier, RiskTier } from '../../schema/index.ts';
import type { StandardSchema } from '../ports/schema.ts';
import type { CallContext, Doubt, Found, LookupContext, Rollback, Tool } from '../ports/tool.ts';
import { Callable, checkDefinition, Duration, refuseDefinition, Schema } from './definition.ts';
import { DoubtName, hasMatchingLookup, lookupIssue } from './doubt.ts';
import { lackingRollback, RollbackDefinition, rollbackOf } from './rollback.ts';
import { raisedTier, ToolHints } from './hints.ts';

/** An approval comes from an approver, never from a tool. */
const ToolEvidence = EvidenceType.exclude(['approval_token']);

const Definition = z
  .strictObject({
    name: Identifier,
    version: Identifier.optional(),
    description: z.string(),
    tier: RiskTier.optional(),
    hints: ToolHints.optional(),
    input: Schema,
    evidenceType: ToolEvidence.optional(),
    deadline: Duration.optional(),
    call: Callable,
    rollback: RollbackDefinition.optional(),
    doubt: DoubtName.optional(),
    lookup: Callable.optional(),
  })
  .refine(hasMatchingLookup, lookupIssue);

/** A tool as its author writes it. */
export interface ToolDefinition<Arguments> {
  readonly name: string;
  /** Part of the action that an approval covers: a new version needs a new approval. */
  readonly version?: string;
  readonly description: string;
  /** `write_high_risk` by default. */
  readonly tier?: RiskTier;
  /** The hints of the tool's server; they raise the tier and never lower it. */
  readonly hints?: ToolHints;
  readonly input: StandardSchema<Arguments>;
  readonly evidenceType?: z.infer<typeof ToolEvidence>;
  /** Milliseconds until a call times out. */
  readonly deadline?: number;
  readonly call: (input: Arguments, context: CallContext) => Promise<unknown>;
  /** The inverse of a call. Required if the tool is `write_high_risk` (UAICP 5.3). */
  readonly rollback?: Rollback<Arguments>;
  /**
   * What to do with a call of unknown outcome. By default a read is `idempotent`, because it changes nothing, and
   * any other tool is `unsafe`.
   */
  readonly doubt?: Doubt;
  /** Looks up the call of this key in the outside system; required if `doubt` is `reconcilable`. */
  readonly lookup?: (key: string, context: LookupContext) => Promise<Found>;
}

/** Returns the tier of a tool: declared, or raised by its hints. */
export const tierOf = ({
  tier = 'write_high_risk',
  hints = {},
}: Pick<ToolDefinition<never>, 'tier' | 'hints'>) => raisedTier(tier, hints);

/**
 * Defines a tool with its risk tier (UAICP 2, 5.3).
 *
 * Throws `definition_invalid`, also for a `write_high_risk` tool without a rollback.
 */
export const defineTool = <Arguments>(definition: ToolDefinition<Arguments>): Tool => {
  checkDefinition('tool', definition.name, Definition, definition);
  const { name, version = '1', tier, evidenceType = 'tool_result', hints, rollback } = definition;
  const raised = tierOf(definition);
  const lacking = lackingRollback({ tier, hints, raised, rollback });
  if (lacking !== null) refuseDefinition('tool', name, [lacking]);
  return Object.freeze({
    name,
    version,
    description: definition.description,
    tier: raised,
    input: definition.input,
    evidenceType,
    deadline: definition.deadline ?? null,
    // the orchestrator passes only input that the `input` schema has parsed
    call: (input: unknown, context: CallContext) => definition.call(input as Arguments, context),
    rollback: rollbackOf(rollback),
    doubt: definition.doubt ?? (raised === 'read_only' ? 'idempotent' : 'unsafe'),
    lookup: definition.lookup ?? null,
  });
};
