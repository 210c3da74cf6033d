import { citationOf, type FactType } from './facts/index.ts';
import { interpretation, uaicp, upformat, type Cited } from './spec.ts';
import { vocabulary } from './vocabulary.ts';

/** The transitions of facts that change the context and no state; each cites what its fact cites. */
export const takes = <Type extends FactType>(...types: readonly Type[]) =>
  Object.fromEntries(
    types.map((type) => [type, { guard: 'appliesTo', actions: 'applyFact', meta: citationOf(type) }]),
  ) as Record<Type, { guard: 'appliesTo'; actions: 'applyFact'; meta: Cited }>;

const turn = ['applyFact', 'countTurn'] as const;

/** The transitions of a turn of the model that leads to no other state by itself. */
export const takesTurn = <Type extends FactType>(...types: readonly Type[]) =>
  Object.fromEntries(
    types.map((type) => [type, { guard: 'appliesTo', actions: turn, meta: citationOf(type) }]),
  ) as Record<Type, { guard: 'appliesTo'; actions: typeof turn; meta: Cited }>;

/** A turn of the model whose output is rejected: the model corrects it. */
export const rejections = {
  'output.rejected': {
    guard: 'appliesTo',
    target: 'correcting',
    actions: turn,
    meta: upformat('2.3'),
  },
} as const;

/** What a model may say instead of what it was asked for (UpFormat 2.3); silence stops the run. */
export const declarations = {
  ...takesTurn('help.requested'),
  'capability.exceeded': { actions: turn, meta: upformat('2.3') },
  'deadline.passed': { guard: 'isModelOverdue', actions: 'applyFact', meta: interpretation('0004') },
} as const;

/** What a model may propose once the calls are done: a draft, or further calls. */
export const conclusions = {
  ...takesTurn('draft.proposed'),
  'calls.proposed': {
    guard: 'appliesTo',
    target: 'dispatching',
    actions: turn,
    meta: interpretation('0003'),
  },
} as const;

/** Compensations, one at a time (UAICP 5.3). */
export const rollbacks = {
  ...takes('rollback.started', 'rollback.succeeded', 'rollback.failed'),
  'deadline.passed': { guard: 'isRollbackOverdue', actions: 'applyFact', meta: interpretation('0004') },
} as const;

/** A run that has a reason to fail does nothing else. */
export const mustStop = { guard: 'mustStop', target: '#stop', meta: uaicp('4.1') } as const;

/** A run that has used up its turns of the model, and needs another one. */
export const outOfTurns = {
  guard: 'isOutOfTurns',
  target: '#stop',
  actions: { type: 'exceed', params: { limit: 'modelCalls' } },
  meta: interpretation('0059'),
} as const;

/** Facts that may arrive whatever the run is doing; they belong to the root of both machines. */
export const worldFacts = vocabulary.createStateConfig({
  on: {
    ...takes(
      'approval.granted',
      'call.succeeded',
      'call.failed',
      'call.doubted',
      'call.refused',
      'taskClass.changed',
      'dependency.awaited',
      'dependency.met',
      'question.raised',
      'verifier.reported',
      'evidence.changed',
      'output.changed',
      'recovery.started',
      'deadline.passed',
      'task.cancelled',
      'run.failed',
    ),
  },
});
