import type { Fact } from '../../../../machines/index.ts';

/** What people can say for ever, so that no chart bounds it: remarks, further requests, stop, and approvals that expire. */
export const isOutside = (fact: Fact): boolean => {
  switch (fact.type) {
    case 'human.responded':
      return fact.feedback === 'comment' || fact.feedback === 'approve';
    case 'approval.granted':
    case 'changes.requested':
    case 'run.failed':
    case 'task.cancelled':
      return true;
    default:
      return false;
  }
};
