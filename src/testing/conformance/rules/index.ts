import type { Rule } from '../rule.ts';
import { auditRules } from './audit.ts';
import { documentRules } from './documents.ts';
import { gateRules } from './gates.ts';
import { runRules } from './runs.ts';
import { streamingRules } from './streaming.ts';
import { writeRules } from './writes.ts';

/** The testable rules of UAICP v0.3, in the order of its sections. */
export const rules: readonly Rule[] = [
  ...runRules,
  ...gateRules,
  ...writeRules,
  ...auditRules,
  ...documentRules,
  ...streamingRules,
].toSorted((one, other) => one.section.localeCompare(other.section));
