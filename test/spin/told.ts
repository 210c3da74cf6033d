import type { Fact } from '../../machines/index.ts';

/** What every fact of a world says alike, or what follows from where it is said. */
const left: ReadonlySet<string> = new Set(['type', 'request', 'attempt', 'digest', 'calls', 'canProceed']);

/** A fact in one line, as a reviewer reads it; no two facts of a world read alike. */
export const told = (fact: Fact): string => {
  const isTimely = fact.type === 'deadline.passed' && (fact.of === 'model' || fact.of === 'accept');
  const about = Object.entries(fact)
    .filter(([key]) => !left.has(key) && !(isTimely && key === 'id'))
    .flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
  const digest = 'digest' in fact && !('call' in fact) ? [fact.digest] : [];
  const sure = 'confidence' in fact ? [`confidence ${fact.confidence}`] : [];
  return `${fact.type}(${[...digest, ...about, ...sure].join(', ')})`;
};
