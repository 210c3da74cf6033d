import { expect, it, vi } from 'vitest';
import { deepFreeze } from '../../../../src/base/canonical/deep-freeze.ts';
import type * as kernel from '../../../../src/core/kernel/take.ts';
import { asked, situations, type Kind } from '../shell/situations.ts';

type Kernel = typeof kernel;
type Step = kernel.Followed;

const { taken, twice } = vi.hoisted(() => {
  /** What followed from each statement. */
  const taken: { readonly first: Step; readonly second: Step }[] = [];
  /** Takes a statement twice, of a task that nothing can change. */
  const twice = (
    before: kernel.TaskState,
    terms: kernel.Terms,
    work: (terms: kernel.Terms) => Step,
  ): Step => {
    deepFreeze(before);
    const ids: string[] = [];
    const uuid = (): string => {
      ids.push(terms.uuid());
      return ids.at(-1) ?? '';
    };
    const first = work({ ...terms, uuid });
    const second = work({ ...terms, uuid: () => ids.shift() ?? 'no more' });
    taken.push({ first, second });
    return first;
  };
  return { taken, twice };
});

vi.mock('../../../../src/core/kernel/take.ts', async (load) => {
  const { take, takeLate, note, ...others } = await load<Kernel>();
  return {
    ...others,
    take: (...[before, fact, statement, terms, isAllowed]: Parameters<Kernel['take']>) =>
      twice(before, terms, (given) => take(before, fact, statement, given, isAllowed)),
    takeLate: (...[before, fact, statement, terms]: Parameters<Kernel['takeLate']>) =>
      twice(before, terms, (given) => takeLate(before, fact, statement, given)),
    note: (...[before, kind, statement, terms]: Parameters<Kernel['note']>) =>
      twice(before, terms, (given) => note(before, kind, statement, given)),
  };
});

it.each(Object.keys(situations) as Kind[])(
  'is a function of the task and a statement, and the task is frozen: up to an answer about %s',
  async (kind) => {
    taken.length = 0;
    const { answer } = await asked(kind);
    await answer(kind === 'followup' ? 'comment' : 'reject', kind === 'followup' ? 'well done' : undefined);
    expect(taken.length).toBeGreaterThan(2);
    for (const { first, second } of taken) {
      expect(second.step).toEqual(first.step); // with the hash of its record
      expect(second.task).toEqual(first.task);
      const { view, head, deadlines } = first.task;
      for (const part of [first.task, view, view.context, view.projection, head, deadlines])
        expect(Object.isFrozen(part)).toBe(true);
    }
  },
);
