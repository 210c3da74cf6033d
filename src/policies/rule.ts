import * as z from 'zod';
import { ControlClass, RiskTier } from '../../schema/index.ts';
import { Callable } from '../define/definition.ts';
import { attestationTiers } from '../ports/policy.ts';
import type { AttestationTier, PolicyDecision, PolicyRequest } from '../ports/policy.ts';

/** One line of a table: which writes it speaks of, all that is named together, and what it says of them. */
export interface PolicyRule {
  /** Names of tools, in full. */
  readonly tools?: readonly string[];
  readonly tiers?: readonly RiskTier[];
  readonly taskClasses?: readonly string[];
  /** A high-risk write of an autonomous agent is allowed by no rule that does not name `autonomous` here. */
  readonly controlClasses?: readonly ControlClass[];
  /** The least that is wanted; a `deny` has none, since it would deny the agents that are known best. */
  readonly attestation?: AttestationTier;
  /** Values of `agent_id`. */
  readonly agents?: readonly string[];
  /** Values of `owner_id`. */
  readonly owners?: readonly string[];
  /** Asked last; one that throws, or returns anything but a boolean, denies. */
  readonly when?: (request: PolicyRequest) => boolean;
  readonly verdict: PolicyDecision['verdict'];
  readonly reason: string;
  /** A system whose own authority stands behind what this rule allows (UAICP 5.3); of several, the first by name. */
  readonly authority?: string;
}

const Text = z.string().min(1);
const listOf = <Entry extends z.ZodType>(entry: Entry) => z.array(entry).min(1).optional();

const Shape = z.strictObject({
  tools: listOf(Text),
  tiers: listOf(RiskTier),
  taskClasses: listOf(Text),
  controlClasses: listOf(ControlClass),
  attestation: z.enum(attestationTiers).optional(),
  agents: listOf(Text),
  owners: listOf(Text),
  when: Callable.optional(),
  verdict: z.enum(['allow', 'needs_review', 'deny']),
  reason: Text,
  authority: Text.optional(),
});
type Shape = z.infer<typeof Shape>;

/** Whether a rule leaves any write out: one that wants an attestation of `none` does not. */
const isSelective = ({ verdict: _verdict, reason: _reason, authority: _authority, ...criteria }: Shape) =>
  Object.entries(criteria).some(([key, value]) => value !== (key === 'attestation' ? 'none' : undefined));

/** What a rule may say. */
export const Rule = Shape.refine(
  (rule) => rule.verdict === 'deny' || isSelective(rule),
  'expected something to match on: only a deny may speak of every write',
)
  .refine(({ verdict, attestation }) => verdict !== 'deny' || attestation === undefined, {
    path: ['attestation'],
    error: 'expected none: a deny says with `when` whom it denies',
  })
  .refine(({ verdict, authority }) => verdict === 'allow' || authority === undefined, {
    path: ['authority'],
    error: 'expected none: nothing is allowed that an authority could stand behind',
  });
