import type { DeadlineOf, Fact } from '../../machines/index.ts';

/** What every fact of a world says alike, or what follows from where it is said. */
const left: ReadonlySet<string> = new Set(['type', 'request', 'attempt', 'digest', 'calls', 'canProceed']);

/** Deadlines of which a run has one at a time. */
const timely: readonly DeadlineOf[] = ['accept', 'model', 'host', 'offer', 'followup'];

/** A run asks once whether to keep what an absent agent wrote, in whichever turn. */
const named = (text: string): string => (text.startsWith('host:') ? 'host' : text);

/** What an answer brings, where it can bring several things, and what begins anew. */
const brought = (fact: Fact): readonly string[] => {
  if (fact.type === 'changes.requested') return [fact.request];
  return fact.type === 'human.responded' && fact.plan !== undefined ? [fact.plan.digest] : [];
};

/** What evidence says of itself, where it says anything. */
const ofEvidence = (fact: Fact): readonly string[] => {
  if (fact.type !== 'call.succeeded') return [];
  const { empty, meets = [], subjects = {} } = fact.evidence;
  return [...(empty === true ? ['empty'] : []), ...meets, ...Object.values(subjects)];
};

/** A fact in one line, as a reviewer reads it; no two facts of a world read alike. */
export const told = (fact: Fact): string => {
  const isTimely = fact.type === 'deadline.passed' && timely.includes(fact.of);
  const about = Object.entries(fact)
    .filter(([key]) => !left.has(key) && !(isTimely && key === 'id'))
    .flatMap(([, value]) => (typeof value === 'string' ? [named(value)] : []));
  const digest = 'digest' in fact && !('call' in fact) ? [fact.digest] : [];
  const sure = 'confidence' in fact ? [`confidence ${fact.confidence}`] : [];
  return `${fact.type}(${[...digest, ...about, ...ofEvidence(fact), ...brought(fact), ...sure].join(', ')})`;
};
