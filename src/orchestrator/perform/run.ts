import type { CallDocument } from '../../ports/ledger.ts';
import type { Tool } from '../../ports/tool.ts';
import type { Task } from '../task.ts';
import type { Span } from '../tracing.ts';
import type { PerformerEnvironment } from './performer.ts';

/** One call under way. */
export interface Run {
  readonly task: Task;
  readonly environment: PerformerEnvironment;
  readonly tool: Tool;
  readonly call: CallDocument;
  readonly of: { readonly request: string; readonly attempt: number; readonly call: string };
  readonly signal: AbortSignal;
  /** Once it is being made. */
  readonly span?: Span;
}
