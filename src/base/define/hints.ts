import * as z from 'zod';
import { RiskTier } from '../../../schema/index.ts';

/**
 * A server's hints about its tool (MCP `ToolAnnotations`). They are untrusted: they can raise the tier and never
 * lower it. The schema is closed, so that a misspelt hint is found.
 */
export const ToolHints = z.strictObject({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});
export type ToolHints = Readonly<z.infer<typeof ToolHints>>;

/** Returns the lowest tier that hints permit. A tool that writes is not read-only; a destructive one is high-risk. */
const leastTier = ({ readOnlyHint, destructiveHint }: ToolHints): RiskTier => {
  if (destructiveHint === true) return 'write_high_risk';
  return readOnlyHint === false ? 'write_low_risk' : 'read_only';
};

const rank = (tier: RiskTier): number => RiskTier.options.indexOf(tier);

/**
 * Returns the higher of the declared tier and the one that hints require; hints never lower it (UAICP 5.3).
 *
 * | hint | lowest tier |
 * |---|---|
 * | `destructiveHint: true` | `write_high_risk`, regardless of `readOnlyHint` |
 * | `readOnlyHint: false` | `write_low_risk` |
 * | any other, or none | the declared tier: idempotence and the open world do not change it |
 */
export const raisedTier = (declared: RiskTier, hints: ToolHints): RiskTier => {
  const least = leastTier(hints);
  return rank(least) > rank(declared) ? least : declared;
};
