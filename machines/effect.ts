import { failing, spent, type Change } from './change.ts';
import type { Call, Context, Effect } from './context.ts';
import { firstState, stepOf, type Lifecycle } from './lifecycle.ts';
import type { AskedLimit } from './task-class.ts';

/** An event of an effect: a fact, or the result of an answer. */
type EffectEvent =
  | 'call.succeeded'
  | 'question.ruledOut'
  | 'rollback.started'
  | 'rollback.succeeded'
  | 'rollback.failed'
  | 'deadline.passed'
  | 'run.kept';

/** The lifecycle of a write that happened, or that a person ruled out. */
export const effectLife: Lifecycle<Effect['status'], EffectEvent, never, Readonly<Record<string, never>>> = {
  id: 'effect',
  conditions: {},
  steps: [
    { from: ['new'], on: ['call.succeeded'], to: 'committed', cites: 'UAICP 5.3' },
    { from: ['new'], on: ['question.ruledOut'], to: 'closed', cites: 'interpretation 0005' },
    { from: ['committed'], on: ['rollback.started'], to: 'undoing', cites: 'UAICP 5.3' },
    { from: ['undoing'], on: ['rollback.succeeded'], to: 'undone', cites: 'UAICP 5.3' },
    { from: ['undoing'], on: ['rollback.failed'], to: 'stuck', cites: 'UAICP 5.3' },
    { from: ['committed', 'undoing'], on: ['deadline.passed'], to: 'stuck', cites: 'interpretation 0004' },
    { from: ['committed'], on: ['run.kept'], to: 'kept', cites: 'interpretation 0049' },
  ],
};

/** Returns all effects, with an event applied to those that the predicate selects. */
const moveEffects = (
  { effects }: Context,
  which: (effect: Effect) => boolean,
  event: EffectEvent,
): readonly Effect[] =>
  effects.map((effect) => {
    const step = which(effect) ? stepOf(effectLife, effect.status, event, {}) : undefined;
    return step === undefined ? effect : { ...effect, status: step.to };
  });

/** Applies an event to the effect of one action. */
export const moveEffect = (c: Context, digest: string, event: EffectEvent): Change => ({
  effects: moveEffects(c, (effect) => effect.digest === digest, event),
});

/** Returns the effects with that of a write added. It replaces an earlier effect of the same action. */
export const addEffect = (
  { effects }: Context,
  { digest, tool, rollback, authority }: Call,
  event: 'call.succeeded' | 'question.ruledOut',
  evidence: Effect['evidence'],
): readonly Effect[] => [
  ...effects.filter((effect) => effect.digest !== digest),
  { digest, tool, rollback, authority, status: firstState(effectLife, event, {}), evidence },
];

/** Keeps the committed writes and fails the run, because the agent's host did not return. */
export const kept = (c: Context): Change => ({
  effects: moveEffects(c, () => true, 'run.kept'),
  ...failing(c, { code: 'HOST_UNAVAILABLE', about: 'host' }),
});

/** Fails the run at a limit that a person did not raise. A task class may keep the writes that were approved. */
export const limitKept = (c: Context, limit: AskedLimit): Change => ({
  ...(c.taskClass.atLimit === 'keep' && {
    effects: moveEffects(c, ({ authority }) => authority !== null, 'run.kept'),
  }),
  ...failing(c, spent(limit)),
});
