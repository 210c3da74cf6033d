import { failing, spent, type Change } from './change.ts';
import type { Call, Context, Effect } from './context.ts';
import { firstState, wayOf, type Life } from './life.ts';
import { interpretation, uaicp } from './spec.ts';
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

const late = { target: 'stuck', meta: interpretation('0004') } as const;

/** The life of a write that happened, or that a person ruled out. */
export const effectLife: Life<Effect['status'], EffectEvent, never, Readonly<Record<string, never>>> = {
  id: 'effect',
  guards: {},
  states: {
    new: {
      on: {
        'call.succeeded': { target: 'committed', meta: uaicp('5.3') },
        'question.ruledOut': { target: 'closed', meta: interpretation('0005') },
      },
    },
    committed: {
      on: {
        'rollback.started': { target: 'undoing', meta: uaicp('5.3') },
        'run.kept': { target: 'kept', meta: interpretation('0049') },
        'deadline.passed': late,
      },
    },
    undoing: {
      on: {
        'rollback.succeeded': { target: 'undone', meta: uaicp('5.3') },
        'rollback.failed': { target: 'stuck', meta: uaicp('5.3') },
        'deadline.passed': late,
      },
    },
    undone: {},
    stuck: {},
    closed: {},
    kept: {},
  },
};

/** Returns an effect after an event. An event that its life does not take changes nothing. */
const moved = (effect: Effect, event: EffectEvent): Effect => {
  const way = wayOf(effectLife, effect.status, event, {});
  return way === undefined ? effect : { ...effect, status: way.target };
};

/** Returns all effects, with an event applied to those that the predicate selects. */
const moveEffects = (
  { effects }: Context,
  which: (effect: Effect) => boolean,
  event: EffectEvent,
): readonly Effect[] => effects.map((effect) => (which(effect) ? moved(effect, event) : effect));

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
