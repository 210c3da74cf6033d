import type { RiskTier } from '../../../schema/index.ts';
import { raisedTier, type ToolHints } from '../../define/hints.ts';

/** Whether the host takes a server's word for its own tools. */
export interface Trust {
  readonly isTrusted: boolean;
}

/**
 * The tier of a tool that its host has not declared, from what its server says of it (MCP `ToolAnnotations`, UAICP 5.3).
 *
 * What is left out stands as MCP has it: a tool writes, and destroys. Of a server that is not trusted, and of a tool
 * without annotations, every tool is `write_high_risk`.
 */
export const tierOf = (annotations: ToolHints | undefined, { isTrusted }: Trust): RiskTier => {
  if (!isTrusted || annotations === undefined) return 'write_high_risk';
  const { readOnlyHint = false, destructiveHint = !readOnlyHint } = annotations;
  return raisedTier('read_only', { readOnlyHint, destructiveHint });
};

/** Whether what a tool brings may be anybody's words: of an untrusted server, or from an open world (MCP's default). */
export const isUntrusted = (annotations: ToolHints | undefined, { isTrusted }: Trust): boolean =>
  !isTrusted || annotations?.openWorldHint !== false;
