import type { AuthorizationAnswer, DetailedError } from '@cedar-policy/cedar-wasm/nodejs';
import { oneLine } from '../../../base/text/foreign-text.ts';
import type { PolicyDecision } from '../../../base/ports/policy.ts';
import type { Annotations } from './policy-set.ts';

/** Returns an error of the engine on one line, without the arguments that it quotes. */
const shown = ({ message }: Pick<DetailedError, 'message'>): string =>
  oneLine(
    message
      .replace(/`\{.*/su, '…')
      .slice(0, 300)
      .replaceAll(/\s+/gu, ' ')
      .replaceAll(/\p{Surrogate}/gu, '\ufffd'),
  );

const deny = (...reasons: readonly string[]): PolicyDecision => ({ verdict: 'deny', reasons });

/** Converts an answer of the engine. Any error denies, because a `forbid` may have failed. */
export const decisionOf = (
  answer: AuthorizationAnswer,
  tool: string,
  annotations: ReadonlyMap<string, Annotations>,
): PolicyDecision => {
  if (answer.type === 'failure')
    return deny(...answer.errors.map((error) => `Cedar rejected the request: ${shown(error)}`));
  const { decision, diagnostics } = answer.response;
  const reasonsOf = (ids: readonly string[]) =>
    ids.map((id) => annotations.get(id)?.reason ?? `decided by ${id}`);
  const determining = diagnostics.reason.toSorted();
  const faults = diagnostics.errors.map(({ policyId, error }) => `${policyId} failed: ${shown(error)}`);
  if (faults.length > 0) return deny(...(decision === 'deny' ? reasonsOf(determining) : []), ...faults);
  if (determining.length === 0) return deny(`no policy permits ${tool}`);
  if (decision !== 'allow') {
    const endsCall = determining.every((id) => annotations.get(id)?.ends === 'call');
    return { ...deny(...reasonsOf(determining)), ...(endsCall && { ends: 'call' }) };
  }
  const reviewed = determining.filter((id) => annotations.get(id)?.verdict === 'needs_review');
  if (reviewed.length > 0) return { verdict: 'needs_review', reasons: reasonsOf(reviewed) };
  const [authority] = determining.flatMap((id) => annotations.get(id)?.authority ?? []).toSorted();
  return { verdict: 'allow', reasons: reasonsOf(determining), ...(authority !== undefined && { authority }) };
};
