import type { Fact, FactOf } from '../../machines/index.ts';
import type { UpFeedback } from '../../schema/index.ts';
import { CharterError, type Issue } from '../errors.ts';
import type { Brought } from '../ports/ledger.ts';
import type { Environment } from './environment.ts';
import type { OpenQuestion } from './questions.ts';
import { actionOf, readConclusion, readPlan, readWith } from './read-output.ts';
import type { Task } from './task.ts';

/** A person's feedback as the fact that it states. */
export interface Answer {
  readonly fact: Fact;
  readonly brought: Brought;
}

type Edits = Pick<FactOf<'human.responded'>, 'plan' | 'draft' | 'call' | 'effect'>;

interface Edited {
  readonly fact: Edits;
  readonly brought: Brought;
}

const refuse = (task: Task, question: OpenQuestion, reason: string): CharterError =>
  new CharterError(
    'feedback_refused',
    `question ${question.id} stays open: ${reason}; it accepts ${question.accepts.join(', ')}`,
    { taskId: task.taskId, question: question.id, reason, accepts: question.accepts },
  );

const inWords = (issues: readonly Issue[]): string =>
  issues
    .slice(0, 3)
    .map(({ path, message }) => `${path} ${message}`.trim())
    .join('; ');

/** What feedback replaces its target with: the `value` of an edit, the first of a ranking. */
const replacementOf = ({ type, content }: UpFeedback): unknown => {
  if (type === 'rank') return Array.isArray(content) ? content[0] : undefined;
  return typeof content === 'object' && !Array.isArray(content) ? content.value : undefined;
};

const editedCall = async (
  task: Task,
  environment: Environment,
  question: OpenQuestion,
  value: unknown,
): Promise<Edited> => {
  const { context } = task.snapshot;
  const old = Object.values(task.dossier.calls).find(
    ({ id, digest }) => digest === question.about && Object.hasOwn(context.calls, id),
  );
  const tool = old && environment.tools.get(old.tool);
  if (old === undefined || tool === undefined)
    throw refuse(task, question, 'its action is not known any more');
  const read = await readWith(tool.input, value, '/content/value');
  if ('issues' in read) throw refuse(task, question, inWords(read.issues));
  const { document, proposed } = actionOf(task.snapshot.context.request, tool, read.value, old.id);
  return { fact: { call: proposed }, brought: { calls: [document] } };
};

const editedOutput = async (
  task: Task,
  environment: Environment,
  question: OpenQuestion,
  value: unknown,
): Promise<Edited> => {
  const isPlan =
    question.kind === 'plan' || (question.kind === 'help' && task.snapshot.context.plan === null);
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
  const value = replacementOf(feedback);
  switch (question.kind) {
    case 'plan':
    case 'draft':
    case 'help':
      return editedOutput(task, environment, question, value);
    case 'approval':
      return editedCall(task, environment, question, value);
    case 'doubt': {
      const effect = typeof value === 'object' && value !== null && 'effect' in value ? value.effect : value;
      if (effect !== 'done' && effect !== 'absent')
        throw refuse(task, question, 'expected /content/value to be "done" or "absent"');
      return { fact: { effect }, brought: {} };
    }
    case 'information':
    case 'tool':
    case 'followup':
      return nothing;
  }
};

/** Reads a person's feedback on a question; throws `feedback_refused`, and the question stays open, where it does not answer. */
export const readAnswer = async (
  task: Task,
  environment: Environment,
  question: OpenQuestion,
  feedback: UpFeedback,
): Promise<Answer> => {
  const isOpen =
    question.kind === 'followup'
      ? task.snapshot.value === 'followup'
      : Object.hasOwn(task.snapshot.context.questions, question.id);
  if (!isOpen) throw refuse(task, question, 'it is answered already, or its deadline has passed');
  if (!question.accepts.includes(feedback.type))
    throw refuse(task, question, `${feedback.type} does not answer it`);
  if (question.kind === 'followup' && (feedback.type === 'edit' || feedback.type === 'instruction'))
    return { fact: { type: 'changes.requested', request: environment.ids.uuid() }, brought: { feedback } };
  const { fact, brought } = await edited(task, environment, question, feedback);
  return {
    fact: { type: 'human.responded', question: question.id, feedback: feedback.type, ...fact },
    brought: { ...brought, feedback },
  };
};
