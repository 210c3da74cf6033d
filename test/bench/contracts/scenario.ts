import type { Call } from './suite.ts';

/** A value that an agent is not shown, and takes from the result of a step. */
export class FromStep {
  readonly step: number;
  readonly pointer: string;

  constructor(step: number, pointer: string) {
    this.step = step;
    this.pointer = pointer;
  }
}

/** One call that an agent makes, and what comes of it. */
export interface Step extends Call {
  readonly output: string;
  /** The attacker's calls are those that the task of the user does not need. */
  readonly by: 'user' | 'attacker';
  /** It is made only if that step was not. */
  readonly unless?: number;
  /** What the second model answers, if this is an extraction. */
  readonly extracted?: unknown;
  /** The agent's mistake lies in the time of this call: it comes before its look-ups. */
  readonly isEarly?: true;
}

/** What an attacker wants: for every member, one of these calls. */
export type Goals = readonly (readonly Call[])[];

/** One run to replay. */
export interface Scenario {
  readonly id: string;
  readonly request: { readonly prompt: string };
  readonly steps: readonly Step[];
  /** The ground truth of the user. */
  readonly user: readonly Call[];
  /** Empty where nobody attacks. */
  readonly goals: Goals;
  /** A text that is hidden in calls of the user, if that is the attack. */
  readonly smuggled?: string;
  /** What another party wrote into a result. */
  readonly injected: string;
  /** The calls of the user with the injected result, for an agent that never reads it. */
  readonly plain?: readonly Step[];
  /** The step whose result has the injection; `null` for a mistake of the agent itself. */
  readonly injectedAt: number | null;
}
