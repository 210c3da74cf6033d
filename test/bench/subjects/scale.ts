import { createConsole, type TaskConsole } from 'agentcharter/console';
import type { InboxEntry } from 'agentcharter';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { createHost, type Host } from '../engines/orchestrator.ts';
import { answer } from '../engines/parts.ts';
import { median, spent } from '../measure.ts';
import { inboxPage, listPage } from '../pages.ts';
import { approvalOf, newRequest } from '../work.ts';

export interface ScaleOf {
  /** A file with many tasks that wait. */
  readonly file: string;
  /** Some of them, which are answered. */
  readonly answered: readonly string[];
  readonly times: number;
}

/** CPU milliseconds, each a median. */
export interface Scale {
  readonly recover: number;
  /** Of a task, up to its question. */
  readonly submit: number;
  /** `inbox` of one task. */
  readonly question: number;
  /** Of a question, up to the end of its task. */
  readonly answer: number;
  readonly inbox: number;
  readonly list: number;
  readonly consoleInbox: number;
  readonly consoleTasks: number;
}

/** Milliseconds after which a slow operation is measured no more, once there are three figures of it. */
const patience = 10_000;

/** Measures a piece of work for each item; returns the median in milliseconds, without the first, which warms up. */
const each = async <Item>(items: readonly Item[], work: (item: Item) => unknown): Promise<number> => {
  const figures: number[] = [];
  const end = performance.now() + patience;
  for (const item of items) {
    if (figures.length > 3 && performance.now() > end) break;
    figures.push((await spent(() => work(item))).cpu / 1_000);
  }
  return median(figures.slice(1));
};

/** Reads a page, and throws if it is empty. */
const filled = (read: () => Promise<number>) => async (): Promise<void> => {
  if ((await read()) === 0) throw new Error('a page is empty');
};

/** Opens a console as a browser does, and returns a function that reads a page of it. */
const opened = async (desk: TaskConsole): Promise<(path: string) => Promise<void>> => {
  const origin = 'http://127.0.0.1';
  const entered = await desk.fetch(new Request(`${origin}/?token=${desk.newToken()}`));
  const cookie = entered.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  return async (path) => {
    const response = await desk.fetch(new Request(origin + path, { headers: { cookie } }));
    const text = await response.text();
    if (response.status !== 200 || text.length < 100)
      throw new Error(`${path} answered ${response.status}: ${text}`);
  };
};

const questionOf = async ({ orchestrator }: Host, taskId: string): Promise<InboxEntry> => {
  const [entry] = await orchestrator.inbox(taskId);
  if (entry === undefined) throw new Error('a task does not wait for an approval');
  return entry;
};

const answerQuestion = async ({ orchestrator }: Host, entry: InboxEntry): Promise<void> => {
  await answer(orchestrator, entry, approvalOf(newRequest('write_high_risk')));
  const { outcome } = await orchestrator.settled(entry.taskId);
  if (outcome !== 'success') throw new Error(`an answered task ended with ${outcome}`);
};

/** Measures what people and programs do with a store of many tasks. */
export const measureScale = async ({ file, answered, times }: ScaleOf): Promise<Scale> => {
  const host = createHost({ store: sqliteStore(file) });
  const { orchestrator, submit, asked } = host;
  const recover = await spent(async () => {
    const { refused } = await orchestrator.recover();
    if (refused.length > 0) throw new Error(`recover() refused ${refused.length} tasks`);
  });
  const again = Array.from({ length: times + 1 }, (_, index) => index);
  const desk = createConsole(orchestrator, { identity: () => 'dana' });
  const read = await opened(desk);
  const entries: InboxEntry[] = [];
  const question = await each(answered, async (taskId) => entries.push(await questionOf(host, taskId)));
  const figures = {
    recover: recover.cpu / 1_000,
    inbox: await each(
      again,
      filled(() => inboxPage(orchestrator)),
    ),
    list: await each(
      again,
      filled(() => listPage(orchestrator)),
    ),
    consoleInbox: await each(again, () => read('/api/inbox')),
    consoleTasks: await each(again, () => read('/api/tasks')),
    submit: await each([...again, ...again], async () => asked(await submit(newRequest('write_high_risk')))),
    question,
    answer: await each(entries, (entry) => answerQuestion(host, entry)),
  };
  await desk.close();
  await orchestrator.close();
  return figures;
};
