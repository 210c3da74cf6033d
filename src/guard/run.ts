import type { DraftOutput } from '../orchestrator/outputs.ts';
import type { Progress } from '../orchestrator/progress.ts';
import type { InboxEntry } from '../orchestrator/summary.ts';
import type { CallOutcome, Clearance, Conclusion } from './outcome.ts';

/** How long somebody waits for an outcome. */
export interface Patience {
  /** Waits for people as well, instead of saying `paused`. */
  readonly waits?: boolean;
  /** Ends the waiting, and nothing else: what was proposed goes on. */
  readonly signal?: AbortSignal;
}

/** How a call is told from others. */
export interface CallOptions extends Patience {
  /**
   * What its framework calls it: made again under the same name, it is the same call, here and after a restart, and is
   * not made twice. Left out, it is a call of its own; the same write is done once all the same.
   */
  readonly ref?: string;
  /** 0 to 1: how sure the agent is of it. By default `unstated`: the task class says what follows (UpFormat 2.3). */
  readonly confidence?: number;
}

/** The answer that an agent wants to deliver; by default `canProceed` is true and `confidence` is `unstated`. */
export type Draft = Partial<DraftOutput> & Pick<DraftOutput, 'payload'>;

/** One governed run of an agent that lives in a framework: it proposes, and the chart decides (UAICP 10). */
export interface Run {
  readonly taskId: string;
  /** Proposes a call and says whether it is let in, without waiting for what it brings. */
  readonly propose: (tool: string, input: unknown, options?: CallOptions) => Promise<Clearance>;
  /** Proposes a call and waits for what becomes of it: it is made through the effect ledger, once. */
  readonly call: (tool: string, input: unknown, options?: CallOptions) => Promise<CallOutcome>;
  /** Proposes the answer: it is let out by `deliver` alone. */
  readonly conclude: (draft: Draft, options?: Patience) => Promise<Conclusion>;
  /**
   * Says whether this answer was proposed before, in this process or an earlier one. A framework that keeps answers where
   * others can write asks before it proposes one that it has only read.
   */
  readonly isProposed: (draft: Draft) => Promise<boolean>;
  /** Shows a part of the answer while it is written, marked as unverified; `false` where that may not be (UAICP 4.2). */
  readonly show: (content: string) => boolean;
  readonly progress: () => Promise<Progress>;
  /** What waits for a person, here and in the tasks nested in this one. */
  readonly questions: () => Promise<readonly InboxEntry[]>;
}
