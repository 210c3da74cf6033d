import { isAny, type Fate } from './fate.ts';
import type { Fact, Proposal, Subjects, Words } from './vocabulary.ts';

const proposal = (
  id: string,
  tier: Proposal['tier'],
  rollback: boolean,
  digest = `do-${id}`,
  subjects?: Subjects,
  tool = `tool-${id}`,
): Proposal => ({
  id,
  tool,
  tier,
  digest,
  rollback,
  ...(subjects !== undefined && { subjects }),
});

/** What may be proposed: two of each kind, twins, and another action under a name that was used. */
export const pool: readonly [Proposal, ...Proposal[]] = [
  proposal('r', 'read_only', false),
  proposal('u', 'write_low_risk', true, 'do-u', { same: 'a' }),
  proposal('w', 'write_high_risk', true, 'do-w', { same: 'b', other: 'a' }),
  proposal('s', 'read_only', false),
  proposal('v', 'write_low_risk', true, 'do-v', { same: 'b' }),
  proposal('n', 'write_low_risk', false),
  { ...proposal('y', 'write_low_risk', true), together: true },
  { ...proposal('z', 'write_low_risk', true), after: ['w', 'u'] },
  proposal('t', 'write_low_risk', true, 'do-u', { same: 'a' }, 'tool-u'),
  proposal('h', 'write_high_risk', true, 'do-h', { other: 'a' }),
  proposal('h2', 'write_high_risk', true, 'do-w', { same: 'b', other: 'a' }, 'tool-w'),
  proposal('x', 'write_high_risk', false),
  proposal('u', 'write_low_risk', true, 'do-u-otherwise', { same: 'b' }),
  { ...proposal('k', 'write_low_risk', true), held: ['FLOW_FORBIDDEN'] },
  {
    ...proposal('l', 'write_high_risk', true, 'do-w', undefined, 'tool-w'),
    held: ['MANDATE_EXCEEDED', 'FLOW_FORBIDDEN'],
  },
  { ...proposal('q', 'read_only', false), held: ['FLOW_FORBIDDEN'] },
];

const someCalls = ({ among, chance }: Fate, most: 2 | 3, from = pool): readonly Proposal[] => {
  const calls: Proposal[] = chance(75) ? [from[0]] : [];
  for (let left = among([1, 2, 0, 3]); left > 0 && calls.length < most; left -= 1) calls.push(among(from));
  return chance(5)
    ? calls
    : calls.filter(({ id }, index) => calls.findIndex((one) => one.id === id) === index);
};

/** No number from 0 to 1. */
const noConfidence = [Number.NaN, 1.000_001] as const;

const words = ({ among, chance }: Fate, digest: string): Words => ({
  digest,
  confidence: chance(16) ? among<Words['confidence']>([0.5, 0.2, 0.7, 'unstated', 1, ...noConfidence]) : 0.9,
  canProceed: !chance(4),
});

/** A plan that the model, or a person in its place, may propose. */
export const aPlan = (fate: Fate) => ({
  ...words(fate, fate.among(['plan', 'plot'])),
  calls: someCalls(fate, 3),
});

/** Further calls, likewise. */
const aRound = (fate: Fate, from = pool) => ({
  ...words(fate, fate.among(['further', 'plan', 'more'])),
  calls: someCalls(fate, 2, from),
});

/** Calls that an agent proposes by itself, mostly under names that are new. */
export const furthered = (fate: Fate, taken: readonly string[]): Fact => {
  const unused = pool.filter(({ id }) => !taken.includes(id));
  return { type: 'calls.proposed', ...aRound(fate, isAny(unused) && fate.chance(90) ? unused : pool) };
};

/** A draft, likewise. */
export const aDraft = (fate: Fate) => words(fate, fate.among(['draft', 'sketch']));

/** What a model says that owes a plan. */
export const proposed = (fate: Fate, question: string): Fact => {
  const plan = { type: 'plan.proposed', ...aPlan(fate) } as const;
  if (fate.chance(75)) return plan;
  switch (fate.among(['rejected', 'help', 'information', 'beyond'] as const)) {
    case 'rejected':
      return { type: 'output.rejected', question };
    case 'help':
      return { type: 'help.requested', question };
    case 'information':
      return { type: 'information.requested', question };
    case 'beyond':
      return fate.chance(20) ? { type: 'capability.exceeded' } : plan;
  }
};

/** What a model says that owes a draft. */
export const concluded = (fate: Fate, question: string): Fact => {
  const draft = { type: 'draft.proposed', ...aDraft(fate) } as const;
  if (fate.chance(55)) return draft;
  if (fate.chance(50)) return { type: 'calls.proposed', ...aRound(fate) };
  switch (fate.among(['rejected', 'help', 'beyond'] as const)) {
    case 'rejected':
      return { type: 'output.rejected', question };
    case 'help':
      return { type: 'help.requested', question };
    case 'beyond':
      return fate.chance(20) ? { type: 'capability.exceeded' } : draft;
  }
};
