import type { Phase } from '../../../schema/index.ts';
import type { ScenarioName } from './scenarios/index.ts';
import { callsOf, endOf, type Seen } from './seen.ts';
import type { Sight } from './sight.ts';
import type { Capability, Documents } from './subject.ts';

/** Returns why a scenario breaks a rule; `null` if it does not. */
export type Check = (seen: Seen) => string | null;

/** A scenario and its check. */
export interface Trial {
  readonly in: ScenarioName;
  readonly check: Check;
}

/** A rule of UAICP v0.3 and its tests. */
export interface Rule {
  readonly id: string;
  /** The section of the specification. */
  readonly section: string;
  /** The requirement in one sentence. */
  readonly statement: string;
  /** Whether the rule is inferred rather than stated. */
  readonly isInferred?: boolean;
  /** Capabilities that it needs in addition to those of its scenarios. */
  readonly needs?: readonly Capability[];
  /** Capabilities of which it needs at least one. */
  readonly needsOneOf?: readonly Capability[];
  /** The minimum of observations. A rule with fewer is not shown. */
  readonly sees: Sight;
  /** A check of valid behaviour. A rule whose control fails is not shown. */
  readonly control?: Trial;
  readonly trials: readonly Trial[];
  /** A check of every played scenario. */
  readonly everywhere?: Check;
}

/** Returns a check that returns the first fault of several. */
export const all =
  (...checks: readonly Check[]): Check =>
  (seen) => {
    for (const check of checks) {
      const fault = check(seen);
      if (fault !== null) return fault;
    }
    return null;
  };

/** Returns a trial in a scenario. */
export const trial = (name: ScenarioName, check: Check): Trial => ({ in: name, check });

const endsIn =
  (phase: Phase): Check =>
  (seen) =>
    endOf(seen) === phase ? null : `it ended in ${endOf(seen)}, and not in ${phase}`;

/** Checks that it ended in `deliver`. */
export const delivers = endsIn('deliver');

/** Checks that it ended in `fail_safe`. */
export const failsSafe = endsIn('fail_safe');

/** Checks that it was never in `deliver` and delivered nothing. */
export const neverDelivers: Check = ({ phases, documents }) =>
  phases.includes('deliver') || (documents.result?.payload ?? null) !== null ? 'it delivered' : null;

/** Checks that a tool was never called. */
export const neverCalls =
  (tool: string): Check =>
  (seen) =>
    callsOf(seen, tool).length === 0 ? null : `${tool} was called`;

/** Checks the number of calls of a tool. */
export const calls =
  (tool: string, times: number): Check =>
  (seen) => {
    const { length } = callsOf(seen, tool);
    return length === times ? null : `${tool} was called ${length} times, and not ${times}`;
  };

/** A trial without faults: the run delivers. */
export const inOrder: Trial = trial('everything in order', delivers);

/** A trial with an approved high-risk write: it is made, and the run delivers. */
export const approved: Trial = trial('an approved write', all(calls('money.send', 1), delivers));

/** A trial with allowed writes: they are made, and the run delivers. */
export const allowed: Trial = trial('a low-risk write', all(calls('note.add', 2), delivers));

/** Checks the minimum number of documents of a kind that the scenario requires. */
export const emitsAtLeast =
  (list: Exclude<keyof Documents, 'result'>, least: (seen: Seen) => number): Check =>
  (seen) => {
    const [there, wanted] = [seen.documents[list].length, least(seen)];
    return there >= wanted ? null : `${list}: ${there} emitted, and at least ${wanted} expected`;
  };
