import type { Fact, FactOf } from '../../../machines/index.ts';
import type { EvidenceObject, ReasonCode, UpFeedback } from '../../../schema/index.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { digest } from '../../base/canonical/digest.ts';
import { shownPointer } from '../../base/canonical/unreadable.ts';
import { CharterError, isCharterError } from '../../base/errors.ts';
import { checkedEvidence } from '../../gates/evidence/checks.ts';
import { callKey } from '../../gates/evidence/fault.ts';
import type { RecordPayload } from '../../base/ports/ledger.ts';
import type { OpenQuestion } from '../../base/ports/open-question.ts';
import { rfc3339 } from '../kernel/now.ts';
import { excluded } from './approvals.ts';
import { questionName } from './closed-question.ts';
import { actionOf, type CallPorts } from './calls.ts';
import type { Environment } from './environment.ts';
import { lookupFor, tracedCall } from './origins.ts';
import { changedBeside, replacementOf, type Replacement } from './proposal.ts';
import { readArguments } from './read-arguments.ts';
import { guarded, issueText, readConclusion, readPlan } from './read-output.ts';
import type { Task } from './task.ts';

/** The ports of reading edits. */
export type EditPorts = CallPorts & Pick<Environment, 'clock'>;

/** What an edit brings to a fact. */
export type Edits = Pick<FactOf<'human.responded'>, 'plan' | 'draft' | 'call' | 'approves' | 'effect'>;

interface Edited {
  readonly fact: Edits;
  readonly brought: RecordPayload;
}

/** Returns the error for feedback that is no answer; the question stays open. */
export const refuse = (
  task: Task,
  question: OpenQuestion,
  reason: string,
  code: ReasonCode | null = null,
): CharterError =>
  new CharterError(
    'feedback_refused',
    `${questionName(task, question)} stays open: ${reason.replace(/\.$/, '')}; it accepts ${question.accepts.join(', ')}`,
    { taskId: task.taskId, question: question.id, reason, code, accepts: question.accepts },
  );

/**
 * Applies feedback. If it does not fit what the question shows, throws `feedback_refused` and the question stays
 * open.
 */
export const applied = <Result>(task: Task, question: OpenQuestion, read: () => Result): Result => {
  try {
    return read();
  } catch (error) {
    if (isCharterError(error, 'feedback_inapplicable'))
      throw refuse(task, question, `${shownPointer(error.details.path)}: ${error.details.reason}`);
    if (isCharterError(error, 'document_invalid'))
      throw refuse(task, question, issueText(error.details.issues));
    throw error;
  }
};

/** Refuses an edit whose schema also changes a part that the person left as shown: the person must see that first. */
const checkUnintendedChange = (
  task: Task,
  question: OpenQuestion,
  { kept }: Replacement,
  read: unknown,
): void => {
  const changed = kept && changedBeside(kept.shown, kept.given, read);
  if (changed === undefined || changed === null) return;
  const place = changed === '' ? 'it' : shownPointer(changed);
  const reason = `with this change its schema reads ${place} differently from what was shown: state that value too`;
  throw refuse(task, question, reason);
};

const editedCall = async (
  task: Task,
  environment: EditPorts,
  question: OpenQuestion,
  replacement: Replacement,
  feedback: UpFeedback,
  by: string,
): Promise<Edited> => {
  const { value, path } = replacement;
  const { context } = task.view.snapshot;
  const old = Object.values(task.view.projection.calls).find(
    ({ id, digest }) => digest === question.about && Object.hasOwn(context.calls, id),
  );
  const tool = old && environment.tools.get(old.tool);
  if (old === undefined || tool === undefined) throw refuse(task, question, 'its action is no longer known');
  const action = await guarded(async () => {
    const read = await readArguments(tool, value, path);
    if ('issues' in read) return read;
    const { id, ref, performs } = old;
    const identity = { id, ...(ref !== undefined && { ref }), ...(performs && { performs }) };
    const lookup = lookupFor(task, feedback);
    const traced = tracedCall(task, tool, read, { lookup, resolved: { value, references: [], hidden: [] } });
    return actionOf(task, environment, tool, read, identity, traced);
  });
  if ('issues' in action) throw refuse(task, question, issueText(action.issues));
  task.knownCalls.set(old.id, { ...task.knownCalls.get(old.id), reader: tool });
  const { rollbackFault, summaryFault } = action.document;
  if (summaryFault !== undefined) throw refuse(task, question, summaryFault, 'GUARD_ERROR');
  if (rollbackFault !== undefined) throw refuse(task, question, rollbackFault, 'ROLLBACK_REQUIRED');
  checkUnintendedChange(task, question, replacement, action.document.arguments);
  const { together, after } = task.view.context.calls[old.id] ?? {};
  const dependence = { ...(together && { together }), ...(after && { after: [...after] }) };
  const given = replacement.kept?.given ?? value;
  // an edit approves where an unsigned approval of the editor would count, who has seen these arguments
  const approves =
    digest(action.document.arguments) === digest(given, path) &&
    excluded(task.view, action.proposed.digest, by) === null;
  return {
    fact: { call: { ...action.proposed, ...dependence }, ...(approves && { approves }) },
    brought: { calls: [action.document] },
  };
};

const editedOutput = async (
  task: Task,
  environment: EditPorts,
  question: OpenQuestion,
  replacement: Replacement,
  feedback: UpFeedback,
): Promise<Edited> => {
  const { value } = replacement;
  const isPlan = question.kind === 'plan' || (question.kind === 'help' && task.view.context.plan === null);
  if (isPlan) {
    const reading = await readPlan(task, environment, value, { feedback });
    if ('issues' in reading) throw refuse(task, question, issueText(reading.issues));
    if (reading.fact.type !== 'plan.proposed')
      throw refuse(task, question, 'the plan lacks information itself');
    const { mediation, upThought } = reading.brought.output ?? {};
    if (mediation !== undefined) throw refuse(task, question, upThought?.questions?.join(' ') ?? '');
    const { type: _type, ...plan } = reading.fact;
    return { fact: { plan }, brought: reading.brought };
  }
  const reading = await readConclusion(task, environment, value, { feedback });
  if ('issues' in reading) throw refuse(task, question, issueText(reading.issues));
  if (reading.fact.type !== 'draft.proposed')
    throw refuse(task, question, 'expected a draft, not further calls');
  checkUnintendedChange(task, question, replacement, reading.brought.output?.payload);
  const { type: _type, ...draft } = reading.fact;
  return { fact: { draft }, brought: reading.brought };
};

/** Reads a person's replacement for a proposal, from an edit or a ranking. */
export const edited = async (
  task: Task,
  environment: EditPorts,
  question: OpenQuestion,
  feedback: UpFeedback,
  by: string,
): Promise<Edited> => {
  const replacement = () => applied(task, question, () => replacementOf(task.view, question, feedback));
  switch (question.kind) {
    case 'plan':
    case 'draft':
    case 'help':
      return editedOutput(task, environment, question, replacement(), feedback);
    case 'approval':
      return editedCall(task, environment, question, replacement(), feedback, by);
    case 'doubt': {
      const { value } = replacement();
      const effect = isObject(value) ? value['effect'] : value;
      if (effect !== 'done' && effect !== 'absent')
        throw refuse(task, question, 'expected /content/value to be "done" or "absent"');
      return { fact: { effect }, brought: {} };
    }
    case 'information':
    case 'tool':
    case 'host':
    case 'limit':
    case 'followup':
      return { fact: {}, brought: {} };
  }
};

/** A person's feedback as a fact, with its documents. */
export interface Answer {
  readonly fact: Fact;
  readonly brought: RecordPayload;
}

/** The evidence key that marks a person's statement, not a tool's result. */
export const byPersonKey = 'agentcharter:byPerson';

/** Returns whether a person says that the effect in doubt happened. */
const confirmsEffect = ({ fact }: Answer): boolean =>
  fact.type === 'human.responded' && (fact.feedback === 'approve' || fact.effect === 'done');

const personEvidence = (
  task: Task,
  { ids, clock }: EditPorts,
  call: string,
  feedback: UpFeedback,
  by: string,
) => {
  const { parentTraceId } = task.view.projection.request;
  const payload = { effect: 'done', said: feedback.content ?? null } as EvidenceObject['payload'];
  return deepFreeze({
    evidence_id: ids.uuid(),
    evidence_type: 'custom',
    source: task.view.projection.calls[call]?.tool ?? call,
    request_id: task.view.context.request,
    trace_id: task.view.projection.traceId,
    ...(parentTraceId !== undefined && { parent_trace_id: parentTraceId }),
    actor: by,
    hash: digest(payload),
    collected_at: rfc3339(clock.now()),
    payload,
    [callKey]: call,
    [byPersonKey]: true,
  } satisfies EvidenceObject);
};

/**
 * Adds evidence to an answer that says an effect in doubt happened. The person is its actor, and its type is
 * `custom` (UAICP 5.1), never a tool result. Throws `feedback_refused` if the effect was rolled back since.
 */
export const withPersonEvidence = async (
  task: Task,
  environment: EditPorts,
  question: OpenQuestion,
  answer: Answer,
  by: string,
): Promise<Answer> => {
  const { fact, brought } = answer;
  if (fact.type !== 'human.responded' || brought.feedback === undefined || !confirmsEffect(answer))
    return answer;
  const { about } = question;
  const { calls, undoneInDoubt } = task.view.projection;
  if (undoneInDoubt.includes(calls[about]?.digest ?? ''))
    throw refuse(task, question, 'it was rolled back since, as the ledger says: answer that it is absent');
  const evidence = personEvidence(task, environment, about, brought.feedback, by);
  const summary = await checkedEvidence(
    task.taskClass.checks,
    evidence,
    task.view.projection.request.payload,
  );
  return {
    fact: { ...fact, evidence: { id: evidence.evidence_id, type: 'custom', ...summary } },
    brought: { ...brought, evidence },
  };
};
