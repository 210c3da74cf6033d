import { ruleOf, type FactType } from './facts/index.ts';
import type { Gate } from './gates.ts';
import { interpretation, uaicp, upformat, type Cited } from './spec.ts';
import type { AskedLimit } from './task-class.ts';
import { vocabulary } from './vocabulary.ts';

const taking = <Type extends FactType, Actions>(types: readonly Type[], actions: Actions) =>
  Object.fromEntries(
    types.map((type) => [type, { guard: 'appliesTo', actions, meta: { cites: ruleOf(type).cites } }]),
  ) as Record<Type, { guard: 'appliesTo'; actions: Actions; meta: Cited }>;

/** Returns the transitions of facts that change only the context. Each has the citation of its fact. */
export const takes = <Type extends FactType>(...types: readonly Type[]) =>
  taking(types, 'applyFact' as const);

/** Returns the transitions of facts that change only the context and count as a turn of the model. */
export const takesTurn = <Type extends FactType>(...types: readonly Type[]) =>
  taking(types, 'applyTurn' as const);

/** The transition for a rejected output, which the model corrects. */
export const rejections = {
  'output.rejected': {
    guard: 'appliesTo',
    target: 'correcting',
    actions: 'applyTurn',
    meta: upformat('2.3'),
  },
} as const;

/**
 * The transitions for a model that gives no output (UpFormat 2.3): it asks for help, gives up, or misses its deadline.
 */
export const declarations = {
  ...takesTurn('help.requested'),
  'capability.exceeded': { actions: 'applyTurn', meta: upformat('2.3') },
  'deadline.passed': { guard: 'isModelOverdue', actions: 'applyFact', meta: interpretation('0004') },
} as const;

/** The transitions for what a model may propose once the calls are done: a draft, or further calls. */
export const conclusions = {
  ...takesTurn('draft.proposed'),
  'calls.proposed': {
    guard: 'appliesTo',
    target: 'dispatching',
    actions: 'applyTurn',
    meta: interpretation('0003'),
  },
} as const;

/** The transitions for calls that may start. */
export const starts = {
  ...takes('call.cleared', 'call.started'),
  'deadline.passed': { guard: 'isStartOverdue', actions: 'applyFact', meta: interpretation('0040') },
} as const;

/** The transitions for an agent in its own host that goes on while people are asked to approve its calls. */
export const besides = {
  'calls.proposed': {
    guard: 'mayGoOn',
    actions: 'goOn',
    meta: interpretation('0089'),
  },
  'policy.decided': { guard: 'isDecidedBeside', actions: 'applyFact', meta: uaicp('5.3') },
  'deadline.passed': { guard: 'isOverdueBeside', actions: 'applyFact', meta: interpretation('0004') },
} as const;

/** The transition for a verifier that misses its deadline, where its report is owed. */
export const verifications = {
  'deadline.passed': { guard: 'isVerifierOverdue', actions: 'applyFact', meta: interpretation('0004') },
} as const;

/** The transitions for rollbacks, which are made one at a time (UAICP 5.3). */
export const rollbacks = {
  ...takes('rollback.started', 'rollback.succeeded', 'rollback.failed'),
  'deadline.passed': { guard: 'isRollbackOverdue', actions: 'applyFact', meta: interpretation('0004') },
} as const;

/** The transition that stops a run as soon as it has a reason to fail. */
export const mustStop = { guard: 'mustStop', target: '#stop', meta: uaicp('4.1') } as const;

const atLimit = <Limit extends AskedLimit, MayExtend extends string, IsOut extends string>(
  limit: Limit,
  mayExtend: MayExtend,
  isOut: IsOut,
) =>
  [
    {
      guard: mayExtend,
      actions: { type: 'askLimit', params: { limit } },
      meta: interpretation('0081'),
    },
    {
      guard: isOut,
      target: '#stop',
      actions: { type: 'exceed', params: { limit } },
      meta: interpretation('0059'),
    },
  ] as const;

/** The transitions for a run that needs another turn of the model and has none left. */
export const outOfTurns = atLimit('modelCalls', 'mayExtendTurns', 'isOutOfTurns');

/** The transitions for a run that has calls to make and none left. */
export const outOfCalls = atLimit('calls', 'mayExtendCalls', 'isOutOfCalls');

/** Returns the target and the action of a repair at a gate: the next attempt begins in this phase (UAICP 4.1). */
export const repairing = <At extends Gate, Next extends 'execute' | 'plan'>(gate: At, next: Next) =>
  ({
    target: `#${next}`,
    actions: { type: 'repair', params: { gate, next } },
    meta: uaicp('4.1'),
  }) as const;

/** The transitions for facts that may arrive in any state, at the root of both machines. */
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
