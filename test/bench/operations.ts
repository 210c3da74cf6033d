import type { InboxEntry } from 'agentcharter';
import type { Host } from './engines/orchestrator.ts';
import { answer } from './engines/parts.ts';
import { median, spent, type Spent } from './measure.ts';
import { approvalOf, newRequest } from './work.ts';

// What people and programs do with a store of many tasks, once each.

/** Milliseconds after which a slow operation is measured no more, once there are three figures of it. */
const patience = 10_000;

/** Measures a piece of work for each item; returns the median in milliseconds, without the first, which warms up. */
export const eachIn =
  (of: keyof Spent) =>
  async <Item>(items: readonly Item[], work: (item: Item) => unknown): Promise<number> => {
    const figures: number[] = [];
    const end = performance.now() + patience;
    for (const item of items) {
      if (figures.length > 3 && performance.now() > end) break;
      figures.push((await spent(() => work(item)))[of] / 1_000);
    }
    return median(figures.slice(1));
  };

/** Reads a page, and throws if it is empty. */
export const filled = (read: () => Promise<number>) => async (): Promise<void> => {
  if ((await read()) === 0) throw new Error('a page is empty');
};

export const questionOf = async ({ orchestrator }: Host, taskId: string): Promise<InboxEntry> => {
  const [entry] = await orchestrator.inbox(taskId);
  if (entry === undefined) throw new Error('a task does not wait for an approval');
  return entry;
};

export const answerQuestion = async ({ orchestrator }: Host, entry: InboxEntry): Promise<void> => {
  await answer(orchestrator, entry, approvalOf(newRequest('write_high_risk')));
  const { outcome } = await orchestrator.settled(entry.taskId);
  if (outcome !== 'success') throw new Error(`an answered task ended with ${outcome}`);
};
