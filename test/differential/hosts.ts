import { take } from './changes.ts';
import { fail } from './follows.ts';
import type { Known } from './known.ts';
import { countPause, isOver } from './limits.ts';
import type { FactNamed } from './vocabulary.ts';

const gone = (k: Known): void => fail(k, ['HOST_UNAVAILABLE']);

/** What an agent did stays, although its run fails. */
export const keep = (k: Known): void => {
  for (const effect of k.effects) if (effect.status === 'committed') effect.status = 'kept';
  gone(k);
};

/** The host of an agent stays away: a person is asked what becomes of its writes, where it made any. */
export const missHost = (k: Known, turn: string): void => {
  if (!k.effects.some(({ status }) => status === 'committed')) return gone(k);
  if (isOver(k, 'pauses')) return keep(k);
  countPause(k);
  k.questions.set(`host:${turn}`, { kind: 'host', about: turn });
};

/** What a person says about the writes of an agent whose host stays away. */
export const judgeHost = (k: Known, { feedback }: FactNamed<'human.responded'>): boolean => {
  if (feedback === 'approve') return take(() => keep(k));
  if (feedback === 'reject') return take(() => gone(k));
  return feedback === 'comment';
};
