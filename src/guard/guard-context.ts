import type { Orchestrator } from '../orchestrator/surface.ts';
import type { Tool } from '../ports/tool.ts';

/** The dependencies that all runs of a guard share. */
export interface GuardContext {
  readonly orchestrator: Orchestrator;
  readonly tools: ReadonlyMap<string, Tool>;
  /** What a task class makes of a confidence that its agent did not state. */
  readonly unstated: (taskClass: string) => 'ask' | 'proceed';
  readonly freshRef: () => string;
  /** Waits until what is proposed together has come together. */
  readonly gather: (then: () => void) => void;
}
