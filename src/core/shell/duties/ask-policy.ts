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
import type { Environment } from '../environment.ts';
import { emitCallbackFailed } from '../events.ts';
import type { Task } from '../task.ts';
import { workOn } from '../tracing.ts';
import { withHostSignal, type WorkSignal } from '../work-signal.ts';
import { tooManyAttempts, type AttemptPorts } from './attempts.ts';

/** The ports of clearance. */
export type ClearancePorts = AttemptPorts &
  Pick<Environment, 'policy' | 'attest' | 'tools' | 'quotas' | 'store' | 'clock'>;

const decisionOn = async (
  task: Task,
  call: CallDocument,
  attestation: AttestationTier,
  { policy, tools }: ClearancePorts,
  signal: WorkSignal,
): Promise<Decision> => {
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
 * Asks the policy about a write, with the evidence so far (UAICP 5.3).
 *
 * Returns `null` if the policy throws, which ends the run, or if the duty was aborted.
 */
export const askPolicy = async (
  task: Task,
  call: CallDocument,
  environment: ClearancePorts,
  signal: WorkSignal,
): Promise<Decision | null> => {
  const stop = async (code: 'GUARD_ERROR' | 'POLICY_ERROR', callback: string, error: unknown) => {
    if (signal.aborted) return null;
    emitCallbackFailed(environment, task, callback, code, error);
    const statement = { actor: orchestratorActor, brought: { explanation: causeOf(error) } };
    await task.submitWithRetry({ type: 'run.failed', code }, statement);
    return null;
  };
  let attestation: AttestationTier;
  try {
    const { attest } = environment;
    attestation = attest === null ? 'none' : await attest(task.view.projection.request.identity);
  } catch (error) {
    return stop('GUARD_ERROR', 'attest', error);
  }
  try {
    return await decisionOn(task, call, attestation, environment, signal);
  } catch (error) {
    return stop('POLICY_ERROR', 'policy.decide', error);
  }
};

/** Returns why the policy is not asked again; `null` if it may be. */
export const policyEnds = (task: Task, environment: ClearancePorts): string | null =>
  tooManyAttempts(environment, task, { name: 'policy.decide', during: 'its policy was asked', code: null });
