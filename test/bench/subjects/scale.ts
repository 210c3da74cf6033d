import { createConsole, type TaskConsole } from 'agentcharter/console';
import type { InboxEntry } from 'agentcharter';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { createHost } from '../engines/orchestrator.ts';
import { spent } from '../measure.ts';
import { answerQuestion, eachIn, filled, questionOf } from '../operations.ts';
import { inboxPage, listPage } from '../pages.ts';
import { newRequest } from '../work.ts';

const each = eachIn('cpu');

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
