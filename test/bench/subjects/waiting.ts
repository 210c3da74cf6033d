import type { InboxEntry } from 'agentcharter';
import { postgresStore } from 'agentcharter/stores/postgres';
import { createHost } from '../engines/orchestrator.ts';
import { guardParts, taskClass } from '../engines/parts.ts';
import { answerQuestion, eachIn, filled, questionOf } from '../operations.ts';
import { inboxPage, listPage } from '../pages.ts';
import { newRequest } from '../work.ts';

export interface WaitingOf {
  readonly url: string;
  /** Tasks that wait, which are answered. */
  readonly answered: readonly string[];
  readonly times: number;
}

/** Milliseconds on the wall, with the server's, each a median. */
export interface Waiting {
  /** Of a task, up to its question. */
  readonly submit: number;
  /** `inbox` of one task. */
  readonly question: number;
  /** Of a question, up to the end of its task. */
  readonly answer: number;
  readonly inbox: number;
  readonly list: number;
  /** Of a node that looks for tasks to take, and finds none. */
  readonly take: number;
}

const each = eachIn('wall');

/** Measures what people, programs and nodes do with a server that has many tasks. */
export const measureWaiting = async ({ url, answered, times }: WaitingOf): Promise<Waiting> => {
  const host = createHost({ store: postgresStore({ connectionString: url }) });
  const { orchestrator, submit, asked } = host;
  await orchestrator.recover();
  const store = postgresStore({ connectionString: url });
  const [newest] = await store.taskIndex({ order: 'newest', limit: 1 });
  const tools = guardParts().tools.map(({ name }) => name);
  const able = { charts: [newest?.chart ?? ''], taskClasses: [taskClass], tools, agents: [] };
  const again = Array.from({ length: times + 1 }, (_, index) => index);
  const entries: InboxEntry[] = [];
  const question = await each(answered, async (taskId) => entries.push(await questionOf(host, taskId)));
  const figures = {
    submit: await each(again, async () => asked(await submit(newRequest('write_high_risk')))),
    question,
    inbox: await each(
      again,
      filled(() => inboxPage(orchestrator)),
    ),
    list: await each(
      again,
      filled(() => listPage(orchestrator)),
    ),
    take: await each(again, async () => {
      if ((await store.take(able, 8)).length > 0) throw new Error('a task that waits was taken');
    }),
    answer: await each(entries, (entry) => answerQuestion(host, entry)),
  };
  await store.close();
  await orchestrator.close();
  return figures;
};
