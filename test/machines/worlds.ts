import { callOf, type World } from 'agentcharter/testing';

const { irrevocable, note, read, send, undoable } = callOf;

const evidence = [{ type: 'tool_result' as const }];
const none = { corrections: 0, repairs: 0, rounds: 1, revisions: 0, refreshes: 0, pauses: 0, clearances: 0 };

/** What one world tells of, the others need not. */
const model = [
  'output.rejected',
  'capability.exceeded',
  'information.requested',
  'help.requested',
  'model',
] as const;
const tools = ['question.raised', 'dependency.awaited'] as const;
const ends = ['run.failed', 'policy', 'accept', 'request.refused', 'approval', 'rank', 'comment'] as const;

/** Small worlds, which together take every transition of the charts, and see every guard open and shut. */
export const worlds: readonly World[] = [
  {
    name: 'a read, with every way of the model to fall short',
    taskClass: {
      beforeDeliver: { evidence, verifiers: ['facts'] },
      limits: { ...none, corrections: 1, revisions: 1, pauses: 1, rounds: 2 },
      defaults: ['information'],
    },
    plans: [[read('r')]],
    further: [],
    never: [...tools, 'call.doubted', 'evidence'],
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
    never: [
      ...model,
      ...tools,
      'run.failed',
      'policy',
      'accept',
      'request.refused',
      'unsure',
      'evidence',
      'needs_review',
      'call.doubted',
      'verifier',
    ],
  },
  {
    name: 'a reviewed low-risk write that cannot be undone, or is left out of the next plan',
    taskClass: {
      beforeDeliver: { verifiers: ['facts'] },
      limits: { ...none, repairs: 1 },
      defaults: ['approval'],
    },
    plans: [[note('n')], []],
    edited: note('n', 'action-edited'),
    never: [...model, ...tools, ...ends, 'unsure', 'evidence', 'verifier'],
  },
  {
    name: 'two reads that ask and wait',
    taskClass: { limits: { ...none, pauses: 2 }, defaults: ['tool'] },
    plans: [[read('r'), read('s')]],
    never: [...model, 'evidence', 'unsure'],
  },
  {
    name: 'a write that asks, waits and falls into doubt',
    taskClass: { limits: { ...none, pauses: 2, repairs: 2 }, repairTo: 'execute' },
    plans: [[undoable('u')]],
    never: [...model, 'unsure', 'evidence', 'needs_review', 'policy', 'accept', 'run.failed'],
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
    never: [...model, ...tools, 'unsure', 'needs_review'],
  },
  {
    name: 'a write that a person clears, beside a read that it rests on',
    taskClass: { limits: { ...none, refreshes: 1, pauses: 1 }, defaults: ['approval'] },
    plans: [[read('r'), undoable('u')]],
    never: [...model, ...tools, ...ends, 'unsure', 'call.refused', 'call.doubted', 'call.failed'],
  },
  {
    name: 'another plan, which drops the one thing that was done',
    taskClass: { beforeDeliver: { verifiers: ['facts'] }, limits: { ...none, repairs: 1 } },
    plans: [[undoable('u')], []],
    never: [...model, ...tools, ...ends, 'unsure', 'needs_review', 'evidence', 'call.doubted', 'verifier'],
  },
  {
    name: 'another plan, which drops the two things that were done',
    taskClass: { limits: { ...none, repairs: 1 } },
    plans: [[undoable('u'), undoable('v')], []],
    never: [
      ...model,
      ...tools,
      ...ends,
      'unsure',
      'needs_review',
      'evidence',
      'call.refused',
      'call.doubted',
    ],
  },
  {
    name: 'another plan, which keeps a high-risk write',
    taskClass: {
      beforeDeliver: { verifiers: ['facts'] },
      authorities: ['human'],
      limits: { ...none, repairs: 1 },
    },
    plans: [[send('w')]],
    never: [...model, ...tools, ...ends, 'unsure', 'evidence', 'needs_review', 'call.doubted', 'verifier'],
  },
  {
    name: 'one action proposed twice',
    taskClass: { limits: none },
    plans: [[undoable('u', 'same'), undoable('v', 'same')]],
    never: [...model, ...tools, ...ends, 'unsure', 'needs_review', 'evidence'],
  },
  {
    name: 'a high-risk write that two of three approve',
    taskClass: { authorities: ['approval', 'human'], approvers: 2, limits: { ...none, pauses: 2 } },
    plans: [[send('w')]],
    approvers: ['kim', 'lee', 'mia'],
    edited: send('w', 'action-edited'),
    never: [
      ...model,
      ...tools,
      ...ends.filter((name) => name !== 'approval'),
      'unsure',
      'needs_review',
      'evidence',
      'call.doubted',
      'call',
    ],
  },
  {
    name: 'one high-risk action proposed twice, which two approve',
    taskClass: { approvers: 2, limits: { ...none, pauses: 1 } },
    plans: [[send('v', 'same'), send('w', 'same')]],
    approvers: ['kim', 'lee'],
    never: [
      ...model,
      ...tools,
      ...ends.filter((name) => name !== 'approval'),
      'unsure',
      'evidence',
      'call.doubted',
      'call.failed',
      'call',
      'needs_review',
    ],
  },
  {
    name: 'a note under review, where a high-risk write takes two',
    taskClass: { approvers: 2, limits: { ...none, pauses: 1 } },
    plans: [[note('n')]],
    approvers: ['kim', 'lee'],
    never: [...model, ...tools, ...ends, 'unsure', 'evidence', 'call.doubted', 'call.failed', 'call'],
  },
  {
    name: 'verifiers whose reports do not count',
    taskClass: {
      beforeWrite: { verifiers: ['check'] },
      beforeDeliver: { verifiers: ['check'] },
      limits: { ...none, repairs: 1 },
    },
    faulty: true,
    plans: [[note('n')]],
    never: [...model, ...tools, ...ends, 'unsure', 'needs_review', 'evidence', 'call.doubted'],
  },
  {
    name: 'calls that are tasks of their own',
    taskClass: { limits: { ...none, repairs: 1 } },
    children: true,
    plans: [[read('r'), undoable('u')]],
    never: [...model, ...tools, ...ends, 'unsure', 'needs_review', 'evidence', 'call'],
  },
  {
    name: 'a high-risk write that cannot be undone',
    taskClass: { authorities: ['human'], limits: { ...none, repairs: 2 }, repairTo: 'execute' },
    plans: [[irrevocable('w')]],
    never: [...tools, 'unsure', 'information.requested', 'help.requested'],
  },
  {
    name: 'identifiers used twice by two reads',
    taskClass: { limits: { ...none, pauses: 2 } },
    careless: true,
    plans: [[read('r'), read('s')]],
    never: [...model, ...ends, 'evidence', 'unsure'],
  },
  {
    name: 'a write whose clearance lapses, under a task class that becomes stricter',
    taskClass: { limits: { ...none, clearances: 1, pauses: 1 } },
    tightened: { authorities: ['approval', 'human'], approvers: 2, beforeWrite: { verifiers: ['check'] } },
    plans: [[note('n')]],
    approvers: ['kim', 'lee'],
    never: [
      ...model,
      ...tools,
      ...ends.filter((name) => name !== 'approval'),
      'unsure',
      'evidence',
      'call.doubted',
      'call',
    ],
  },
  {
    name: 'a threshold that rises while reads are called',
    taskClass: { limits: { ...none, pauses: 1 } },
    tightened: { threshold: 0.95 },
    plans: [[read('r'), read('s')]],
    never: [...model, ...tools, ...ends, 'evidence', 'call.refused', 'call.doubted', 'call', 'unsure'],
  },
  {
    name: 'further calls that a person is asked about, and replaces',
    taskClass: { limits: { ...none, rounds: 2, pauses: 1, revisions: 1 } },
    plans: [[]],
    further: [undoable('u')],
    never: [...model, ...tools, ...ends, 'evidence', 'needs_review', 'call.refused', 'call.doubted', 'call'],
  },
  {
    name: 'an agent whose host stays away after a write',
    taskClass: { host: true, limits: { ...none, pauses: 1 } },
    plans: [[undoable('u'), note('n')]],
    never: [
      ...model.filter((name) => name !== 'model'),
      ...tools,
      ...ends,
      'unsure',
      'evidence',
      'needs_review',
      'call.refused',
      'call.doubted',
      'call',
    ],
  },
  {
    name: 'evidence that says nothing, passes no check, or is about another thing',
    taskClass: {
      beforeWrite: { evidence: [{ type: 'tool_result', check: 'same', ofAction: true }] },
      beforeDeliver: { evidence: [{ anyOf: [{ type: 'custom', byPerson: true }, { type: 'tool_result' }] }] },
      limits: { ...none, repairs: 1, pauses: 1 },
    },
    brings: [
      { empty: true },
      { meets: ['same'], subjects: { same: 'other' } },
      { meets: ['same'], subjects: { same: 'this' } },
    ],
    plans: [[read('r'), { ...undoable('u'), subjects: { same: 'this' } }]],
    never: [...model, ...tools, ...ends, 'unsure', 'evidence', 'needs_review', 'call.refused', 'call'],
  },
  {
    name: 'an edit that brings more than it was asked for',
    taskClass: {
      limits: none,
      beforeWrite: { verifiers: ['check'] },
      beforeDeliver: { verifiers: ['facts'] },
    },
    careless: true,
    plans: [[], [undoable('u')]],
    never: [...model, ...tools, ...ends, 'evidence', 'needs_review', 'call.doubted'],
  },
];
