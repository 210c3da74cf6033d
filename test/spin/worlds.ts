import { callOf, type World } from './exploration.ts';

const { note, read, send, undoable } = callOf;

export const evidence = [{ type: 'tool_result' as const }];
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

/** What one world tells of, the others need not. */
export const model = [
  'output.rejected',
  'capability.exceeded',
  'information.requested',
  'help.requested',
  'model',
] as const;
export const tools = ['question.raised', 'dependency.awaited'] as const;
export const ends = [
  'run.failed',
  'evidence.changed',
  'output.changed',
  'accept',
  'request.refused',
] as const;

/** Worlds of the execution chart, for both checkers; in none is there a person who would answer, so no question comes to its deadline. */
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
  {
    name: 'a write whose clearance lapses, proposed twice',
    taskClass: { limits: { ...none, clearances: 1, pauses: 1 } },
    plans: [[undoable('u', 'same'), undoable('v', 'same')]],
    never: ['question', 'question.raised', ...model, ...ends, 'unsure', 'evidence', 'call.doubted', 'call'],
  },
  {
    name: 'further calls that the model is not sure of, after a wait',
    taskClass: { limits: { ...none, rounds: 2, pauses: 1 } },
    plans: [[read('r')]],
    further: [read('s'), undoable('u')],
    never: [
      'question',
      'question.raised',
      ...model,
      ...ends,
      'evidence',
      'needs_review',
      'call.doubted',
      'call.refused',
    ],
  },
  {
    name: 'reads beside one that fails, called again',
    taskClass: { limits: { ...none, repairs: 1, pauses: 1 }, repairTo: 'execute' },
    plans: [[read('r'), read('s')]],
    never: ['question', ...model, ...ends, 'unsure', 'evidence', 'call.doubted'],
  },
  {
    name: 'an agent whose host stays away after a write',
    taskClass: {
      host: true,
      beforeDeliver: { verifiers: ['facts'] },
      limits: { ...none, repairs: 1, pauses: 1 },
    },
    plans: [[undoable('u')], []],
    never: [
      'question',
      'question.raised',
      ...model.filter((name) => name !== 'model'),
      ...ends,
      'unsure',
      'evidence',
      'needs_review',
      'call.refused',
      'call.doubted',
      'verifier',
      'call',
    ],
  },
  {
    name: 'a task class that becomes stricter on the way',
    taskClass: { authorities: ['approval', 'human'], limits: { ...none, pauses: 1 } },
    tightened: {
      authorities: ['human'],
      tools: ['tool-w'],
      beforeWrite: { evidence, verifiers: ['check'] },
      beforeDeliver: { evidence },
    },
    plans: [[send('w'), note('n')], [send('w')]],
    never: [
      'question',
      'question.raised',
      ...model,
      ...ends,
      'unsure',
      'evidence',
      'call.refused',
      'call.doubted',
      'verifier',
      'call',
      'call.failed',
    ],
  },
  {
    name: 'a threshold that rises while calls are made',
    taskClass: { threshold: 0.4, limits: { ...none, rounds: 2, pauses: 1 } },
    tightened: { threshold: 0.5 },
    plans: [[read('r'), undoable('u')]],
    further: [read('s')],
    never: [
      'question',
      'question.raised',
      ...model,
      ...ends,
      'evidence',
      'needs_review',
      'call.refused',
      'call.doubted',
      'call',
    ],
  },
  {
    name: 'a threshold that rises while a draft is verified',
    taskClass: {
      threshold: 0.4,
      beforeDeliver: { verifiers: ['facts'] },
      limits: { ...none, pauses: 1, repairs: 1 },
    },
    tightened: { threshold: 0.5 },
    plans: [[read('r')]],
    never: ['question', ...model, ...tools, ...ends, 'evidence', 'needs_review', 'verifier', 'call'],
  },
  {
    name: 'a tool that is not allowed any more, owed again',
    taskClass: { repairTo: 'execute', limits: { ...none, refreshes: 1, repairs: 1 } },
    tightened: { tools: ['tool-u'] },
    plans: [[undoable('u'), read('r')], [undoable('u')]],
    never: [
      'question',
      ...model,
      ...tools,
      ...ends,
      'unsure',
      'needs_review',
      'call.refused',
      'call.doubted',
      'call',
    ],
  },
  {
    name: 'evidence that says nothing, is not checked, or is about another thing',
    taskClass: {
      beforeWrite: { evidence: [{ type: 'tool_result', check: 'same', ofAction: true }] },
      beforeDeliver: {
        evidence: [
          {
            anyOf: [
              { type: 'custom', byPerson: true },
              { type: 'tool_result', tool: 'tool-u' },
            ],
          },
        ],
      },
      limits: { ...none, refreshes: 1, repairs: 1 },
      repairTo: 'execute',
    },
    brings: [
      { empty: true },
      { meets: ['same'], subjects: { same: 'other' } },
      { meets: ['same'], subjects: { same: 'this' } },
    ],
    plans: [[read('r'), { ...undoable('u'), subjects: { same: 'this' } }]],
    never: [
      'question',
      ...model,
      ...tools,
      ...ends,
      'unsure',
      'needs_review',
      'call.refused',
      'call.doubted',
      'call',
    ],
  },
];
