import type { Proposals } from '../ledger/projection/proposals.ts';
import type { Orchestrator } from '../orchestrator/surface.ts';
import type { Tool } from '../ports/tool.ts';

/** The dependencies that all runs of a guard share. */
export interface GuardContext {
  readonly orchestrator: Orchestrator;
  /** What was proposed in the current request of a task, as its ledger says. */
  readonly proposals: (taskId: string) => Promise<Proposals>;
  readonly tools: ReadonlyMap<string, Tool>;
  /** What a task class makes of a confidence that its agent did not state. */
  readonly unstated: (taskClass: string) => 'ask' | 'proceed';
  readonly freshRef: () => string;
  /** Waits until what is proposed together has come together. */
  readonly gather: (then: () => void) => void;
}
