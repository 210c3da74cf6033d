import * as z from 'zod';
import { EvidenceType, Identifier, RiskTier } from '../../schema/index.ts';
import type { StandardSchema } from '../ports/schema.ts';
import type { CallContext, Doubt, Found, LookupContext, Rollback, Tool } from '../ports/tool.ts';
import { Callable, checkDefinition, Duration, refuseDefinition, Schema } from './definition.ts';
import { DoubtName, hasItsLookup, wantsLookup } from './doubt.ts';
import { lackingRollback, RollbackDefinition, rollbackOf } from './rollback.ts';
import { raisedTier, ToolHints } from './hints.ts';

/** An approval is whoever approves's own: no tool finds one. */
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
  .refine(hasItsLookup, wantsLookup);

/** A tool as its author writes it. */
export interface ToolDefinition<Arguments> {
  readonly name: string;
  /** Part of the action that an approval covers: a new version is a new action. */
  readonly version?: string;
  readonly description: string;
  /** `write_high_risk` by default. */
  readonly tier?: RiskTier;
  /** What the server of the tool says of it; raises the tier, and never lowers it. */
  readonly hints?: ToolHints;
  readonly input: StandardSchema<Arguments>;
  readonly evidenceType?: z.infer<typeof ToolEvidence>;
  /** Milliseconds after which an answer no longer counts. */
  readonly deadline?: number;
  readonly call: (input: Arguments, context: CallContext) => Promise<unknown>;
  /** How a call is inverted. Required if the tool is `write_high_risk` (UAICP 5.3). */
  readonly rollback?: Rollback<Arguments>;
  /**
   * What it means that a call began and its outcome is not known. Left out, a read is `idempotent`, for it changes
   * nothing, and everything else is `unsafe`.
   */
  readonly doubt?: Doubt;
  /** Asks the world what became of the call of this key; wanted of what is `reconcilable`. */
  readonly lookup?: (key: string, context: LookupContext) => Promise<Found>;
}

/** The tier of a tool: as declared, or raised by its hints. */
export const tierOf = ({
  tier = 'write_high_risk',
  hints = {},
}: Pick<ToolDefinition<never>, 'tier' | 'hints'>) => raisedTier(tier, hints);

/**
 * A tool with its risk tier declared, ready for an orchestrator (UAICP 2, 5.3).
 *
 * Throws `definition_invalid`, also for a tool that is `write_high_risk` and declares no rollback.
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
    // an orchestrator calls a tool with nothing but what `input` has read
    call: (input: unknown, context: CallContext) => definition.call(input as Arguments, context),
    rollback: rollbackOf(rollback),
    doubt: definition.doubt ?? (raised === 'read_only' ? 'idempotent' : 'unsafe'),
    lookup: definition.lookup ?? null,
  });
};
