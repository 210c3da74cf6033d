import { take } from './changes.ts';
import { effectOf, type Known } from './known.ts';
import type { FactNamed } from './vocabulary.ts';

/** A call that began and has no outcome, or a rollback that began (interpretation 0059). */
const isInDoubt = (k: Known, { effect, digest }: FactNamed<'recovery.started'>): boolean =>
  effect === 'rollback'
    ? effectOf(k, digest)?.status === 'undoing'
    : k.calls.some(
        (call) => call.digest === digest && (call.status === 'started' || call.status === 'doubt'),
      );

/** An effect in doubt is looked up or made again, each as often as the limit says; then a person decides. */
export const recover = (k: Known, fact: FactNamed<'recovery.started'>): boolean => {
  const name = `${fact.effect} ${fact.digest}`;
  const count = k.recoveries.get(name) ?? 0;
  if (fact.request !== k.request || !isInDoubt(k, fact) || count >= k.taskClass.limits.recoveries)
    return false;
  return take(() => void k.recoveries.set(name, count + 1));
};
