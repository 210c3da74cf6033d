import * as z from 'zod';
import { isObject } from '../../base/boundary/is-object.ts';
import { Callable, refuseDefinition } from '../../base/define/definition.ts';
import { Decision } from '../../base/define/policy-decision.ts';
import { causeOf } from '../../base/errors.ts';
import type { Policy, PolicyDecision, PolicyOfRules } from '../../base/ports/policy.ts';

/** The authority that a shadow policy names for a high-risk write. Only a task class with `system` in its `authorities` accepts it. */
const authority = 'agentcharter:shadow';

const verdicts = ['allow', 'needs_review', 'deny'] as const satisfies readonly PolicyDecision['verdict'][];

/** What a policy would have said of a write, and why. */
export interface Shadowed {
  readonly verdict: PolicyDecision['verdict'];
  readonly rule: string;
}

const recorded = new RegExp(`^shadow (${verdicts.join('|')}): (.*)$`, 's');

/** Returns what a reason says that a policy would have said; `null` for a reason of a policy in force. */
export const shadowedIn = (reason: string): Shadowed | null => {
  const [, verdict, rule = ''] = recorded.exec(reason) ?? [];
  const read = z.enum(verdicts).safeParse(verdict).data;
  return read === undefined ? null : { verdict: read, rule };
};

/**
 * Creates a policy that stops nothing, to try rules before they are in force. It asks the given policy about each write,
 * and allows it. Each reason names the verdict and the reason of the given policy, such as `shadow deny: above 1000.00`,
 * and is in the ledger's record `policy.decided`. If the given policy throws, or decides nothing valid, that is a `deny`.
 *
 * A high-risk write is approved in the name of `agentcharter:shadow` only if its task class has `system` in its
 * `authorities`. Otherwise a person still approves it. What is not the policy's still stops a call: schemas, limits,
 * quotas, flows of origins, and the policy's deadline.
 *
 * Throws `definition_invalid`.
 */
export const shadowPolicy = <const Given extends Policy>(
  policy: Given,
): Pick<Given, keyof Given & keyof PolicyOfRules> => {
  if (!isObject(policy) || !Callable.safeParse(policy['decide']).success)
    refuseDefinition('shadow policy', null, [
      { path: '', message: 'must be an object `{ decide }`, or what `tablePolicy` returned' },
    ]);
  const decide: Policy['decide'] = async (request, options) => {
    const { verdict, reasons } = await decisionOf(() => policy.decide(request, options));
    const rules = reasons.length === 0 ? ['no reason'] : reasons;
    const allowed = {
      verdict: 'allow',
      reasons: rules.map((rule) => `shadow ${verdict}: ${rule}`),
    } as const;
    return request.tier === 'write_high_risk' ? { ...allowed, authority } : allowed;
  };
  // a signed approval under the rules in force does not count in their shadow, nor the other way round
  const version = policy.version === undefined ? {} : { version: `shadow ${policy.version}` };
  const shadowed: Policy = { ...policy, ...version, decide };
  return Object.freeze(shadowed) as typeof policy; // its members, of which two are replaced by their like
};

const decisionOf = async (ask: () => unknown): Promise<Decision> => {
  try {
    return Decision.parse(await ask());
  } catch (error) {
    return { verdict: 'deny', reasons: [`the policy failed: ${causeOf(error)}`] };
  }
};
