import type { Duty } from '../../../machines/index.ts';
import { isCharterError } from '../../errors.ts';
import type { Actor, CallDocument } from '../../ports/ledger.ts';
import type { Tool } from '../../ports/tool.ts';
import type { Children } from '../children.ts';
import type { Environment } from '../environment.ts';
import type { Task } from '../task.ts';
import type { Span } from '../tracing.ts';

/** Everything that duties are performed with: what tasks share, and the tasks that are calls of others. */
export interface PerformerPorts extends Environment {
  readonly children: Children;
}

/** Does one duty and states what came of it. The signal says that it is owed no more. */
export type Performer<Kind extends Duty['kind'], Ports = PerformerPorts> = (
  task: Task,
  duty: Extract<Duty, { kind: Kind }>,
  environment: Ports,
  signal: AbortSignal,
) => Promise<void>;

/** Returns a system as an actor. */
export const systemOf = (id: string): Actor => ({ kind: 'system', id });

/** Whether a duty was given up because its orchestrator closes: it is owed again when the task is taken up. */
export const isClosing = ({ reason }: AbortSignal): boolean => isCharterError(reason, 'closed');

/** One call under way. */
export interface Run {
  readonly task: Task;
  readonly environment: PerformerPorts;
  readonly tool: Tool;
  readonly call: CallDocument;
  readonly of: { readonly request: string; readonly attempt: number; readonly call: string };
  readonly signal: AbortSignal;
  /** Once it is being made. */
  readonly span?: Span;
}
