import type { ToolName, Tools } from '../../base/define/inferred.ts';
import type { Promises, TaskProperty } from './promises.ts';

/** The options of a proof. */
export interface ProofOptions<Has extends Tools = Tools> {
  /** The tools of the task class; their code does not run. */
  readonly tools: Has;
  /** What you promise, apart from the task class: a class that does not keep it fails. */
  readonly promises?: Promises<ToolName<Has>>;
  /** Further properties of the chart, which every world must have. */
  readonly properties?: readonly TaskProperty[];
  /** The maximum number of states of each world; 20,000 by default. A larger one is reported as not covered. */
  readonly limit?: number;
}
