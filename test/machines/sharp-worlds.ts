import { callOf, type World } from 'agentcharter/testing';
import { besideWorlds } from './beside-worlds.ts';
import { heldWorlds } from './held-worlds.ts';
import { but, limitWorlds, none } from './limit-worlds.ts';

const { note, read, send, undoable } = callOf;

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
    name: 'a draft that is wrong, and comes again of the same plan',
    taskClass: {
      beforeDeliver: { verifiers: ['facts'] },
      repairTo: 'execute',
      limits: { ...none, repairs: 1 },
    },
    plans: [[]],
    never: but(),
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
  ...besideWorlds,
  ...limitWorlds,
  ...heldWorlds,
];
