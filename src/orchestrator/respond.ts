import type { Fact, FactOf } from '../../machines/index.ts';
import { JsonObject, UpFeedback, type ReasonCode } from '../../schema/index.ts';
import { isObject } from '../boundary/is-object.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { shownPointer } from '../canonical/unreadable.ts';
import { CharterError, isCharterError } from '../errors.ts';
import { remarksIn } from '../feedback/apply.ts';
import { messageIdOf, partOf } from '../feedback/target.ts';
import { askedBy } from '../ledger/projection/project.ts';
import type { ApprovalRefusal } from '../ports/approvals.ts';
import type { Brought } from '../ports/ledger.ts';
import { excluded, refused, repeated } from './approvers.ts';
import type { Environment } from './environment.ts';
import { replacementOf, type Replacement } from './proposal.ts';
import type { OpenQuestion } from '../ports/open-question.ts';
import { actionOf } from './action.ts';
import { guarded, inWords, readArguments, readConclusion, readPlan } from './read-output.ts';
import { changedBeside } from './restated.ts';
import { isOpen } from './settled.ts';
import { noteReader } from './seen.ts';
import type { Task } from './task.ts';
import { withWord, type Answer } from './word.ts';

type Edits = Pick<FactOf<'human.responded'>, 'plan' | 'draft' | 'call' | 'effect'>;

interface Edited {
  readonly fact: Edits;
  readonly brought: Brought;
}

/** A refusal that the ledger holds as well, with its code. */
export const refuseOnRecord = async (
  task: Task,
  question: OpenQuestion,
  { code, by, explanation }: { code: ReasonCode; by: string; explanation: string },
): Promise<CharterError> => {
  await task.refuse({ actor: { kind: 'human', id: by }, code, brought: { explanation } });
  return refuse(task, question, explanation, code);
};

/** Reads feedback as it comes in: frozen, and redacted. */
export const readFeedback = (value: unknown, { redact }: Environment): UpFeedback => {
  const read = parseDocument('UpFeedback', UpFeedback, frozenCopy(value, 'UpFeedback'));
  const { type, target, ...said } = read;
  const kept = parseDocument('feedback', JsonObject, redact(said, 'feedback'));
  return parseDocument('UpFeedback', UpFeedback, { ...kept, type, target });
};

/** Feedback that does not answer; the question stays as it is. */
export const refuse = (
  task: Task,
  question: OpenQuestion,
  reason: string,
  code: ReasonCode | null = null,
): CharterError =>
  new CharterError(
    'feedback_refused',
    `question ${question.id} stays open: ${reason.replace(/\.$/, '')}; it accepts ${question.accepts.join(', ')}`,
    { taskId: task.taskId, question: question.id, reason, code, accepts: question.accepts },
  );

/** What feedback gives; where it does not apply to what its question shows, the question stays as it is. */
const applied = <Result>(task: Task, question: OpenQuestion, read: () => Result): Result => {
  try {
    return read();
  } catch (error) {
    if (isCharterError(error, 'feedback_inapplicable'))
      throw refuse(task, question, `${error.details.path} ${error.details.reason}`);
    if (isCharterError(error, 'document_invalid'))
      throw refuse(task, question, inWords(error.details.issues));
    throw error;
  }
};

/** A schema that reads something else where the person left what was shown: the person must see that first. */
const checkKept = (task: Task, question: OpenQuestion, { kept }: Replacement, read: unknown): void => {
  const changed = kept && changedBeside(kept.shown, kept.given, read);
  if (changed === undefined || changed === null) return;
  const place = changed === '' ? 'it' : shownPointer(changed);
  const reason = `with this change its schema reads ${place} differently from what was shown: say what it is to be as well`;
  throw refuse(task, question, reason);
};

const editedCall = async (
  task: Task,
  environment: Environment,
  question: OpenQuestion,
  replacement: Replacement,
): Promise<Edited> => {
  const { value, path } = replacement;
  const { context } = task.view.snapshot;
  const old = Object.values(task.view.projection.calls).find(
    ({ id, digest }) => digest === question.about && Object.hasOwn(context.calls, id),
  );
  const tool = old && environment.tools.get(old.tool);
  if (old === undefined || tool === undefined)
    throw refuse(task, question, 'its action is not known any more');
  const action = await guarded(async () => {
    const read = await readArguments(tool, value, path);
    return 'issues' in read
      ? read
      : actionOf(task, environment, tool, read, {
          id: old.id,
          ...(old.ref !== undefined && { ref: old.ref }),
        });
  });
  if ('issues' in action) throw refuse(task, question, inWords(action.issues));
  noteReader(task, old.id, tool);
  const { rollbackFault } = action.document;
  if (rollbackFault !== undefined) throw refuse(task, question, rollbackFault, 'ROLLBACK_REQUIRED');
  checkKept(task, question, replacement, action.document.arguments);
  return { fact: { call: action.proposed }, brought: { calls: [action.document] } };
};

const editedOutput = async (
  task: Task,
  environment: Environment,
  question: OpenQuestion,
  replacement: Replacement,
): Promise<Edited> => {
  const { value } = replacement;
  const isPlan = question.kind === 'plan' || (question.kind === 'help' && task.view.context.plan === null);
  if (isPlan) {
    const reading = await readPlan(task, environment, value);
    if ('issues' in reading) throw refuse(task, question, inWords(reading.issues));
    if (reading.fact.type !== 'plan.proposed')
      throw refuse(task, question, 'the plan lacks information itself');
    const { type: _type, ...plan } = reading.fact;
    return { fact: { plan }, brought: reading.brought };
  }
  const reading = await readConclusion(task, environment, value);
  if ('issues' in reading) throw refuse(task, question, inWords(reading.issues));
  if (reading.fact.type !== 'draft.proposed')
    throw refuse(task, question, 'a draft is wanted, not further calls');
  checkKept(task, question, replacement, reading.brought.output?.payload);
  const { type: _type, ...draft } = reading.fact;
  return { fact: { draft }, brought: reading.brought };
};

const edited = async (
  task: Task,
  environment: Environment,
  question: OpenQuestion,
  feedback: UpFeedback,
): Promise<Edited> => {
  const nothing: Edited = { fact: {}, brought: {} };
  if (feedback.type !== 'edit' && feedback.type !== 'rank') return nothing;
  const replacement = () => applied(task, question, () => replacementOf(task.view, question, feedback));
  switch (question.kind) {
    case 'plan':
    case 'draft':
    case 'help':
      return editedOutput(task, environment, question, replacement());
    case 'approval':
      return editedCall(task, environment, question, replacement());
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
    case 'followup':
      return nothing;
  }
};

/** Why the second of two approvals that came at the same moment does not count. */
const codeOfSecond = (task: Task, fact: Fact, { approval }: Brought): ReasonCode | null => {
  if (fact.type !== 'approval.granted') return null;
  const isSpent = (task.view.projection.approvals[fact.digest] ?? []).some(
    ({ jti }) => jti === approval?.jti,
  );
  return isSpent ? 'APPROVAL_SPENT' : repeated(task.view, fact.digest, fact.approver);
};

export const answered = 'it is answered already, or its deadline has passed';

/** What keeps feedback from answering a question, whatever it says; `null` where nothing does. */
const obstacle = (task: Task, question: OpenQuestion, feedback: UpFeedback): string | null => {
  const { type, content } = feedback;
  if (!isOpen(task.view, messageIdOf(feedback), question)) return answered;
  if (!question.accepts.includes(type)) return `${type} does not answer it`;
  if (type === 'approve' && partOf(feedback) !== '') return 'a part of it cannot be approved alone';
  if ((type === 'edit' || type === 'instruction') && content === undefined)
    return `expected /content: what the ${type} says`;
  return null;
};

/** A word alone approves nothing under this task class. */
const unsigned = ({ taskClass: { id } }: Task): ApprovalRefusal =>
  refused(
    'APPROVAL_REQUIRED',
    `task class ${id} takes signed approvals only: send one as \`approval\`, or list "human" in its \`authorities\``,
  );

/** Reads a person's feedback on a question; throws `feedback_refused`, and the question stays open, where it does not answer. */
export const readAnswer = async (
  task: Task,
  environment: Environment,
  question: OpenQuestion,
  feedback: UpFeedback,
  by: string,
): Promise<Answer> => {
  const reason = obstacle(task, question, feedback);
  if (reason !== null) throw refuse(task, question, reason);
  applied(task, question, () =>
    remarksIn(askedBy(task.view.projection, messageIdOf(feedback))?.message, feedback),
  );
  if (question.kind === 'approval' && feedback.type === 'approve') {
    const refusal = question.needsToken === true ? unsigned(task) : excluded(task.view, question.about, by);
    if (refusal !== null) {
      const { refused: code, explanation } = refusal;
      throw await refuseOnRecord(task, question, { code, by, explanation });
    }
  }
  if (question.kind === 'followup' && (feedback.type === 'edit' || feedback.type === 'instruction'))
    return { fact: { type: 'changes.requested', request: environment.ids.uuid() }, brought: { feedback } };
  const { fact, brought } = await edited(task, environment, question, feedback);
  const answer: Answer = {
    fact: { type: 'human.responded', question: question.id, feedback: feedback.type, by, ...fact },
    brought: { ...brought, feedback },
  };
  return withWord(task, environment, question, answer, by);
};

/** States an answer; the one that came second has lost, and is told so. */
export const stateAnswer = async (
  task: Task,
  question: OpenQuestion,
  { fact, brought }: Answer,
  by: string,
  key?: string,
): Promise<void> => {
  const isFirst = () =>
    fact.type !== 'approval.granted' || Object.hasOwn(task.view.context.questions, question.id);
  const whyRefused = () => codeOfSecond(task, fact, brought);
  const statement = {
    actor: { kind: 'human', id: by },
    brought,
    whyRefused,
    ...(key !== undefined && { key }),
  } as const;
  if (await task.submitFact(fact, statement, isFirst)) return;
  throw refuse(task, question, answered, whyRefused());
};
