import { callOf, type World } from 'agentcharter/testing';
import type { FactType } from '../../machines/index.ts';

const { note, read, send, undoable } = callOf;
const none = {
  corrections: 0,
  repairs: 0,
  rounds: 1,
  revisions: 0,
  refreshes: 0,
  pauses: 0,
  clearances: 0,
  recoveries: 0,
};
const asides = [
  'information.requested',
  'help.requested',
  'output.rejected',
  'capability.exceeded',
  'request.refused',
  'run.failed',
  'evidence.changed',
  'output.changed',
  'call.refused',
  'call.doubted',
  'call.failed',
  'human.responded',
  'approval.granted',
] as const satisfies readonly FactType[];
const times = ['accept', 'model', 'policy', 'call', 'verifier', 'evidence', 'rollback', 'approval'] as const;
const but = (...heard: readonly string[]): NonNullable<World['never']> =>
  [...asides, ...times, 'unsure', 'needs_review', 'question.raised', 'dependency.awaited'].filter(
    (name) => !heard.includes(name),
  ) as NonNullable<World['never']>;

/** Small worlds, each sharp in its own corner. */
export const sharpWorlds: readonly World[] = [
  {
    name: 'nothing to do, another plan, and a followup',
    taskClass: { followup: true, limits: { ...none, pauses: 1, revisions: 1 } },
    plans: [[]],
    never: but('unsure', 'human.responded', 'accept', 'model'),
  },
  {
    name: 'a checked write that asks and waits, executed again',
    taskClass: {
      beforeWrite: { verifiers: ['check'] },
      repairTo: 'execute',
      limits: { ...none, repairs: 1, pauses: 1 },
    },
    plans: [[undoable('u')]],
    never: but('question.raised', 'dependency.awaited', 'call.failed', 'call', 'human.responded'),
  },
  {
    name: 'a write that the next plan drops',
    taskClass: { beforeDeliver: { verifiers: ['facts'] }, limits: { ...none, repairs: 1 } },
    plans: [[undoable('u')], [note('n')], []],
    never: but('call.failed'),
  },
  {
    name: 'a write that rests on a read',
    taskClass: { limits: { ...none, refreshes: 1, pauses: 1 } },
    plans: [[read('r'), note('n')]],
    never: but('evidence', 'unsure', 'needs_review', 'human.responded'),
  },
  {
    name: 'a model that falls short, and then concludes in a further round',
    taskClass: { limits: { ...none, corrections: 1, rounds: 2, pauses: 1 } },
    plans: [[]],
    further: [read('r')],
    never: but(
      'unsure',
      'output.rejected',
      'help.requested',
      'capability.exceeded',
      'request.refused',
      'information.requested',
    ),
  },
  {
    name: 'a followup that nobody answers, or remarks upon',
    taskClass: { followup: true, limits: none },
    plans: [[]],
    never: but('human.responded'),
  },
  {
    name: 'a read that waits, and then asks',
    taskClass: { limits: { ...none, pauses: 2 } },
    plans: [[read('r'), read('s')]],
    never: but('question.raised', 'dependency.awaited', 'human.responded'),
  },
  {
    name: 'a high-risk write that nobody may be asked about',
    taskClass: { limits: none },
    plans: [[send('w')]],
    never: but('approval.granted', 'unsure'),
  },
  {
    name: 'a threshold that rises while a draft is verified',
    taskClass: { beforeDeliver: { verifiers: ['facts'] }, limits: { ...none, repairs: 1, pauses: 1 } },
    tightened: { threshold: 0.95 },
    plans: [[]],
    never: but('human.responded'),
  },
  {
    name: 'further calls that nobody may be asked about',
    taskClass: { limits: { ...none, rounds: 2 } },
    plans: [[]],
    further: [read('r')],
    never: but('unsure'),
  },
  {
    name: 'a model that uses up its turns',
    taskClass: { limits: { ...none, corrections: 2, rounds: 2, modelCalls: 2 } },
    plans: [[read('r')]],
    further: [read('s')],
    never: but('output.rejected', 'model'),
  },
  {
    name: 'more calls than the limit takes',
    taskClass: { limits: { ...none, calls: 2 } },
    plans: [[read('r'), read('s'), undoable('u')]],
    never: but('call.failed'),
  },
  {
    name: 'a write and its rollback in doubt, looked up once',
    taskClass: { limits: { ...none, pauses: 1, recoveries: 1 } },
    plans: [[undoable('u')]],
    never: but('call.doubted', 'human.responded', 'rollback'),
  },
  {
    name: 'evidence and a draft that were changed',
    taskClass: { beforeDeliver: { verifiers: ['facts'] }, limits: none },
    plans: [[read('r'), undoable('u')]],
    never: but('evidence.changed', 'output.changed'),
  },
];
