import { TaskState } from '@a2a-js/sdk';
import type { OperationalState } from '../../../schema/index.ts';

/** What is known of a task beside the operational state that it declares. */
export interface Circumstances {
  /** No work on it has begun. */
  readonly isNew?: boolean;
  /** It was turned away at intake: nothing of it was planned or done. */
  readonly isRefused?: boolean;
  /** Everything that it asks wants a signed approval: a person's word alone answers nothing. */
  readonly needsToken?: boolean;
}

/** The state of an A2A task; a `followup` has delivered, and waits for nobody (UpFormat Table 2, A2A 4.1.3). */
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

/** What a state of A2A means to whoever waits for its task: work goes on, an answer is wanted, or it is over. */
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

/** Terminal states are final: no message is taken there any more. */
export const isOver = (state: TaskState | undefined): boolean =>
  ['completed', 'failed'].includes(meaningOf(state));
