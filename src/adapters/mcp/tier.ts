import type { RiskTier } from '../../../schema/index.ts';
import { raisedTier, type ToolHints } from '../../base/define/hints.ts';

/** Whether you trust a server's description of its tools. */
export interface Trust {
  readonly isTrusted: boolean;
}

/**
 * Returns the tier of a tool without a contract, from its annotations (MCP `ToolAnnotations`, UAICP 5.3).
 *
 * Missing hints have MCP's defaults: the tool writes destructively. Every tool of an untrusted server, and
 * every tool without annotations, is `write_high_risk`.
 */
export const tierOf = (annotations: ToolHints | undefined, { isTrusted }: Trust): RiskTier => {
  if (!isTrusted || annotations === undefined) return 'write_high_risk';
  const { readOnlyHint = false, destructiveHint = !readOnlyHint } = annotations;
  return raisedTier('read_only', { readOnlyHint, destructiveHint });
};

/**
 * Returns whether a result may contain anyone's text: of an untrusted server, or an open world (MCP's
 * default).
 */
export const isUntrusted = (annotations: ToolHints | undefined, { isTrusted }: Trust): boolean =>
  !isTrusted || annotations?.openWorldHint !== false;
