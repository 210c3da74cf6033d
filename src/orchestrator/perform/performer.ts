import type { Duty } from '../../../machines/index.ts';
import { isCharterError } from '../../errors.ts';
import type { Actor } from '../../ports/ledger.ts';
import type { Children } from '../children.ts';
import type { Environment } from '../environment.ts';
import type { Task } from '../task.ts';

/** Everything that duties are performed with: what tasks share, and the tasks that are calls of others. */
export interface PerformerEnvironment extends Environment {
  readonly children: Children;
}

/** Does one duty and states what came of it. The signal says that it is owed no more. */
export type Performer<Kind extends Duty['kind']> = (
  task: Task,
  duty: Extract<Duty, { kind: Kind }>,
  environment: PerformerEnvironment,
  signal: AbortSignal,
) => Promise<void>;

/** The agent that a task's model speaks for. */
export const agentOf = (task: Task): Actor => ({
  kind: 'agent',
  id: task.view.projection.request.identity.agent_id,
});

export const systemOf = (id: string): Actor => ({ kind: 'system', id });

/** Whether a duty was given up because its orchestrator closes: it is owed again when the task is taken up. */
export const isClosing = ({ reason }: AbortSignal): boolean => isCharterError(reason, 'closed');
