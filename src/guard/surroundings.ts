import type { Orchestrator } from '../orchestrator/surface.ts';
import type { Tool } from '../ports/tool.ts';

/** What all runs of a guard share. */
export interface Surroundings {
  readonly orchestrator: Orchestrator;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly freshRef: () => string;
  /** Waits until what is proposed together has come together. */
  readonly gather: (then: () => void) => void;
}
