import { TaskState } from '@a2a-js/sdk';
import type { OperationalState } from '../../../schema/index.ts';

/** Circumstances of a task that its operational state does not show. */
export interface Circumstances {
  /** No work on it has begun. */
  readonly isNew?: boolean;
  /** It was rejected at intake, before any planning. */
  readonly isRefused?: boolean;
  /** All its questions require a signed approval. */
  readonly needsToken?: boolean;
}

/**
 * Returns the A2A state. A `followup` is completed, because it was delivered (UpFormat Table 2, A2A 4.1.3).
 */
export const taskStateOf = (
  state: OperationalState,
  { isNew = false, isRefused = false, needsToken = false }: Circumstances = {},
): TaskState => {
  switch (state) {
    case 'submitted':
      return isNew ? TaskState.TASK_STATE_SUBMITTED : TaskState.TASK_STATE_WORKING;
    case 'waiting':
      return TaskState.TASK_STATE_WORKING;
    case 'needsHumanDecision':
      return needsToken ? TaskState.TASK_STATE_AUTH_REQUIRED : TaskState.TASK_STATE_INPUT_REQUIRED;
    case 'completed':
    case 'followup':
      return TaskState.TASK_STATE_COMPLETED;
    case 'failed':
      return isRefused ? TaskState.TASK_STATE_REJECTED : TaskState.TASK_STATE_FAILED;
    case 'cancelled':
      return TaskState.TASK_STATE_CANCELED;
  }
};

/** Returns what an A2A state means for a dependent task: working, asking, completed or failed. */
export const meaningOf = (state: TaskState | undefined): 'works' | 'asks' | 'completed' | 'failed' => {
  switch (state) {
    case TaskState.TASK_STATE_INPUT_REQUIRED:
    case TaskState.TASK_STATE_AUTH_REQUIRED:
      return 'asks';
    case TaskState.TASK_STATE_COMPLETED:
      return 'completed';
    case TaskState.TASK_STATE_FAILED:
    case TaskState.TASK_STATE_REJECTED:
    case TaskState.TASK_STATE_CANCELED:
      return 'failed';
    case TaskState.TASK_STATE_SUBMITTED:
    case TaskState.TASK_STATE_WORKING:
    case TaskState.TASK_STATE_UNSPECIFIED:
    case TaskState.UNRECOGNIZED:
    case undefined:
      return 'works';
  }
};

/** Returns whether a state is terminal. A terminal task accepts no messages. */
export const isOver = (state: TaskState | undefined): boolean =>
  ['completed', 'failed'].includes(meaningOf(state));
