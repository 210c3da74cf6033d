import type { Reason } from './eager.ts';

/** The transitions of a task that no shortest path of an eager orchestrator takes, each with the reason. */
export const ofBareChart: Readonly<Record<string, Reason>> = {
  'task taskClass.changed[0]': 'a task class changes with its process',
  'task evidence.changed[0]': 'no one can reach its documents',
  'task output.changed[0]': 'no one can reach its documents',
  'task recovery.started[0]': 'it is never taken up by another process',
  'plan always[0]': 'no task class here asks at a limit',
  'task.submitted.execute.dispatching always[1]': 'no task class here asks at a limit',
  'task.submitted.execute.calling deadline.passed[0]': 'what it owes itself, it does first',
  'task.submitted.execute.calling always[0]': 'no task class here asks at a limit',
  'task.submitted.execute.concluding help.requested[0]':
    'a model gives up only once its output was sent back',
  'task.submitted.execute.concluding capability.exceeded[0]':
    'a model gives up only once its output was sent back',
  'task.submitted.execute.concluding always[1]': 'no task class here asks at a limit',
  'task.submitted.execute.correcting always[1]': 'no task class here asks at a limit',
  'task.submitted.verify.judging always[1]': 'a task class changes with its process',
  'task.needsHumanDecision deadline.passed[0]': 'what it owes itself, it does first',
  'task.needsHumanDecision calls.proposed[0]': 'no agent in its own host goes on here',
  'task.needsHumanDecision policy.decided[0]': 'no agent in its own host goes on here',
  'task.needsHumanDecision always[0]': 'no write falls into doubt beside a question here',
  'task.completed.offering task.cancelled[0]': 'what it owes itself, it does first',
};
