import type { Context } from '../../../../machines/index.ts';
import type { VerificationReport } from '../../../../schema/index.ts';
import { deepFreeze } from '../../../base/canonical/deep-freeze.ts';
import { causeOf } from '../../../base/errors.ts';
import type { VerificationSubject } from '../../../base/ports/verifier.ts';
import {
  noReport,
  readFindings,
  subjectKey,
  type Asked,
  type Reading,
} from '../../../gates/verification/findings.ts';
import { rfc3339 } from '../../kernel/now.ts';
import type { TaskView } from '../../kernel/view.ts';
import type { Environment } from '../environment.ts';
import { emitCallbackFailed } from '../events.ts';
import { recordedText } from '../redact.ts';
import { stated } from '../live-task.ts';
import type { Span } from '../tracing.ts';
import { withHostSignal } from '../work-signal.ts';
import { tooManyAttempts } from './attempts.ts';
import { systemOf, type Performer, type Work } from './performer.ts';

const subjectOf = ({ context, projection, evidence }: TaskView, of: string): VerificationSubject => {
  const call = Object.values(projection.calls).find(({ id, digest }) => digest === of && id in context.calls);
  const shared = {
    digest: of,
    request: projection.request.payload,
    requestId: context.request,
    traceId: projection.traceId,
    evidence,
  };
  return deepFreeze(
    context.draft?.digest === of
      ? { kind: 'draft', value: projection.draft?.payload ?? null, ...shared }
      : { kind: 'action', value: { tool: call?.tool, arguments: call?.arguments }, ...shared },
  );
};

/** Returns the evidence that a report must cover: that of its gate. */
const requiredBy = ({ taskClass }: Context, { kind }: VerificationSubject): Asked['evidence'] =>
  (kind === 'draft' ? taskClass.beforeDeliver : taskClass.beforeWrite).evidence;

const readingOf = async (
  work: Work,
  id: string,
  asked: Omit<Asked, 'verifier'>,
  span: Span,
): Promise<Reading> => {
  const { task, environment, signal } = work;
  const verifier = environment.verifiers.get(id);
  if (verifier === undefined) return noReport('VERIFIER_ERROR', id, 'there is no such verifier');
  const name = `verifier ${JSON.stringify(id)}`;
  const during = `${name} was asked`;
  const reason = tooManyAttempts(work, { name, during, code: 'VERIFIER_ERROR' });
  if (reason !== null) return noReport('VERIFIER_ERROR', id, reason);
  let answer: unknown;
  try {
    answer = await span.run(() => verifier.verify(asked.subject, withHostSignal({ ...span.at }, signal)));
  } catch (error) {
    if (!signal.aborted) emitCallbackFailed(environment, task, name, 'VERIFIER_ERROR', error);
    return noReport('VERIFIER_ERROR', id, causeOf(error));
  }
  try {
    return readFindings(answer, { ...asked, verifier });
  } catch (error) {
    return noReport('REPORT_INVALID', id, causeOf(error));
  }
};

const redactedCheck = ({ redact }: Environment, { details, ...check }: Reading['checks'][number]) => ({
  ...check,
  ...(details !== undefined && { details: recordedText(redact, details) }),
});

/** Lets a verifier judge a draft or an action, and records its report. */
export const verify: Performer<'verify'> = async function* (work, { verifier, of, evidence }) {
  const { task, environment, signal } = work;
  const { context } = task.view.snapshot;
  const { request, attempt } = context;
  const subject = subjectOf(task.view, of);
  const asked = { subject, evidence: requiredBy(context, subject) };
  const span = task.tracing.span({ kind: 'verifier', verifier, subject: subject.kind, attempt }, signal);
  // without a slot: its deadline already runs, and must not pass while it waits for one
  const reading = await readingOf(work, verifier, asked, span);
  const { status, code, checks, evidenceIds } = reading;
  span.end(status, code);
  if (signal.aborted) return;
  const report: VerificationReport = {
    report_id: environment.ids.uuid(),
    request_id: request,
    verifier_id: verifier,
    evidence_ids: [...evidenceIds],
    status,
    checks: checks.map((check) => redactedCheck(environment, check)),
    generated_at: rfc3339(environment.clock.now()),
    [subjectKey]: of,
    ...(code !== null && { 'agentcharter:code': code }),
  };
  yield stated(
    {
      type: 'verifier.reported',
      request,
      attempt,
      verifier,
      of,
      evidence,
      status: status === 'pass' ? 'pass' : 'fail',
      ...(code !== null && { code }),
    },
    { actor: systemOf(verifier), brought: { report } },
  );
};
