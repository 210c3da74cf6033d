import { irrevocable, note, read, send, undoable, type Configuration } from './alphabet.ts';

const evidence = [{ type: 'tool_result' as const }];
const none = { corrections: 0, repairs: 0, rounds: 1, revisions: 0, refreshes: 0, pauses: 0 };

/** Small worlds, which together take every transition of the charts. */
export const configurations: readonly Configuration[] = [
  {
    name: 'a read, with every way of the model to fall short',
    taskClass: {
      beforeDeliver: { evidence, verifiers: ['facts'] },
      limits: { ...none, corrections: 1, revisions: 1, pauses: 2, repairs: 1 },
      defaults: ['information'],
    },
    plans: [[read('r')]],
    never: ['question.raised', 'dependency.awaited', 'call.doubted', 'evidence'],
  },
  {
    name: 'a checked high-risk write behind a read, repaired by another execution',
    taskClass: {
      beforeWrite: { evidence, verifiers: ['check'] },
      beforeDeliver: { verifiers: ['facts'] },
      authorities: ['approval', 'human'],
      repairTo: 'execute',
      limits: { ...none, repairs: 1 },
    },
    plans: [[read('r'), send('w')]],
    edited: send('w', 'action-edited'),
    never: ['unsure', 'question.raised', 'dependency.awaited', 'information.requested', 'help.requested', 'evidence', 'needs_review'],
  },
  {
    name: 'a reviewed low-risk write that cannot be undone',
    taskClass: { beforeDeliver: { verifiers: ['facts'] }, limits: { ...none, repairs: 1, rounds: 2 }, defaults: ['approval'] },
    plans: [[note('n')], []],
    further: [note('m')],
    never: ['unsure', 'question.raised', 'dependency.awaited', 'information.requested', 'help.requested', 'evidence'],
  },
  {
    name: 'two reads that ask and wait',
    taskClass: { limits: { ...none, pauses: 2 }, defaults: ['tool'] },
    plans: [[read('r'), read('s')]],
    never: ['unsure', 'evidence', 'information.requested', 'help.requested'],
  },
  {
    name: 'a write that asks and waits',
    taskClass: { limits: { ...none, pauses: 2, repairs: 1 } },
    plans: [[undoable('u')]],
    never: ['unsure', 'evidence', 'information.requested', 'help.requested', 'needs_review'],
  },
  {
    name: 'a delivered run that offers a followup',
    taskClass: { followup: true, limits: none },
    plans: [[]],
    never: ['unsure', 'information.requested', 'help.requested'],
  },
  {
    name: 'evidence that grows old before a write',
    taskClass: { beforeWrite: { evidence }, beforeDeliver: { evidence }, limits: { ...none, refreshes: 1 } },
    plans: [[read('r'), undoable('u')]],
    never: ['unsure', 'needs_review', 'question.raised', 'dependency.awaited', 'information.requested', 'help.requested'],
  },
  {
    name: 'another plan, which drops what the first one did',
    taskClass: {
      beforeDeliver: { verifiers: ['facts'] },
      authorities: ['human'],
      limits: { ...none, repairs: 1 },
    },
    plans: [[undoable('u'), undoable('v')], []],
    never: ['unsure', 'needs_review', 'question.raised', 'dependency.awaited', 'information.requested', 'help.requested', 'run.failed', 'output.rejected', 'evidence', 'policy', 'help.requested', 'capability.exceeded'],
  },
  {
    name: 'another plan, which keeps a high-risk write',
    taskClass: { beforeDeliver: { verifiers: ['facts'] }, authorities: ['human'], limits: { ...none, repairs: 1, rounds: 2 } },
    plans: [[send('w')]],
    further: [send('x', 'action-w')],
    never: ['unsure', 'question.raised', 'dependency.awaited', 'information.requested', 'help.requested', 'evidence', 'needs_review'],
  },
  {
    name: 'one action proposed twice',
    taskClass: { limits: none },
    plans: [[undoable('u', 'same'), undoable('v', 'same')]],
    never: ['unsure', 'needs_review', 'question.raised', 'dependency.awaited', 'information.requested', 'help.requested', 'evidence'],
  },
  {
    name: 'a high-risk write that cannot be undone',
    taskClass: { authorities: ['human'], limits: none },
    plans: [[irrevocable('w')]],
    never: ['unsure', 'information.requested', 'help.requested', 'question.raised', 'dependency.awaited'],
  },
  {
    name: 'identifiers used twice by two reads',
    taskClass: { limits: { ...none, pauses: 2 } },
    careless: true,
    plans: [[read('r'), read('s')]],
    never: ['evidence', 'information.requested', 'help.requested', 'unsure'],
  },
  {
    name: 'an edit that brings more than it was asked for',
    taskClass: { limits: none, beforeWrite: { verifiers: ['check'] }, beforeDeliver: { verifiers: ['facts'] } },
    careless: true,
    plans: [[undoable('u')]],
    never: ['evidence', 'information.requested', 'help.requested', 'needs_review', 'question.raised', 'dependency.awaited'],
  },
];
