import type { Step, Store } from '../../base/ports/store.ts';
import type { Choices } from './choices.ts';
import type { Life } from './life.ts';

/** How often of a thousand writes the store fails, and how often its answer is lost. */
const [fails, losesAnswer] = [15, 15];

/** Returns the connection of one life to a store, and what it wrote goes to `written`. */
export const connectionOf = (
  inner: Store,
  life: Life,
  choices: Choices,
  { written, note }: { readonly written: Step[]; readonly note: (line: string) => void },
): Store => {
  const commit = async (step: Step) => {
    const answer = await inner.commit(step);
    if (answer === 'ok') written.push(step);
    return answer;
  };
  return {
    ...inner,
    commit: (step) =>
      life.ask(
        async () => {
          if (choices.isRare(fails)) {
            note('the store fails');
            throw new Error('the store cannot be reached');
          }
          const answer = await commit(step);
          if (!choices.isRare(losesAnswer)) return answer;
          note('the answer of the store is lost');
          throw new Error('the connection to the store is lost');
        },
        async () => void (await commit(step)),
      ),
  };
};
