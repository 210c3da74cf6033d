import { callOf, type World } from 'agentcharter/testing';
import type { TaskClassInput } from '../../machines/index.ts';
import { features, type Feature } from './features.ts';

type Heard = NonNullable<World['never']>[number];

/** What a world hears only if a feature needs it. */
const asides: readonly Heard[] = [
  'information.requested',
  'help.requested',
  'output.rejected',
  'capability.exceeded',
  'request.refused',
  'run.failed',
  'evidence.changed',
  'output.changed',
  'task.cancelled',
  'call.refused',
  'call.doubted',
  'call.failed',
  'approval.granted',
  'question.raised',
  'dependency.awaited',
  'human.responded',
  'followup.offered',
  'changes.requested',
  'unsure',
  'needs_review',
  'accept',
  'model',
  'host',
  'policy',
  'start',
  'call',
  'verifier',
  'question',
  'dependency',
  'approval',
  'evidence',
  'rollback',
  'offer',
  'followup',
  'approve',
  'edit',
  'reject',
  'instruction',
  'rank',
  'comment',
];

const limits = {
  corrections: 0,
  repairs: 0,
  rounds: 1,
  revisions: 0,
  refreshes: 0,
  pauses: 0,
  clearances: 0,
  recoveries: 0,
};

type Limits = NonNullable<TaskClassInput['limits']>;

/** Pauses add up, so that each may stop the run; of another limit, the larger one is enough. */
const limitsOf = (some: readonly (Limits | undefined)[]): Limits =>
  some.reduce<typeof limits>(
    (all, one = {}) => ({
      ...(Object.fromEntries(
        Object.entries(all).map(([name, count]) => [name, Math.max(count, one[name as keyof Limits] ?? 0)]),
      ) as typeof limits),
      pauses: all.pauses + (one.pauses ?? 0),
    }),
    limits,
  );

/** The smallest world in which these features may show. */
const worldWith = (...some: readonly Feature[]): World => {
  const needs = some.map((feature) => feature.needs);
  const calls = [...new Map(needs.flatMap((one) => one.calls ?? []).map((call) => [call.id, call])).values()];
  const heard = new Set(needs.flatMap(({ hears = [] }) => hears));
  return {
    name: some.map(({ name }) => name).join(', '),
    ...Object.assign({}, ...needs.map(({ world }) => world)),
    taskClass: {
      ...Object.assign({ authorities: ['approval', 'human'] }, ...needs.map(({ taskClass }) => taskClass)),
      limits: limitsOf(needs.map((one) => one.limits)),
    },
    plans: needs.some(({ drops }) => drops) ? [calls, []] : [calls],
    never: asides.filter((name) => !heard.has(name)),
  };
};

/** Another attempt, with one more write: what ends an attempt may then meet what comes before it. */
const anotherAttempt: Feature = {
  name: 'another attempt',
  shows: () => false,
  needs: {
    calls: [callOf.undoable('v')],
    limits: { repairs: 1, pauses: 1 },
    hears: ['call.failed'],
  },
};

/** Another request after the first was delivered. */
const anotherRequest = features.filter(({ name }) => name === 'further changes');

/** The worlds in which two features may meet, the smallest first. */
export const worldsFor = (one: Feature, other: Feature): readonly World[] => [
  worldWith(one, other),
  worldWith(one, other, anotherAttempt),
  worldWith(one, other, ...anotherRequest),
];

export const pairName = (one: string, other: string): string => `${one} + ${other}`;

/** Every two features. */
export const pairsOfFeatures = features.flatMap((one, at) =>
  features.slice(at + 1).map((other) => ({ name: pairName(one.name, other.name), one, other })),
);
