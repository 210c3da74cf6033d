import { callOf, type World } from 'agentcharter/testing';
import { but, none } from './limit-worlds.ts';

const { note, read, send } = callOf;

/** Small worlds in which an agent in its own host goes on beside a question. */
export const besideWorlds: readonly World[] = [
  {
    name: 'an agent in its own host that goes on beside a question, with a read or a write',
    taskClass: { host: true, authorities: ['human'], limits: { ...none, rounds: 3, pauses: 1 } },
    plans: [[send('w')]],
    further: [read('r'), note('n')],
    never: [
      ...but('human.responded', 'needs_review', 'policy', 'call.failed'),
      'edit',
      'instruction',
      'comment',
    ],
  },
  {
    name: 'an agent in its own host whose edited write is verified beside a question about another',
    taskClass: {
      host: true,
      authorities: ['human'],
      beforeWrite: { verifiers: ['check'] },
      limits: { ...none, rounds: 2, pauses: 1 },
    },
    plans: [[send('w'), send('v')]],
    further: [],
    edited: send('v', 'edited'),
    never: [...but('human.responded', 'verifier'), 'instruction', 'comment', 'reject', 'start'],
  },
];
