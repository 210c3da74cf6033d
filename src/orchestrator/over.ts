import type { Task } from './task.ts';

const howItGoes = ({ view: { context } }: Task): string => {
  const [first] = context.reasons;
  if (first === undefined) return 'it went on without it';
  if (first.code === 'CANCELLED' && first.about === 'task') return 'it was cancelled';
  return `it fails with ${first.code}`;
};

/** Why nothing needs a child any more, as the ledger of the child keeps it: it names the parent. */
export const overFor = (parent: Task): string => {
  const { taskClass } = parent.view.projection.request;
  return `Task ${parent.taskId} of class ${taskClass} no longer needs this: ${howItGoes(parent)}.`;
};
