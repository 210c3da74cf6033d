import type { TaskState } from '@a2a-js/sdk';
import { OperationalState, type UpFormatMessage } from '../../../../schema/index.ts';
import type { InboxEntry } from '../../../core/kernel/summary.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import { taskStateOf } from '../states.ts';

/** The state of a task, for A2A. */
export interface TaskReport {
  readonly state: TaskState;
  /** The messages that belong to this state. */
  readonly current: readonly UpFormatMessage[];
  /** The delivered result. */
  readonly result: UpFormatMessage | undefined;
  /** All messages of the task. */
  readonly messages: readonly UpFormatMessage[];
  /** The open questions of the task and its nested tasks, without followups. */
  readonly open: readonly InboxEntry[];
  /** Why the task failed. */
  readonly reasonCodes: unknown;
  /** The id of the open followup message. */
  readonly followup: string | undefined;
}

const asks: readonly OperationalState[] = ['needsHumanDecision', 'followup'];

/**
 * Returns the operational state for a state of the ledger. A task with an unpublished offer is not complete
 * yet.
 */
const stateOf = (at: string, isAsking: boolean, isOffering: boolean): OperationalState => {
  if (isAsking) return 'needsHumanDecision';
  if (isOffering) return 'followup';
  const [name] = at.split('.');
  const state = OperationalState.safeParse(name).data ?? 'submitted';
  const isAnswered = asks.includes(state);
  return isAnswered || (state === 'completed' && at !== 'completed.settled') ? 'submitted' : state;
};

/** Returns all messages of a task, in order. */
export const messagesOf = async (
  orchestrator: Orchestrator,
  taskId: string,
): Promise<readonly UpFormatMessage[]> =>
  (await orchestrator.documents(taskId)).flatMap(({ name, document }) =>
    name === 'UpFormatMessage' ? [document] : [],
  );

/** Returns the report of a task. Throws `not_found`. */
export const taskReportOf = async (orchestrator: Orchestrator, taskId: string): Promise<TaskReport> => {
  const records = await orchestrator.ledger(taskId); // read first: later records cause another notification
  const messages = await messagesOf(orchestrator, taskId);
  const inbox = await orchestrator.inbox(taskId);
  const open = inbox.filter(({ question }) => question.kind !== 'followup');
  const offer = inbox.find(({ question, ...one }) => question.kind === 'followup' && one.taskId === taskId);
  const state = stateOf(records.at(-1)?.to ?? '', open.length > 0, offer !== undefined);
  const isRefused = records.some(({ fact }) => fact?.type === 'request.refused');
  const needsToken = open.every(({ question }) => question.needsToken === true);
  const hasDelivered = state === 'completed' || state === 'followup';
  const result = hasDelivered ? messages.findLast((one) => one.state === 'completed') : undefined;
  const last = messages.at(-1);
  const current = [result, offer?.message ?? last].flatMap((one) => one ?? []);
  const hasFailed = state === 'failed' || state === 'cancelled';
  return {
    state: taskStateOf(state, { isNew: messages.length < 2, isRefused, needsToken }),
    current: open.length > 0 ? open.map(({ message }) => message) : [...new Set(current)],
    result,
    messages,
    open,
    reasonCodes: hasFailed ? last?.payload['reasonCodes'] : undefined,
    followup: offer?.message.messageId,
  };
};
