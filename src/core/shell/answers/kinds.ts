import type { Fact, FactOf } from '../../../../machines/index.ts';
import type { EvidenceObject } from '../../../../schema/index.ts';
import { isObject } from '../../../base/boundary/is-object.ts';
import { deepFreeze } from '../../../base/canonical/deep-freeze.ts';
import { digest } from '../../../base/canonical/digest.ts';
import { shownPointer } from '../../../base/canonical/unreadable.ts';
import { isCharterError } from '../../../base/errors.ts';
import type { RecordPayload } from '../../../base/ports/ledger.ts';
import type { OpenQuestion } from '../../../base/ports/open-question.ts';
import { checkedEvidence } from '../../../gates/evidence/checks.ts';
import { callKey } from '../../../gates/evidence/fault.ts';
import { byPersonKey } from '../../kernel/failure-words.ts';
import { rfc3339 } from '../../kernel/now.ts';
import { shownTo } from '../../kernel/questions.ts';
import { approvalRefusal } from '../approvals.ts';
import { actionOf } from '../calls.ts';
import { lookupFor, tracedCall } from '../origins.ts';
import { readArguments } from '../read-arguments.ts';
import { guarded, issueText, readConclusion, readPlan } from '../read-output.ts';
import { refuse, type Answering } from './feedback.ts';
import { changedBeside, replacementOf, type Replacement } from './proposal.ts';

/** A person's feedback as a fact, with its documents. */
export interface Answer {
  readonly fact: Fact;
  readonly brought: RecordPayload;
}

/** What an edit or a ranking brings to the fact of an answer. */
interface Replaced {
  readonly fact: Pick<FactOf<'human.responded'>, 'plan' | 'draft' | 'call' | 'approves' | 'effect'>;
  readonly brought: RecordPayload;
}

/** How the answers to one kind of question are read. */
interface Kind {
  /** Reads what an edit or a ranking puts in the place of a proposal. Throws `feedback_refused`. */
  readonly replaces: (answering: Answering) => Promise<Replaced>;
  /** Adds what else the answer says. Throws `feedback_refused`. */
  readonly says: (answering: Answering, answer: Answer) => Promise<Answer>;
}

/** Applies feedback. Throws `feedback_refused` if it does not fit what the question shows. */
export const applied = <Result>(answering: Answering, read: () => Result): Result => {
  try {
    return read();
  } catch (error) {
    if (isCharterError(error, 'feedback_inapplicable'))
      throw refuse(answering, `${shownPointer(error.details.path)}: ${error.details.reason}`);
    if (isCharterError(error, 'document_invalid')) throw refuse(answering, issueText(error.details.issues));
    throw error;
  }
};

const replacementIn = (answering: Answering): Replacement =>
  applied(answering, () => replacementOf(answering.task.view, answering.question, answering.feedback));

/** Refuses an edit whose schema also changes a part that the person left as shown: the person must see that first. */
const checkUnintendedChange = (answering: Answering, { kept }: Replacement, read: unknown): void => {
  const changed = kept && changedBeside(kept.shown, kept.given, read);
  if (changed === undefined || changed === null) return;
  const place = changed === '' ? 'it' : shownPointer(changed);
  const reason = `with this change its schema reads ${place} differently from what was shown: state that value too`;
  throw refuse(answering, reason);
};

const replacedCall = async (answering: Answering): Promise<Replaced> => {
  const { task, environment, question, feedback, by } = answering;
  const replacement = replacementIn(answering);
  const { value, path } = replacement;
  const { context } = task.view.snapshot;
  const old = Object.values(task.view.projection.calls).find(
    ({ id, digest }) => digest === question.about && Object.hasOwn(context.calls, id),
  );
  const tool = old && environment.tools.get(old.tool);
  if (old === undefined || tool === undefined) throw refuse(answering, 'its action is no longer known');
  const action = await guarded(async () => {
    const read = await readArguments(tool, value, path);
    if ('issues' in read) return read;
    const { id, ref, performs } = old;
    const identity = { id, ...(ref !== undefined && { ref }), ...(performs && { performs }) };
    const lookup = lookupFor(task, feedback);
    const traced = tracedCall(task, tool, read, { lookup, resolved: { value, references: [], hidden: [] } });
    return actionOf(task, environment, tool, read, identity, traced);
  });
  if ('issues' in action) throw refuse(answering, issueText(action.issues));
  task.knownCalls.set(old.id, { ...task.knownCalls.get(old.id), reader: tool });
  const { rollbackFault, summaryFault } = action.document;
  if (summaryFault !== undefined) throw refuse(answering, summaryFault, 'GUARD_ERROR');
  if (rollbackFault !== undefined) throw refuse(answering, rollbackFault, 'ROLLBACK_REQUIRED');
  checkUnintendedChange(answering, replacement, action.document.arguments);
  const { together, after } = task.view.context.calls[old.id] ?? {};
  const dependence = { ...(together && { together }), ...(after && { after: [...after] }) };
  const given = replacement.kept?.given ?? value;
  // an edit approves where an unsigned approval of the editor would count, who has seen these arguments
  const approves =
    digest(action.document.arguments) === digest(given, path) &&
    approvalRefusal(task.view, action.proposed.digest, by) === null;
  return {
    fact: { call: { ...action.proposed, ...dependence }, ...(approves && { approves }) },
    brought: { calls: [action.document] },
  };
};

const replacedPlan = async (answering: Answering): Promise<Replaced> => {
  const { task, environment, feedback } = answering;
  const reading = await readPlan(task, environment, replacementIn(answering).value, { feedback });
  if ('issues' in reading) throw refuse(answering, issueText(reading.issues));
  if (reading.fact.type !== 'plan.proposed') throw refuse(answering, 'the plan lacks information itself');
  const { mediation, upThought } = reading.brought.output ?? {};
  if (mediation !== undefined) throw refuse(answering, upThought?.questions?.join(' ') ?? '');
  const { type: _type, ...plan } = reading.fact;
  return { fact: { plan }, brought: reading.brought };
};

const replacedDraft = async (answering: Answering): Promise<Replaced> => {
  const { task, environment, feedback } = answering;
  const replacement = replacementIn(answering);
  const reading = await readConclusion(task, environment, replacement.value, { feedback });
  if ('issues' in reading) throw refuse(answering, issueText(reading.issues));
  if (reading.fact.type !== 'draft.proposed') throw refuse(answering, 'expected a draft, not further calls');
  checkUnintendedChange(answering, replacement, reading.brought.output?.payload);
  const { type: _type, ...draft } = reading.fact;
  return { fact: { draft }, brought: reading.brought };
};

/** Reads whether an effect in doubt happened. */
const statedEffect = async (answering: Answering): Promise<Replaced> => {
  const { value } = replacementIn(answering);
  const effect = isObject(value) ? value['effect'] : value;
  if (effect !== 'done' && effect !== 'absent')
    throw refuse(answering, 'expected "done" or "absent" at /content/value, or as its `effect`');
  return { fact: { effect }, brought: {} };
};

const personEvidence = ({ task, environment, question, feedback, by }: Answering) => {
  const { context, projection } = task.view;
  const { parentTraceId } = projection.request;
  const payload = { effect: 'done', said: feedback.content ?? null } as EvidenceObject['payload'];
  return deepFreeze({
    evidence_id: environment.ids.uuid(),
    evidence_type: 'custom',
    source: projection.calls[question.about]?.tool ?? question.about,
    request_id: context.request,
    trace_id: projection.traceId,
    ...(parentTraceId !== undefined && { parent_trace_id: parentTraceId }),
    actor: by,
    hash: digest(payload),
    collected_at: rfc3339(environment.clock.now()),
    payload,
    [callKey]: question.about,
    [byPersonKey]: true,
  } satisfies EvidenceObject);
};

/**
 * Adds evidence to an answer that says an effect in doubt happened. The person is its actor, and its type is
 * `custom` (UAICP 5.1), never a tool result. An effect that was rolled back since did not happen.
 */
const withPersonEvidence = async (answering: Answering, answer: Answer): Promise<Answer> => {
  const { task, question } = answering;
  const { fact, brought } = answer;
  if (fact.type !== 'human.responded' || (fact.feedback !== 'approve' && fact.effect !== 'done'))
    return answer;
  const { calls, undoneInDoubt, request } = task.view.projection;
  if (undoneInDoubt.includes(calls[question.about]?.digest ?? ''))
    throw refuse(answering, 'it was rolled back since, as the ledger says: answer that it is absent');
  const evidence = personEvidence(answering);
  const summary = await checkedEvidence(task.taskClass.checks, evidence, request.payload);
  return {
    fact: { ...fact, evidence: { id: evidence.evidence_id, type: 'custom', ...summary } },
    brought: { ...brought, evidence },
  };
};

/** An edit or an instruction begins the task again (UpFormat Table 3). */
const withChanges = async ({ environment, feedback }: Answering, answer: Answer): Promise<Answer> =>
  feedback.type === 'edit' || feedback.type === 'instruction'
    ? { fact: { type: 'changes.requested', request: environment.ids.uuid() }, brought: { feedback } }
    : answer;

const nothing: Replaced = { fact: {}, brought: {} };
const unchanged = async (): Promise<Replaced> => nothing;
const asItIs = async (_answering: Answering, answer: Answer): Promise<Answer> => answer;

const kinds: Readonly<Record<OpenQuestion['kind'], Kind>> = {
  information: { replaces: unchanged, says: asItIs },
  plan: { replaces: replacedPlan, says: asItIs },
  draft: { replaces: replacedDraft, says: asItIs },
  help: {
    replaces: (answering) =>
      (answering.task.view.context.plan === null ? replacedPlan : replacedDraft)(answering),
    says: asItIs,
  },
  approval: { replaces: replacedCall, says: asItIs },
  doubt: { replaces: statedEffect, says: withPersonEvidence },
  tool: { replaces: unchanged, says: asItIs },
  host: { replaces: unchanged, says: asItIs },
  limit: { replaces: unchanged, says: asItIs },
  followup: { replaces: unchanged, says: withChanges },
};

/** Reads feedback that answers a question. Throws `feedback_refused`. */
export const answerIn = async (answering: Answering): Promise<Answer> => {
  const { question, feedback, by } = answering;
  const { type } = feedback;
  const { replaces, says } = kinds[question.kind];
  const replaced = type === 'edit' || type === 'rank' ? await replaces(answering) : nothing;
  return says(answering, {
    fact: { type: 'human.responded', question: question.id, feedback: type, by, ...replaced.fact },
    brought: { ...replaced.brought, feedback, ...shownTo(question) },
  });
};
