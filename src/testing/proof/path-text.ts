import type { CharterSnapshot, Context, Fact, taskMachine } from '../../../machines/index.ts';
import { stepper } from '../chart.ts';
import { numbered } from '../failure.ts';
import { questionSubject, sentenceOf } from '../sentence.ts';

/** Names a call or an action by its tool. */
const toolOf = ({ calls, effects }: Context, about: string): string =>
  calls[about]?.tool ??
  [...Object.values(calls), ...effects].find(({ digest }) => digest === about)?.tool ??
  'the draft';

const subjectOf = (c: Context, id: string): string => {
  const question = c.questions[id];
  return question === undefined
    ? 'the refinement'
    : questionSubject(question.kind, toolOf(c, question.about));
};

const sentence = (fact: Fact, before: Context, after: Context): string =>
  sentenceOf(fact, {
    call: (id) => toolOf(after, id),
    action: (digest) => toolOf(before, digest),
    question: (id) => subjectOf(before, id),
    proposer: 'the model',
    person: 'a person',
    threshold: before.taskClass.threshold,
  });

const reasonText = (c: Context): string =>
  c.reasons.map(({ code, about }) => `${code} ${toolNameOr(c, about)}`).join(', ');

const toolNameOr = ({ calls }: Context, about: string): string => calls[about]?.tool ?? about;

/** Returns the other results of a step: new questions, and the end. */
const consequences = (before: Context, after: Context): readonly string[] => [
  ...Object.keys(after.questions)
    .filter((id) => !(id in before.questions))
    .map((id) => `a person is asked about ${subjectOf(after, id)}`),
  ...(after.outcome === null || after.outcome === before.outcome
    ? []
    : [after.outcome === 'delivered' ? 'the task delivers' : `the task ends: ${reasonText(after)}`]),
];

/** Returns the facts of a run as numbered sentences. */
export const pathText = (machine: typeof taskMachine, input: unknown, facts: readonly Fact[]): string => {
  const { initial, step } = stepper(machine, input);
  let snapshot: CharterSnapshot = initial();
  const lines = facts.flatMap((fact) => {
    const before: Context = snapshot.context;
    snapshot = step(snapshot as ReturnType<typeof initial>, fact);
    const after: Context = snapshot.context;
    return [sentence(fact, before, after), ...consequences(before, after)];
  });
  return numbered(lines);
};
