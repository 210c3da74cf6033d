import * as z from 'zod';
import { Identifier } from '../../../schema/index.ts';
import { ownSignal } from '../../boundary/own-signal.ts';
import { deepFreeze } from '../../canonical/deep-freeze.ts';
import { jsonValue } from '../../canonical/json-value.ts';
import { causeOf } from '../../errors.ts';
import type { CallDocument } from '../../ports/ledger.ts';
import type { AttestationTier } from '../../ports/policy.ts';
import { emitCallbackFailed } from '../callback-failed.ts';
import type { Environment } from '../environment.ts';
import { orchestratorActor } from '../record.ts';
import type { Task } from '../task.ts';
import { workOn } from '../tracing.ts';

const Decision = z.object({
  verdict: z.enum(['allow', 'deny', 'needs_review']),
  reasons: z.array(z.string()),
  authority: Identifier.optional(),
});

/** What a policy said of a write. */
export type Decision = z.infer<typeof Decision>;

const decisionOn = async (
  task: Task,
  call: CallDocument,
  attestation: AttestationTier,
  { policy }: Environment,
  signal: AbortSignal,
): Promise<Decision> => {
  const { context } = task.view.snapshot;
  const { identity, taskClass } = task.view.projection.request;
  const tier = context.calls[call.id]?.tier ?? 'write_high_risk';
  const span = task.tracing.span(workOn('policy', call, tier, context.attempt), signal);
  const asked = async (): Promise<unknown> =>
    policy.decide(
      deepFreeze({
        action: call.tool,
        version: call.version,
        arguments: call.arguments,
        tier,
        rollback: call.rollback,
        identity,
        attestation,
        taskClass,
        requestId: context.request,
        evidence: task.view.evidence,
      }),
      { signal: ownSignal(signal), ...span.at },
    );
  try {
    const decision = Decision.parse(jsonValue(await span.run(asked), 'what the policy decided'));
    span.end(decision.verdict);
    return decision;
  } catch (error) {
    span.end('failed', 'POLICY_ERROR');
    throw error;
  }
};

/**
 * Asks the policy about a write, with the evidence at hand (UAICP 5.3).
 *
 * Returns `null` where it throws, which allows nothing and ends the run, or where nobody waits for it any more.
 */
export const askPolicy = async (
  task: Task,
  call: CallDocument,
  environment: Environment,
  signal: AbortSignal,
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
    attestation = await environment.attest(task.view.projection.request.identity);
  } catch (error) {
    return stop('GUARD_ERROR', 'attest', error);
  }
  try {
    return await decisionOn(task, call, attestation, environment, signal);
  } catch (error) {
    return stop('POLICY_ERROR', 'policy.decide', error);
  }
};
