import * as z from 'zod';
import { withoutUndefined } from '../../../machines/without-undefined.ts';
import { digest } from '../../base/canonical/digest.ts';
import { checkDefinition } from '../../base/define/definition.ts';
import { causeOf } from '../../base/errors.ts';
import { attestationTiers } from '../../base/ports/policy.ts';
import type {
  AttestationTier,
  PolicyDecision,
  PolicyOfRules,
  PolicyRequest,
} from '../../base/ports/policy.ts';
import { Rule, type PolicyRule } from './rule.ts';

/** Rules in any order, as you write them. */
export interface PolicyTable<Name extends string = string, Id extends string = string> {
  /** By default the digest of the rules; a `when` is included by its source text. */
  readonly version?: string;
  readonly rules: readonly PolicyRule<Name, Id>[];
}

const Table = z.strictObject({ version: z.string().min(1).optional(), rules: z.array(Rule) });

type Verdict = PolicyDecision['verdict'];
interface Finding {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly authority?: string | undefined;
  readonly ends?: 'call' | undefined;
}

const rank = (tier: AttestationTier): number => attestationTiers.indexOf(tier);

const matcherOf = <Entry>(entries: readonly Entry[] | undefined): ((entry: Entry) => boolean) => {
  const named = entries && new Set(entries);
  return (entry) => named?.has(entry) ?? true;
};

const isUnattended = ({ tier, identity }: PolicyRequest): boolean =>
  tier === 'write_high_risk' && identity.control_class === 'autonomous';

/** Evaluates a rule's `when`. Throws if it returns no boolean: a promise would otherwise count as `true`. */
const holds = (when: NonNullable<PolicyRule['when']>, request: PolicyRequest): boolean => {
  const answer: unknown = when(request);
  if (typeof answer !== 'boolean') throw new TypeError('`when` returned no boolean');
  return answer;
};

/** Returns a function that applies one rule to a request; `null` if the rule does not match. */
const evaluatorOf = (rule: PolicyRule): ((request: PolicyRequest) => Finding | null) => {
  const { attestation = 'none', controlClasses, when, verdict, reason, authority, ends } = rule;
  const isTool = matcherOf(rule.tools);
  const isTier = matcherOf(rule.tiers);
  const isTaskClass = matcherOf(rule.taskClasses);
  const isControlClass = matcherOf(controlClasses);
  const isAgent = matcherOf(rule.agents);
  const isOwner = matcherOf(rule.owners);
  const allowsUnattended = verdict !== 'allow' || controlClasses?.includes('autonomous') === true;
  const matches = (request: PolicyRequest): boolean =>
    isTool(request.action) &&
    isTier(request.tier) &&
    isTaskClass(request.taskClass) &&
    isControlClass(request.identity.control_class) &&
    isAgent(request.identity.agent_id) &&
    isOwner(request.identity.owner_id) &&
    rank(request.attestation) >= rank(attestation) &&
    (allowsUnattended || !isUnattended(request));
  return (request) => {
    try {
      if (!matches(request) || (when !== undefined && !holds(when, request))) return null;
      return { verdict, reason, authority, ends };
    } catch (error) {
      return { verdict: 'deny', reason: `the condition of "${reason}" failed: ${causeOf(error)}` };
    }
  };
};

/** Returns a rule as its digest covers it. */
const digestedRule = (rule: PolicyRule): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(withoutUndefined(rule)).map(([key, value]) => [
      key,
      key === 'when' ? String(value) : value,
    ]),
  );

const precedence = ['deny', 'needs_review', 'allow'] as const satisfies readonly Verdict[];

const denyUnmatched = (request: PolicyRequest): PolicyDecision => {
  const hint = isUnattended(request) ? ', or none names autonomous agents for a high-risk write' : '';
  return { verdict: 'deny', reasons: [`no rule matches ${request.action}${hint}`] };
};

/** Names that the compiler knows; none if they are known at run time only. */
type Literal<Name extends string> = string extends Name ? never : Name;

/**
 * Creates a policy from rules in plain data. A matching `deny` wins, then a `needs_review`, then an `allow`; no
 * match denies. Every tool and task class that a rule names must exist where you pass the policy.
 *
 * Throws `definition_invalid`.
 */
export const tablePolicy = <const Name extends string, const Id extends string>(
  table: PolicyTable<Name, Id>,
): PolicyOfRules<Literal<Name>, Literal<Id>> => policyOf(table) as PolicyOfRules<Literal<Name>, Literal<Id>>; // those of the table, as far as the compiler knows them

const policyOf = (table: PolicyTable): PolicyOfRules => {
  checkDefinition('table policy', table.version ?? '', Table, table);
  const finders = table.rules.map(evaluatorOf);
  return Object.freeze({
    version: table.version ?? digest(table.rules.map(digestedRule)),
    ruleNames: table.rules.map(({ reason, tools = [], taskClasses = [] }) => ({
      rule: JSON.stringify(reason),
      tools: [...tools],
      taskClasses: [...taskClasses],
    })),
    decide: (request: PolicyRequest): PolicyDecision => {
      const findings = finders.flatMap((find) => find(request) ?? []);
      const verdict = precedence.find((verdict) => findings.some((finding) => finding.verdict === verdict));
      if (verdict === undefined) return denyUnmatched(request);
      const deciding = findings.filter((finding) => finding.verdict === verdict);
      const [authority] = deciding.flatMap(({ authority }) => authority ?? []).toSorted();
      const reasons = [...new Set(deciding.map(({ reason }) => reason))];
      const endsCall = verdict === 'deny' && deciding.every(({ ends }) => ends === 'call');
      return {
        verdict,
        reasons,
        ...(authority !== undefined && { authority }),
        ...(endsCall && { ends: 'call' }),
      };
    },
  });
};
