import { callOf, type World } from './exploration.ts';

const { note, read, send, undoable } = callOf;

const evidence = [{ type: 'tool_result' as const }];
const none = { corrections: 0, repairs: 0, rounds: 1, revisions: 0, refreshes: 0, pauses: 0 };

/** What one world tells of, the others need not. */
const model = [
  'output.rejected',
  'capability.exceeded',
  'information.requested',
  'help.requested',
  'model',
] as const;
const tools = ['question.raised', 'dependency.awaited'] as const;
const ends = ['run.failed', 'accept', 'request.refused'] as const;

/** Worlds for both checkers; in none is there a person who would answer, so no question comes to its deadline. */
export const worlds: readonly World[] = [
  {
    name: 'a read that must bring evidence, with every way of the model to fall short',
    taskClass: {
      beforeDeliver: { evidence, verifiers: ['facts'] },
      limits: { ...none, corrections: 1, pauses: 1, rounds: 2, repairs: 1 },
    },
    plans: [[read('r')]],
    further: [note('n')],
    never: ['question', 'approval', 'evidence'],
  },
  {
    name: 'a checked high-risk write behind a read, executed again',
    taskClass: {
      beforeWrite: { evidence, verifiers: ['check'] },
      beforeDeliver: { verifiers: ['facts'] },
      authorities: ['approval', 'human'],
      repairTo: 'execute',
      limits: { ...none, repairs: 1 },
    },
    plans: [[read('r'), send('w')]],
    never: ['question', ...model, ...tools, ...ends, 'unsure', 'evidence', 'needs_review', 'policy'],
  },
  {
    name: 'two writes, and a next plan that drops one',
    taskClass: { beforeDeliver: { verifiers: ['facts'] }, limits: { ...none, repairs: 1 } },
    plans: [[undoable('u'), undoable('v')], [undoable('u')], []],
    never: [
      'question',
      ...model,
      ...tools,
      ...ends,
      'unsure',
      'evidence',
      'needs_review',
      'verifier',
      'call.doubted',
    ],
  },
  {
    name: 'a read that grows old before a write',
    taskClass: { beforeWrite: { evidence }, beforeDeliver: { evidence }, limits: { ...none, refreshes: 1 } },
    plans: [[read('r'), undoable('u')]],
    never: ['question', ...model, ...tools],
  },
  {
    name: 'a write that asks, waits and falls into doubt',
    taskClass: { limits: { ...none, pauses: 2, repairs: 2 }, repairTo: 'execute' },
    plans: [[undoable('u')]],
    never: ['question', ...model, 'unsure', 'evidence', ...ends],
  },
  {
    name: 'one action proposed twice, under review',
    taskClass: { limits: { ...none, pauses: 1, repairs: 1 } },
    plans: [[undoable('u', 'same'), undoable('v', 'same')]],
    never: ['question', ...model, ...tools, ...ends, 'unsure', 'evidence', 'call.doubted'],
  },
];
