import type { Fact } from '../../../../machines/index.ts';

/**
 * Returns whether people or the clock can repeat a fact without a limit: comments, requests, stop, expiry,
 * rechecks.
 */
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
    case 'call.doubted':
    case 'call.failed':
    case 'call.refused':
    case 'call.started':
    case 'call.succeeded':
    case 'calls.proposed':
    case 'capability.exceeded':
    case 'deadline.passed':
    case 'dependency.awaited':
    case 'dependency.met':
    case 'draft.proposed':
    case 'followup.offered':
    case 'help.requested':
    case 'information.requested':
    case 'output.rejected':
    case 'plan.proposed':
    case 'policy.decided':
    case 'question.raised':
    case 'recovery.started':
    case 'request.accepted':
    case 'request.refused':
    case 'rollback.failed':
    case 'rollback.started':
    case 'rollback.succeeded':
    case 'taskClass.changed':
    case 'verifier.reported':
      return false;
  }
};
