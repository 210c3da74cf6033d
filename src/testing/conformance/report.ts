import type { Rule, Trial } from './rule.ts';
import { scenarios } from './scenarios/index.ts';
import type { Seen, TraceStep } from './seen.ts';
import type { Capability } from './subject.ts';

/** The observations of a rule, and the minimum for it to hold. */
export interface Saw {
  /** What is counted, in the plural. */
  readonly what: string;
  readonly count: number;
  readonly least: number;
}

/** The result of one rule. */
export interface RuleReport {
  readonly id: string;
  readonly section: string;
  readonly statement: string;
  /** Whether the specification states the rule, or it is inferred. */
  readonly basis: 'stated' | 'inferred';
  readonly verdict: 'holds' | 'broken' | 'not shown' | 'not offered';
  /** The missing capabilities that the rule needs. */
  readonly lacks: readonly Capability[];
  /** The observations of the rule; `null` if it is not offered. */
  readonly saw: Saw | null;
  /** The scenario that breaks the rule or whose control fails; `null` if there is none. */
  readonly scenario: string | null;
  /** The reason why it is broken or not shown; `null` otherwise. */
  readonly fault: string | null;
  /** The events of that scenario. */
  readonly trace: readonly TraceStep[];
}

/** The result of a conformance test, as plain JSON. */
export interface ConformanceReport {
  readonly subject: string;
  readonly specification: 'UAICP v0.3';
  readonly rules: readonly RuleReport[];
  readonly counts: Readonly<
    Record<'rules' | 'holds' | 'broken' | 'notShown' | 'notOffered' | 'scenarios', number>
  >;
}

interface Finding {
  readonly verdict: 'broken' | 'not shown';
  readonly seen: Seen | null;
  readonly fault: string;
}

type Played = ReadonlyMap<string, Seen>;

/** Returns the capabilities that a rule needs. */
const needsOf = ({ needs = [], control, trials }: Rule): readonly Capability[] => [
  ...needs,
  ...[...trials, ...(control === undefined ? [] : [control])].flatMap(
    (trial) => scenarios.get(trial.in)?.needs ?? [],
  ),
];

/** Returns the needed capabilities that a subject lacks. */
const lacksOf = (rule: Rule, lacking: readonly Capability[]): readonly Capability[] => {
  const { needsOneOf = [] } = rule;
  const hasNone = needsOneOf.every((capability) => lacking.includes(capability));
  const needed = new Set([...needsOf(rule), ...(hasNone ? needsOneOf : [])]);
  return lacking.filter((capability) => needed.has(capability));
};

const seenIn = (played: Played, name: string): Seen => {
  const seen = played.get(name);
  if (seen === undefined) throw new TypeError(`the scenario ${JSON.stringify(name)} was not played`);
  return seen;
};

const add = (counts: readonly number[]): number => counts.reduce((sum, one) => sum + one, 0);

const sawOf = ({ sees: { what, least, in: where, count }, trials }: Rule, played: Played): Saw => {
  if (where === 'all scenarios') {
    const whole = [...played.values()].filter(({ error }) => error === null);
    return { what, count: add(whole.map(count)), least };
  }
  const counts = trials.map((trial) => Math.min(least, count(seenIn(played, trial.in))));
  return { what, count: add(counts), least: least * trials.length };
};

const broken = (fault: string | null, seen: Seen): Finding | null =>
  fault === null ? null : { verdict: 'broken', seen, fault };

const findingIn = ({ in: name, check }: Trial, played: Played): Finding | null => {
  const seen = seenIn(played, name);
  return broken(seen.error === null ? check(seen) : `the subject failed: ${seen.error}`, seen);
};

/**
 * Returns the finding of a control. A subject that fails valid input proves nothing by rejecting invalid
 * input.
 */
const controlled = (control: Trial, played: Played): Finding | null => {
  const found = findingIn(control, played);
  if (found === null || found.seen?.error !== null) return found;
  return { ...found, verdict: 'not shown', fault: `the control failed: ${found.fault}` };
};

const tooLittle = ({ what, count, least }: Saw): Finding | null =>
  count >= least
    ? null
    : { verdict: 'not shown', seen: null, fault: `saw ${count} of at least ${least} ${what}` };

/** Yields the findings against a rule: violations first, then reasons why it is not shown. */
const findings = function* (rule: Rule, played: Played, saw: Saw) {
  const { control, trials, everywhere } = rule;
  for (const one of trials) yield findingIn(one, played);
  if (everywhere !== undefined)
    for (const seen of played.values()) yield broken(seen.error === null ? everywhere(seen) : null, seen);
  if (control !== undefined) yield controlled(control, played);
  yield tooLittle(saw);
};

/** Returns the result of a rule from the played scenarios. */
export const reportOn = (rule: Rule, played: Played, lacking: readonly Capability[]): RuleReport => {
  const { id, section, statement, isInferred = false } = rule;
  const basis = isInferred ? 'inferred' : 'stated';
  const lacks = lacksOf(rule, lacking);
  const nothing = {
    id,
    section,
    statement,
    basis,
    lacks,
    saw: null,
    scenario: null,
    fault: null,
    trace: [],
  } as const;
  if (lacks.length > 0) return { ...nothing, verdict: 'not offered' };
  const saw = sawOf(rule, played);
  for (const found of findings(rule, played, saw)) {
    if (found === null) continue;
    const { verdict, fault, seen } = found;
    return { ...nothing, verdict, saw, fault, scenario: seen?.scenario ?? null, trace: seen?.trace ?? [] };
  }
  return { ...nothing, saw, verdict: 'holds' };
};

/** Returns the report with its totals. */
export const conformanceReport = (
  subject: string,
  rules: readonly RuleReport[],
  scenarios: number,
): ConformanceReport => {
  const count = (verdict: RuleReport['verdict']): number =>
    rules.filter((rule) => rule.verdict === verdict).length;
  return {
    subject,
    specification: 'UAICP v0.3',
    rules,
    counts: {
      rules: rules.length,
      holds: count('holds'),
      broken: count('broken'),
      notShown: count('not shown'),
      notOffered: count('not offered'),
      scenarios,
    },
  };
};
