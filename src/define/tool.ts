import * as z from 'zod';
import { EvidenceType, Identifier, RiskTier } from '../../schema/index.ts';
import type { StandardSchema } from '../ports/schema.ts';
import type { CallContext, Doubt, Found, LookupContext, Rollback, Tool } from '../ports/tool.ts';
import { Callable, checkDefinition, Duration, Schema } from './definition.ts';
import { DoubtName, hasItsLookup, wantsLookup } from './doubt.ts';
import { RollbackDefinition, rollbackOf } from './rollback.ts';
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
  /** Left out, it is `write_high_risk`: closed by default. */
  readonly tier?: RiskTier;
  /** What the server of the tool says of it; raises the tier, and never lowers it. */
  readonly hints?: ToolHints;
  readonly input: StandardSchema<Arguments>;
  readonly evidenceType?: z.infer<typeof ToolEvidence>;
  /** Milliseconds after which an answer no longer counts. */
  readonly deadline?: number;
  readonly call: (input: Arguments, context: CallContext) => Promise<unknown>;
  /** A high-risk write is not called without one (UAICP 5.3). */
  readonly rollback?: Rollback<Arguments>;
  /**
   * What it means that a call began and its outcome is not known. Left out, a read is `idempotent`, for it changes
   * nothing, and everything else is `unsafe`.
   */
  readonly doubt?: Doubt;
  /** Asks the world what became of the call of this key; wanted of what is `reconcilable`. */
  readonly lookup?: (key: string, context: LookupContext) => Promise<Found>;
}

/** A tool with its risk tier declared, ready for an orchestrator (UAICP 2, 5.3). Throws `definition_invalid`. */
export const defineTool = <Arguments>(definition: ToolDefinition<Arguments>): Tool => {
  checkDefinition('tool', definition.name, Definition, definition);
  const { name, version = '1', tier = 'write_high_risk', evidenceType = 'tool_result' } = definition;
  const raised = raisedTier(tier, definition.hints ?? {});
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
    rollback: rollbackOf(definition.rollback),
    doubt: definition.doubt ?? (raised === 'read_only' ? 'idempotent' : 'unsafe'),
    lookup: definition.lookup ?? null,
  });
};
