import type { TaskClass } from '../../../machines/index.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import type { Approvals } from '../../base/ports/approvals.ts';

/**
 * Returns a task class with the authorities of a class that names none: signed approvals if they can be verified here,
 * otherwise a person. A guest leaves the choice to the owner of the task.
 */
export const withAuthorities = (
  taskClass: DefinedTaskClass,
  { approvals, role }: { readonly approvals?: Approvals; readonly role?: 'owner' | 'guest' },
): DefinedTaskClass => {
  const { contract, authorities } = taskClass;
  if (authorities !== undefined || approvals !== undefined) return taskClass;
  return {
    ...taskClass,
    contract: { ...contract, authorities: role === 'guest' ? ['approval', 'human'] : ['human'] },
  };
};

/**
 * Returns the contract in force for a task. If its class names no authorities, those count that the task began with; only
 * signed approvals, where they can be verified now and counted then.
 */
export const keptAuthorities = ({ authorities, contract }: DefinedTaskClass, begun: TaskClass): TaskClass => {
  const isSigned = [contract, begun].every((one) => one.authorities.includes('approval'));
  return authorities !== undefined || isSigned ? contract : { ...contract, authorities: begun.authorities };
};
