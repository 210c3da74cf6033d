import * as z from 'zod';
import { VerificationCheck, type VerificationReport } from '../../../schema/index.ts';
import { frozenCopy } from '../../canonical/freeze.ts';
import { causeOf } from '../../errors.ts';
import { rfc3339 } from '../clock.ts';
import { standingEvidence } from '../dossier.ts';
import type { Environment } from '../environment.ts';
import { orchestratorActor } from '../record.ts';
import type { Task } from '../task.ts';
import type { VerificationSubject } from '../../ports/verifier.ts';
import { systemOf, type Performer } from './performer.ts';

const Decision = z.object({
  verdict: z.enum(['allow', 'deny', 'needs_review']),
  reasons: z.array(z.string()),
});

const Findings = z.object({ checks: z.array(VerificationCheck).min(1) });

/** Puts a write before the policy, with the evidence at hand (UAICP 5.3). A policy that throws has allowed nothing. */
export const decide: Performer<'decide'> = async (task, { call: id }, environment, signal) => {
  const { context } = task.snapshot;
  const call = task.dossier.calls[id];
  const summary = context.calls[id];
  if (call === undefined || summary === undefined) return;
  const { identity, taskClass } = task.dossier.request;
  let decision: z.infer<typeof Decision>;
  try {
    const answer = await environment.policy.decide(
      {
        action: call.tool,
        arguments: call.arguments,
        tier: summary.tier,
        rollback: call.rollback,
        identity,
        taskClass,
        requestId: context.request,
        evidence: standingEvidence(context, task.dossier),
      },
      { signal },
    );
    decision = Decision.parse(frozenCopy(answer, 'PolicyDecision'));
  } catch (error) {
    if (signal.aborted) return;
    await task.insist(
      { type: 'run.failed', code: 'POLICY_UNAVAILABLE' },
      { actor: orchestratorActor, brought: { explanation: causeOf(error) } },
    );
    return;
  }
  const { verdict, reasons } = decision;
  const { request, attempt } = context;
  await task.insist(
    { type: 'policy.decided', request, attempt, call: id, digest: call.digest, verdict },
    { actor: systemOf('policy'), brought: { reasons } },
  );
};

const subjectOf = (task: Task, of: string): VerificationSubject => {
  const { dossier, snapshot } = task;
  const { context } = snapshot;
  const call = Object.values(dossier.calls).find(({ id, digest }) => digest === of && id in context.calls);
  const shared = {
    digest: of,
    request: dossier.request.payload,
    requestId: context.request,
    evidence: standingEvidence(context, dossier),
  };
  return context.draft?.digest === of
    ? { kind: 'draft', value: dossier.draft?.payload ?? null, ...shared }
    : { kind: 'action', value: { tool: call?.tool, arguments: call?.arguments }, ...shared };
};

/** The checks of a verifier, or one failed check that says why there are none. */
const checksOf = async (
  { verifiers }: Environment,
  id: string,
  subject: VerificationSubject,
  signal: AbortSignal,
): Promise<readonly VerificationCheck[]> => {
  const failed = (details: string): VerificationCheck[] => [{ check_id: id, result: 'fail', details }];
  const verifier = verifiers.get(id);
  if (verifier === undefined) return failed('there is no such verifier');
  try {
    const found = Findings.safeParse(frozenCopy(await verifier.verify(subject, { signal }), 'Findings'));
    return found.success ? found.data.checks : failed('it reported no checks that can be read');
  } catch (error) {
    return failed(causeOf(error));
  }
};

/** A status recomputed from the checks: a skipped check is not a passed one (UAICP 5.2). */
export const statusOf = (checks: readonly VerificationCheck[]): VerificationReport['status'] => {
  if (checks.length === 0 || checks.some(({ result }) => result === 'fail')) return 'fail';
  return checks.every(({ result }) => result === 'pass') ? 'pass' : 'partial';
};

/** Has a verifier judge a draft or an action, and reports on exactly that. */
export const verify: Performer<'verify'> = async (task, { verifier, of, evidence }, environment, signal) => {
  const { request, attempt } = task.snapshot.context;
  const subject = subjectOf(task, of);
  const checks = await environment.slots(() => checksOf(environment, verifier, subject, signal), signal);
  if (signal.aborted) return;
  const report: VerificationReport = {
    report_id: environment.ids.uuid(),
    request_id: request,
    verifier_id: verifier,
    evidence_ids: subject.evidence.map(({ evidence_id }) => evidence_id),
    status: statusOf(checks),
    checks: [...checks],
    generated_at: rfc3339(environment.clock.now()),
    'agentcharter:subject': of,
  };
  const status = report.status === 'pass' ? 'pass' : 'fail';
  await task.insist(
    { type: 'verifier.reported', request, attempt, verifier, of, evidence, status },
    { actor: systemOf(verifier), brought: { report } },
  );
};
