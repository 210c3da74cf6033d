import type { z } from 'zod';
import type { Context, DeadlineOf, FactType } from '../../../machines/index.ts';
import { requests, type World } from './world.ts';

/** A fact under construction. */
export type PartialFact = Readonly<Record<string, unknown>>;

/** The context of a value: field, fact type, world, run, and the fields chosen before. */
export interface Place {
  readonly world: World;
  readonly c: Context;
  readonly type: FactType;
  readonly schema: z.ZodType;
  readonly fact: PartialFact;
}

export const isKnown = ({ c }: Place, call: unknown): call is string =>
  typeof call === 'string' && Object.hasOwn(c.calls, call);

export const callsIn = ({ c }: Place): readonly string[] => Object.keys(c.calls);
export const actionsIn = ({ c }: Place): readonly string[] =>
  Object.values(c.calls).map(({ digest }) => digest);
export const effectsIn = ({ c }: Place): readonly string[] => c.effects.map(({ digest }) => digest);

export const questionsIn = ({ c }: Place): readonly string[] => Object.keys(c.questions);

/** Returns what verifiers can report on: every action, and the draft. */
export const reportable = (place: Place): readonly string[] => [
  ...actionsIn(place),
  ...(place.c.draft === null ? [] : [place.c.draft.digest]),
];

export const verifiersIn = ({ c: { taskClass: one } }: Place): readonly string[] => [
  ...new Set([...one.beforeWrite.verifiers, ...one.beforeDeliver.verifiers]),
];

/** Returns an id of the model turn, from the counters that begin a new one. */
const turnOf = ({ attempt, counters: { rounds, corrections, revisions, pauses } }: Context): string =>
  [attempt, rounds, corrections, revisions, pauses].join('.');

export const evidenceIn = ({ c }: Place): readonly string[] =>
  [...Object.values(c.calls), ...c.effects].flatMap(({ evidence }) =>
    evidence === null ? [] : [evidence.id],
  );

const namesOf: Record<DeadlineOf, (place: Place) => readonly string[]> = {
  accept: ({ c }) => [c.request],
  model: ({ c }) => [turnOf(c)],
  host: ({ c }) => [turnOf(c)],
  start: callsIn,
  policy: callsIn,
  call: callsIn,
  verifier: (place) =>
    verifiersIn(place).flatMap((verifier) => reportable(place).map((of) => `${of} ${verifier}`)),
  question: questionsIn,
  dependency: ({ c }) => Object.keys(c.dependencies),
  approval: actionsIn,
  evidence: evidenceIn,
  rollback: effectsIn,
  offer: ({ c }) => [c.request],
  followup: ({ c }) => [c.request],
};

export const lateNames = (place: Place): readonly string[] => namesOf[place.fact['of'] as DeadlineOf](place);

/** Returns ids that are late, of another kind, or unknown. */
export const otherNames = (place: Place): readonly string[] => {
  const names = new Set([
    ...requests,
    ...Object.values(namesOf).flatMap((one) => one(place)),
    'hasOwnProperty',
  ]);
  for (const name of lateNames(place)) names.delete(name);
  return [...names];
};
