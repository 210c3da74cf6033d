import { callOf, type World } from 'agentcharter/testing';
import type { TaskClassInput } from '../../machines/index.ts';
import type { Feature } from './feature.ts';
import { features } from './features.ts';

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
  'recovery.started',
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

/** Limits that end a run once a feature asks for them; otherwise they are those of every task class. */
const ends = ['modelCalls', 'calls'] as const;

/**
 * Pauses add up, so that each may stop the run; of another limit, the larger one is enough. What ends a run comes so many
 * turns and calls later as there is room for.
 */
const limitsOf = (some: readonly (Limits | undefined)[], room: number): Limits => {
  const asked = some.filter((one) => one !== undefined);
  const most = Object.entries(limits).map(([name, count]) => [
    name,
    Math.max(count, ...asked.map((one) => one[name as keyof Limits] ?? 0)),
  ]);
  const bounds = ends.flatMap((name) => {
    const counts = asked.flatMap((one) => one[name] ?? []);
    return counts.length === 0 ? [] : [[name, Math.max(...counts) + room]];
  });
  const pauses = asked.reduce((sum, one) => sum + (one.pauses ?? 0), limits.pauses);
  return { ...(Object.fromEntries([...most, ...bounds]) as Limits), pauses };
};

/** The smallest world in which these features may show, with room for so many more turns and calls. */
const worldWith = (some: readonly Feature[], room = 0): World => {
  const needs = some.map((feature) => feature.needs);
  const calls = [...new Map(needs.flatMap((one) => one.calls ?? []).map((call) => [call.id, call])).values()];
  const heard = new Set(needs.flatMap(({ hears = [] }) => hears));
  return {
    name: some.map(({ name }) => name).join(', '),
    ...Object.assign({}, ...needs.map(({ world }) => world)),
    taskClass: {
      ...Object.assign({ authorities: ['approval', 'human'] }, ...needs.map(({ taskClass }) => taskClass)),
      limits: limitsOf(
        needs.map((one) => one.limits),
        room,
      ),
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

const isEnd = ({ needs: { limits: bounds = {} } }: Feature): boolean =>
  ends.some((name) => bounds[name] !== undefined);

/** Another request, which needs more turns and calls than the first one. */
const longerRequest: readonly Feature[] = [
  ...anotherRequest,
  {
    name: 'a longer request',
    shows: () => false,
    needs: { limits: { corrections: 2, repairs: 1 }, hears: ['output.rejected', 'call.failed'] },
  },
];

/** The worlds in which two features may meet, the smallest first. */
export const worldsFor = (one: Feature, other: Feature): readonly World[] => {
  const isEnding = isEnd(one) || isEnd(other);
  const beside = [[], [anotherAttempt], anotherRequest, ...(isEnding ? [longerRequest] : [])];
  return beside.flatMap((more) =>
    (isEnding ? [0, 1, 2] : [0]).map((room) => worldWith([one, other, ...more], room)),
  );
};

export const pairName = (one: string, other: string): string => `${one} + ${other}`;

/** Every two features. */
export const pairsOfFeatures = features.flatMap((one, at) =>
  features.slice(at + 1).map((other) => ({ name: pairName(one.name, other.name), one, other })),
);
