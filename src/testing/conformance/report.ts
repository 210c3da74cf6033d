import type { Rule, Trial } from './rule.ts';
import { scenarios } from './scenarios/index.ts';
import type { Seen, TraceStep } from './seen.ts';
import type { Capability } from './subject.ts';

/** What was found of one rule. */
export interface RuleReport {
  readonly id: string;
  readonly section: string;
  readonly says: string;
  /** Whether the specification says it in so many words, or it follows from what it says. */
  readonly basis: 'stated' | 'inferred';
  readonly verdict: 'holds' | 'broken' | 'not offered';
  /** What the subject lacks that the rule needs. */
  readonly lacks: readonly Capability[];
  /** The scenario in which it is broken; `null` where it is not. */
  readonly scenario: string | null;
  /** What was seen there that must not be seen, in words. */
  readonly fault: string | null;
  /** What happened in that scenario, from its beginning. */
  readonly trace: readonly TraceStep[];
}

/** What was found of an orchestrator: plain JSON. */
export interface ConformanceReport {
  readonly subject: string;
  readonly specification: 'UAICP v0.3';
  readonly rules: readonly RuleReport[];
  readonly counts: Readonly<Record<'rules' | 'holds' | 'broken' | 'notOffered' | 'scenarios', number>>;
}

interface Finding {
  readonly seen: Seen;
  readonly fault: string;
}

/** Everything that a subject must have for a rule to be tested. */
const needsOf = ({ needs = [], control, trials }: Rule): ReadonlySet<Capability> =>
  new Set([
    ...needs,
    ...[...trials, ...(control === undefined ? [] : [control])].flatMap(
      (trial) => scenarios.get(trial.in)?.needs ?? [],
    ),
  ]);

const findingOf = (
  { in: name, check }: Trial,
  played: ReadonlyMap<string, Seen>,
  of: string,
): Finding | null => {
  const seen = played.get(name);
  if (seen === undefined) throw new TypeError(`the scenario ${JSON.stringify(name)} was not played`);
  const fault = seen.error === null ? check(seen) : `it broke: ${seen.error}`;
  return fault === null ? null : { seen, fault: `${of}${fault}` };
};

const findings = function* ({ control, trials, everywhere }: Rule, played: ReadonlyMap<string, Seen>) {
  if (control !== undefined)
    yield findingOf(control, played, 'nothing can be shown, for where all is in order ');
  for (const one of trials) yield findingOf(one, played, '');
  if (everywhere === undefined) return;
  for (const seen of played.values()) {
    const fault = seen.error === null ? everywhere(seen) : null;
    yield fault === null ? null : { seen, fault };
  }
};

/** What was found of a rule in the scenarios that were played. */
export const reportOn = (
  rule: Rule,
  played: ReadonlyMap<string, Seen>,
  lacking: readonly Capability[],
): RuleReport => {
  const { id, section, says, isInferred = false } = rule;
  const basis = isInferred ? 'inferred' : 'stated';
  const lacks = lacking.filter((capability) => needsOf(rule).has(capability));
  const nothing = { id, section, says, basis, lacks, scenario: null, fault: null, trace: [] } as const;
  if (lacks.length > 0) return { ...nothing, verdict: 'not offered' };
  for (const found of findings(rule, played))
    if (found !== null) {
      const { fault, seen } = found;
      return { ...nothing, verdict: 'broken', scenario: seen.scenario, fault, trace: seen.trace };
    }
  return { ...nothing, verdict: 'holds' };
};

/** A report, counted. */
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
      notOffered: count('not offered'),
      scenarios,
    },
  };
};
