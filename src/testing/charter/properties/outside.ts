import type { Fact } from '../../../../machines/index.ts';

/** What no chart bounds: remarks, further requests, stop, approvals that expire, a clearance that is looked at again. */
export const isOutside = (fact: Fact): boolean => {
  switch (fact.type) {
    case 'human.responded':
      return fact.feedback === 'comment' || fact.feedback === 'approve';
    case 'approval.granted':
    case 'call.cleared':
    case 'changes.requested':
    case 'evidence.changed':
    case 'output.changed':
    case 'run.failed':
    case 'task.cancelled':
      return true;
    default:
      return false;
  }
};
