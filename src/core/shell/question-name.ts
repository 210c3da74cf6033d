import type { OpenQuestion } from '../../ports/open-question.ts';
import type { Task } from './task.ts';

/** Returns the name of a question for an error: its kind, and the tool that it is about. */
export const questionName = (
  { view: { projection } }: Task,
  { kind, about }: Pick<OpenQuestion, 'kind' | 'about'>,
): string => {
  const call = Object.values(projection.calls).find(({ id, digest }) => id === about || digest === about);
  return `the ${kind} question${call === undefined ? '' : ` about tool ${JSON.stringify(call.tool)}`}`;
};
