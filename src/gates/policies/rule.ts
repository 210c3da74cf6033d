import * as z from 'zod';
import { ControlClass, RiskTier } from '../../../schema/index.ts';
import { Callable } from '../../base/define/definition.ts';
import { attestationTiers } from '../../base/ports/policy.ts';
import type { AttestationTier, PolicyDecision, PolicyRequest } from '../../base/ports/policy.ts';

/** A rule of a policy table: its criteria, all of which must match, and its verdict. */
export interface PolicyRule<Name extends string = string, Id extends string = string> {
  /** Full names of tools. */
  readonly tools?: readonly Name[];
  readonly tiers?: readonly RiskTier[];
  readonly taskClasses?: readonly Id[];
  /** A rule without `autonomous` here never allows a high-risk write of an autonomous agent. */
  readonly controlClasses?: readonly ControlClass[];
  /** The minimum attestation. Not permitted on a `deny`, which would then deny the best-known agents. */
  readonly attestation?: AttestationTier;
  /** Values of `agent_id`. */
  readonly agents?: readonly string[];
  /** Values of `owner_id`. */
  readonly owners?: readonly string[];
  /** Evaluated last; an error or a value that is not a boolean denies. */
  readonly when?: (request: PolicyRequest) => boolean;
  readonly verdict: PolicyDecision['verdict'];
  readonly reason: string;
  /** On a `deny`: `call` refuses only the call, if every matching `deny` says so. By default the run ends. */
  readonly ends?: 'call';
  /** A system that authorizes the writes of this rule (UAICP 5.3); of several, the first by name is used. */
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
  ends: z.literal('call').optional(),
  authority: Text.optional(),
});
type Shape = z.infer<typeof Shape>;

/** Returns whether a rule excludes any write; an attestation of `none` excludes none. */
const isSelective = ({
  verdict: _verdict,
  reason: _reason,
  ends: _ends,
  authority: _authority,
  ...criteria
}: Shape) =>
  Object.entries(criteria).some(([key, value]) => value !== (key === 'attestation' ? 'none' : undefined));

/** The schema of a rule. */
export const Rule = Shape.refine(
  (rule) => rule.verdict === 'deny' || isSelective(rule),
  'expected a criterion: only a deny may match every write',
)
  .refine(({ verdict, attestation }) => verdict !== 'deny' || attestation === undefined, {
    path: ['attestation'],
    error: 'expected none: a deny selects agents with `when`',
  })
  .refine(({ verdict, ends }) => verdict === 'deny' || ends === undefined, {
    path: ['ends'],
    error: 'expected none: only a deny ends a call or a run',
  })
  .refine(({ verdict, authority }) => verdict === 'allow' || authority === undefined, {
    path: ['authority'],
    error: 'expected none: only an allow names an authority',
  });
