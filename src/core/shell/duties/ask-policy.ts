import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { deepFreeze } from '../../../base/canonical/deep-freeze.ts';
import { jsonValue } from '../../../base/canonical/json-value.ts';
import { currentName } from '../../../base/define/formerly.ts';
import { Decision } from '../../../base/define/policy-decision.ts';
import { causeOf } from '../../../base/errors.ts';
import type { CallDocument } from '../../../base/ports/ledger.ts';
import type { AttestationTier } from '../../../base/ports/policy.ts';
import { orchestratorActor } from '../../kernel/statement.ts';
import { identicalWrites } from '../../kernel/words.ts';
import { emitCallbackFailed } from '../events.ts';
import { stated, type Stated } from '../live-task.ts';
import { workOn } from '../tracing.ts';
import { withHostSignal } from '../work-signal.ts';
import { tooManyAttempts } from './attempts.ts';
import type { Work } from './performer.ts';

/** A policy that gives no decision: the run ends. */
export interface Undecided {
  readonly fails: 'GUARD_ERROR' | 'POLICY_ERROR' | 'POLICY_UNAVAILABLE';
  readonly explanation: string | null;
}

/** States that the run ends without a decision. */
export const runFailed = ({ fails: code, explanation }: Undecided): Stated =>
  stated(
    { type: 'run.failed', code },
    { actor: orchestratorActor, ...(explanation !== null && { brought: { explanation } }) },
  );

const decisionOn = async (
  { task, environment, signal }: Work,
  call: CallDocument,
  attestation: AttestationTier,
): Promise<Decision> => {
  const { policy, tools } = environment;
  const { context } = task.view.snapshot;
  const { projection } = task.view;
  const { identity, taskClass, payload } = projection.request;
  const tier = context.calls[call.id]?.tier ?? 'write_high_risk';
  const span = task.tracing.span(workOn('policy', call, tier, context.attempt), signal);
  const asked = async (): Promise<unknown> =>
    policy.decide(
      deepFreeze({
        action: currentName(tools, call.tool),
        version: call.version,
        arguments: call.arguments,
        tier,
        rollback: call.rollback,
        identity,
        attestation,
        taskClass,
        requestId: context.request,
        request: payload,
        confidence: context.plan?.confidence ?? 'unstated',
        identical: identicalWrites(context, projection, call),
        ...(call.performs && { performs: call.performs }),
        origins: call.origins ?? null,
        evidence: task.view.evidence,
      }),
      withHostSignal({ ...span.at }, signal),
    );
  try {
    const name = 'what the policy decided';
    const decision = parseDocument(name, Decision, jsonValue(await span.run(asked), name));
    span.end(decision.verdict);
    return decision;
  } catch (error) {
    span.end('failed', 'POLICY_ERROR');
    throw error;
  }
};

/**
 * Asks the policy about a write, with the evidence so far (UAICP 5.3). Returns `Undecided` if `attest` or the policy
 * throws, and `null` if the duty was aborted.
 */
export const askPolicy = async (work: Work, call: CallDocument): Promise<Decision | Undecided | null> => {
  const { task, environment, signal } = work;
  const stop = (fails: Undecided['fails'], callback: string, error: unknown): Undecided | null => {
    if (signal.aborted) return null;
    emitCallbackFailed(environment, task, callback, fails, error);
    return { fails, explanation: causeOf(error) };
  };
  let attestation: AttestationTier;
  try {
    const { attest } = environment;
    attestation = attest === null ? 'none' : await attest(task.view.projection.request.identity);
  } catch (error) {
    return stop('GUARD_ERROR', 'attest', error);
  }
  try {
    return await decisionOn(work, call, attestation);
  } catch (error) {
    return stop('POLICY_ERROR', 'policy.decide', error);
  }
};

/** Returns why the policy is not asked again; `null` if it may be. */
export const policyEnds = (work: Work): string | null =>
  tooManyAttempts(work, { name: 'policy.decide', during: 'its policy was asked', code: null });
