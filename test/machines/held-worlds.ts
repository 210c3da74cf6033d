import { callOf, type World } from 'agentcharter/testing';
import type { HeldCode, ProposedCall } from '../../machines/index.ts';
import { but, none } from './limit-worlds.ts';

const { note, read, send, undoable } = callOf;

/** A call whose values, or whose tool, its run does not accept. */
export const held = (call: ProposedCall, ...codes: readonly HeldCode[]): ProposedCall => ({
  ...call,
  held: codes.length > 0 ? [...codes] : ['FLOW_FORBIDDEN'],
});

/** Small worlds with calls that are held, or that a policy denies alone. */
export const heldWorlds: readonly World[] = [
  {
    name: 'a held write that a person, a token or a system may endorse',
    taskClass: { authorities: ['approval', 'human', 'system'], limits: { ...none, pauses: 1 } },
    plans: [[held(note('n'))]],
    never: but('approval.granted', 'human.responded', 'edit'),
  },
  {
    name: 'a held high-risk write of two approvers, whose approval lapses',
    taskClass: { approvers: 2, limits: { ...none, pauses: 2, clearances: 1 } },
    plans: [[held(send('w'), 'MANDATE_EXCEEDED', 'FLOW_FORBIDDEN')]],
    approvers: ['kim', 'lee'],
    never: but('approval.granted', 'approval', 'call.refused'),
  },
  {
    name: 'a held write beside one of the same action that is not',
    taskClass: { limits: { ...none, pauses: 1 } },
    plans: [[undoable('u', 'same'), held(undoable('v', 'same'))]],
    never: but('human.responded'),
  },
  {
    name: 'a held write that is edited to another, or to one that is not held',
    taskClass: { limits: { ...none, pauses: 2 } },
    plans: [[held(note('n'))]],
    edited: note('n', 'edited'),
    never: but('human.responded'),
  },
  {
    name: 'a write that is edited to a held one, of an action that a system approved',
    taskClass: { authorities: ['human', 'system'], limits: { ...none, pauses: 1 } },
    plans: [[send('v', 'same'), send('w')]],
    edited: held(send('w', 'same')),
    never: [...but('approval.granted', 'human.responded'), 'reject', 'instruction', 'comment', 'start'],
  },
  {
    name: 'an action that was done, and is held when it is proposed again',
    taskClass: { limits: { ...none, rounds: 2, repairs: 1 }, repairTo: 'execute' },
    plans: [[note('n')]],
    further: [held(note('m', 'action-n'))],
    never: but('call.failed'),
  },
  {
    name: 'held writes that the task class refuses, beside one that it makes',
    taskClass: { flows: 'refuse', limits: { ...none, rounds: 2 } },
    plans: [[read('r'), held(note('n')), undoable('u')]],
    further: [held(send('w'))],
    never: but('call.failed'),
  },
  {
    name: 'a held write that waits while the task class begins to refuse such calls',
    taskClass: { limits: { ...none, pauses: 3 } },
    tightened: { flows: 'refuse' },
    plans: [[held(note('n'))]],
    never: but('human.responded', 'question.raised', 'dependency.awaited', 'call.doubted'),
  },
  {
    name: 'writes that the policy denies, one at a time or with the run',
    taskClass: { limits: { ...none, repairs: 1 } },
    plans: [[note('n'), undoable('u')]],
    never: but('call.failed'),
  },
  {
    name: 'a write under way that the policy denies when it is looked at again',
    taskClass: { limits: { ...none, pauses: 2, clearances: 1 } },
    plans: [[note('n')]],
    never: but('call.refused', 'dependency.awaited', 'human.responded'),
  },
  {
    name: 'a held write that nobody may be asked about',
    taskClass: { limits: none },
    plans: [[held(note('n'), 'MANDATE_EXCEEDED')]],
    never: but('approval.granted'),
  },
  {
    name: 'a held read and a write that rests on it',
    taskClass: {
      beforeWrite: { evidence: [{ type: 'tool_result' }], verifiers: ['facts'] },
      limits: { ...none, pauses: 2, refreshes: 1 },
    },
    plans: [[held(read('r')), note('n')]],
    edited: read('r', 'edited'),
    never: but('human.responded', 'evidence'),
  },
  {
    name: 'a held read whose approval lapses, or is refused when it begins',
    taskClass: { limits: { ...none, pauses: 2, clearances: 1 } },
    plans: [[held(read('r'))]],
    never: but('approval.granted', 'approval', 'call.refused'),
  },
  {
    name: 'a held read that waits, or is made again, while the task class becomes stricter',
    taskClass: { limits: { ...none, pauses: 2, repairs: 1 }, repairTo: 'execute' },
    tightened: { approvers: 2 },
    plans: [[held(read('r'))]],
    never: but('human.responded', 'dependency.awaited', 'call.failed'),
  },
  {
    name: 'a held read that the task class refuses, beside one that it makes',
    taskClass: { flows: 'refuse', limits: { ...none, pauses: 1 } },
    plans: [[held(read('r')), read('s')]],
    never: but('human.responded'),
  },
];
