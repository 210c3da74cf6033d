import * as z from 'zod';
import { RiskTier } from '../../schema/index.ts';

/** What a server says of its tool beside its schema (MCP `ToolAnnotations`): another's word, which may warn and never vouch. */
export interface ToolHints {
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
}

/** Closed: a misspelt warning would otherwise be left out unseen. */
export const ToolHints = z.strictObject({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});

/** The least tier that hints leave: a tool that says it writes is no reader, and one that says it destroys is of high risk. */
const leastTier = ({ readOnlyHint, destructiveHint }: ToolHints): RiskTier => {
  if (destructiveHint === true) return 'write_high_risk';
  return readOnlyHint === false ? 'write_low_risk' : 'read_only';
};

const rank = (tier: RiskTier): number => RiskTier.options.indexOf(tier);

/**
 * The higher of a declared tier and the one that hints leave; a hint never lowers (UAICP 5.3).
 *
 * | hint | leaves at least |
 * |---|---|
 * | `destructiveHint: true` | `write_high_risk`, whatever `readOnlyHint` says |
 * | `readOnlyHint: false` | `write_low_risk` |
 * | any other, or none | what was declared: whether a call may be repeated, or reaches the open world, is no tier |
 */
export const raisedTier = (declared: RiskTier, hints: ToolHints): RiskTier => {
  const least = leastTier(hints);
  return rank(least) > rank(declared) ? least : declared;
};
