export { raisedTier } from '../../base/define/hints.ts';
export type { ToolHints } from '../../base/define/hints.ts';
export type { PolicyRule } from './rule.ts';
export { shadowPolicy } from './shadow.ts';
export { tablePolicy } from './table.ts';
export type { PolicyTable } from './table.ts';
export type {
  AttestationTier,
  PolicyDecision,
  PolicyOfRules,
  PolicyRequest,
  RuleNames,
  RulesOf,
} from '../../base/ports/policy.ts';
