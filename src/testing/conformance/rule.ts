import type { Phase } from '../../../schema/index.ts';
import type { ScenarioName } from './scenarios/index.ts';
import { callsOf, endOf, type Seen } from './seen.ts';
import type { Sight } from './sight.ts';
import type { Capability, Documents } from './subject.ts';

/** Why what was seen breaks a rule; `null` where it does not. */
export type Check = (seen: Seen) => string | null;

/** A scenario, and what must be seen in it. */
export interface Trial {
  readonly in: ScenarioName;
  readonly check: Check;
}

/** One rule of UAICP v0.3, and how it is tested. */
export interface Rule {
  readonly id: string;
  /** The section of the specification. */
  readonly section: string;
  /** What it asks for, in one sentence. */
  readonly says: string;
  /** The specification does not say it in so many words: it follows from what it says, as we read it. */
  readonly isInferred?: boolean;
  /** What a subject must have beside what its scenarios need. */
  readonly needs?: readonly Capability[];
  /** Capabilities of which a subject must have at least one. */
  readonly needsOneOf?: readonly Capability[];
  /** How much must be seen: a rule with too little to judge is not shown. */
  readonly sees: Sight;
  /** What must be seen where everything is in order; a rule whose control fails is not shown. */
  readonly control?: Trial;
  readonly trials: readonly Trial[];
  /** What must be seen in every scenario that was played, beside the trials. */
  readonly everywhere?: Check;
}

/** The first fault that one of several checks finds. */
export const all =
  (...checks: readonly Check[]): Check =>
  (seen) => {
    for (const check of checks) {
      const fault = check(seen);
      if (fault !== null) return fault;
    }
    return null;
  };

/** A trial in a scenario. */
export const trial = (name: ScenarioName, check: Check): Trial => ({ in: name, check });

const endsIn =
  (phase: Phase): Check =>
  (seen) =>
    endOf(seen) === phase ? null : `it ended in ${endOf(seen)}, and not in ${phase}`;

/** It ended in `deliver`. */
export const delivers = endsIn('deliver');

/** It ended in `fail_safe`. */
export const failsSafe = endsIn('fail_safe');

/** At no time was it in `deliver`, and it handed nothing over. */
export const neverDelivers: Check = ({ phases, documents }) =>
  phases.includes('deliver') || (documents.result?.payload ?? null) !== null ? 'it delivered' : null;

/** A tool was never called. */
export const neverCalls =
  (tool: string): Check =>
  (seen) =>
    callsOf(seen, tool).length === 0 ? null : `${tool} was called`;

/** A tool was called so many times. */
export const calls =
  (tool: string, times: number): Check =>
  (seen) => {
    const { length } = callsOf(seen, tool);
    return length === times ? null : `${tool} was called ${length} times, and not ${times}`;
  };

/** Where everything is in order, the run delivers. */
export const inOrder: Trial = trial('everything in order', delivers);

/** Where a high-risk write is approved, it is made and the run delivers. */
export const approved: Trial = trial('an approved write', all(calls('money.send', 1), delivers));

/** Where writes are allowed, they are made and the run delivers. */
export const allowed: Trial = trial('a low-risk write', all(calls('note.add', 2), delivers));

/** So many documents of a kind were emitted, at least, because the scenario calls for them. */
export const emitsAtLeast =
  (list: Exclude<keyof Documents, 'result'>, least: (seen: Seen) => number): Check =>
  (seen) => {
    const [there, wanted] = [seen.documents[list].length, least(seen)];
    return there >= wanted ? null : `${list}: ${there} emitted, and at least ${wanted} expected`;
  };
