import type { Requirements, TaskClass } from './vocabulary.ts';

/** The same words, in whichever order an object lists its members. */
const isSame = (one: unknown, other: unknown): boolean => {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return Object.is(one, other);
  const mine = new Map(Object.entries(one).filter(([, value]) => value !== undefined));
  const theirs = new Map(Object.entries(other).filter(([, value]) => value !== undefined));
  return (
    Array.isArray(one) === Array.isArray(other) &&
    mine.size === theirs.size &&
    [...mine].every(([key, value]) => theirs.has(key) && isSame(value, theirs.get(key)))
  );
};

const either = <One>(ours: readonly One[], theirs: readonly One[]): readonly One[] => [
  ...ours,
  ...theirs.filter((one) => !ours.some((known) => isSame(known, one))),
];

const both = <One>(ours: readonly One[], theirs: readonly One[]): readonly One[] =>
  ours.filter((one) => theirs.includes(one));

const require = (ours: Requirements, theirs: Requirements): Requirements => ({
  evidence: either(ours.evidence, theirs.evidence),
  verifiers: either(ours.verifiers, theirs.verifiers),
});

const toolsOf = ({ tools: ours }: TaskClass, { tools: theirs }: TaskClass): TaskClass['tools'] => {
  if (ours === undefined) return theirs;
  return theirs === undefined ? ours : both(ours, theirs);
};

/** The stricter of two contracts, member by member; `null` where it is the one in force already (decision 0040). */
export const stricterOf = (inForce: TaskClass, other: TaskClass): TaskClass | null => {
  const strict: TaskClass = {
    ...inForce,
    threshold: Math.max(inForce.threshold, other.threshold),
    unstated: [inForce, other].every(({ unstated }) => unstated === 'proceed') ? 'proceed' : 'ask',
    tools: toolsOf(inForce, other),
    beforeWrite: require(inForce.beforeWrite, other.beforeWrite),
    beforeDeliver: require(inForce.beforeDeliver, other.beforeDeliver),
    authorities: both(inForce.authorities, other.authorities),
    approvers: Math.max(inForce.approvers, other.approvers),
    selfApproval: inForce.selfApproval && other.selfApproval,
    defaults: both(inForce.defaults, other.defaults),
    ...(other.flows === 'refuse' && { flows: 'refuse' }),
  };
  return isSame(strict, inForce) ? null : strict;
};
