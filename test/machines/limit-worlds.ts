import { callOf, type World } from 'agentcharter/testing';
import type { FactType } from '../../machines/index.ts';

const { note, read, send, undoable } = callOf;
/** Limits that allow one round, and nothing again. */
export const none = {
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
/** Everything that goes wrong, except what is named. */
export const but = (...heard: readonly string[]): NonNullable<World['never']> =>
  [...asides, ...times, 'unsure', 'needs_review', 'question.raised', 'dependency.awaited'].filter(
    (name) => !heard.includes(name),
  ) as NonNullable<World['never']>;

/** Small worlds whose runs reach a limit, or whose documents change. */
export const limitWorlds: readonly World[] = [
  {
    name: 'a model that uses up its turns',
    taskClass: { limits: { ...none, corrections: 2, rounds: 2, repairs: 1, modelCalls: 2 } },
    plans: [[read('r')]],
    further: [read('s')],
    never: but('output.rejected', 'model', 'call.failed'),
  },
  {
    name: 'limits at which a person is asked, and what was approved stays',
    taskClass: {
      atLimit: 'keep',
      limits: { ...none, corrections: 1, pauses: 1, modelCalls: 1, calls: 1 },
    },
    plans: [[undoable('u')]],
    further: [read('s')],
    never: [
      ...but('output.rejected', 'human.responded', 'information.requested', 'needs_review'),
      'comment',
      'instruction',
      'edit',
      'task.cancelled',
      'start',
    ],
  },
  {
    name: 'a round more than the limit, which a person is asked about',
    taskClass: { atLimit: 'ask', limits: none },
    plans: [[read('r')]],
    further: [read('s')],
    never: [...but('human.responded'), 'comment', 'task.cancelled', 'start'],
  },
  {
    name: 'a call more than the limit, which a person is asked about',
    taskClass: { atLimit: 'ask', limits: { ...none, calls: 1 } },
    plans: [[undoable('u'), note('n')]],
    never: [...but('human.responded'), 'comment', 'start'],
  },
  {
    name: 'a turn more than the limit, which a person is asked about',
    taskClass: { atLimit: 'ask', limits: { ...none, corrections: 1, modelCalls: 2 } },
    plans: [[]],
    never: [...but('output.rejected', 'human.responded'), 'comment', 'task.cancelled'],
  },
  {
    name: 'a write in doubt beside one that a person approves',
    taskClass: { authorities: ['human'], limits: { ...none, pauses: 2 } },
    plans: [[undoable('u'), send('w')]],
    never: [...but('call.doubted', 'human.responded'), 'comment', 'edit', 'instruction'],
  },
  {
    name: 'failures of a tool that the model reads',
    taskClass: { limits: { ...none, failures: 1, repairs: 1 } },
    plans: [[read('r'), undoable('u')]],
    never: but('call.failed', 'call.doubted', 'call'),
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
