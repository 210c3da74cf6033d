import * as z from 'zod';
import { reasonMeaning } from '../../../../schema/index.ts';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import type { Orchestrator, Page, TaskFilter as Filter } from '../../../core/shell/surface.ts';
import type { TaskSummary } from '../../../core/kernel/summary.ts';
import type { TaskCounts } from '../../../base/ports/store.ts';
import { taskFilters, type TaskFilter, type TaskLine, type TaskPage } from '../wire.ts';
import { beginningOf } from './beginning.ts';
import { cursorIn } from './page-of.ts';

/** Tasks on one page of the list. */
const size = 50;
/** Tasks that a search reads at once, and in one request. */
const chunk = 25;
const maxSearched = 1_000;

const Query = z.object({ show: z.enum(taskFilters).default('all'), find: z.string().max(200).default('') });

const filters: Readonly<Record<TaskFilter, Filter>> = {
  all: {},
  asking: { isAsking: true },
  open: { isSettled: false, isAsking: false },
  settled: { isSettled: true },
};

const countsIn = ({ tasks, settled, asking }: TaskCounts): TaskPage['counts'] => ({
  all: tasks,
  asking,
  open: tasks - settled - asking,
  settled,
});

const matches = ({ taskId, threadId, taskClass, state, reasons }: TaskSummary, words: string): boolean =>
  [taskId, threadId, taskClass, state, ...reasons.map(({ code }) => code)].some((text) =>
    text.toLowerCase().includes(words),
  );

/** Returns a row of the list; a ledger that cannot be read leaves it without its beginning, and the list as it is. */
const lineOf = async (orchestrator: Orchestrator, task: TaskSummary): Promise<TaskLine> => ({
  ...task,
  ...beginningOf(await orchestrator.ledger(task.taskId).catch(() => [])),
  why: [...new Set(task.reasons.map(({ code }) => reasonMeaning[code]))],
});

/** A request for a page of the tasks. */
interface Asked {
  readonly filter: Filter;
  readonly find: string;
  readonly after: string | null;
}

type Found = Page<TaskSummary> & Pick<TaskPage, 'total'>;

/** Searches the next tasks for a text: at most 1,000, and as many as fit on a page. */
const searched = async (orchestrator: Orchestrator, { filter, find, after }: Asked): Promise<Found> => {
  const words = find.toLowerCase();
  const items: TaskSummary[] = [];
  let next = after;
  for (let read = 0; read < maxSearched && items.length <= size - chunk; read += chunk) {
    const page = await orchestrator.list({ ...filter, order: 'newest', limit: chunk, after: next });
    items.push(...page.items.filter((task) => matches(task, words)));
    next = page.next;
    if (next === null) break;
  }
  return { items, next, total: null };
};

const found = async (orchestrator: Orchestrator, asked: Asked, shown: number): Promise<Found> => {
  const { filter, find, after } = asked;
  const page = { order: 'newest', limit: size, after } as const;
  if (find === '') return { ...(await orchestrator.list({ ...filter, ...page })), total: shown };
  const named = await orchestrator.list({ ...filter, taskId: find });
  if (named.length > 0) return { items: named, next: null, total: named.length };
  const thread = await orchestrator.list({ ...filter, ...page, threadId: find });
  return thread.items.length > 0 ? { ...thread, total: null } : searched(orchestrator, asked);
};

/**
 * Returns a page of the tasks that match a query, the newest first. An identifier of a task or thread is found by index.
 * Other text is searched in 1,000 tasks at once, so a page may have no task and a next page all the same.
 */
export const taskPage = async (orchestrator: Orchestrator, query: URLSearchParams): Promise<TaskPage> => {
  const { show, find } = parseDocument('query', Query, Object.fromEntries(query));
  const counts = countsIn(await orchestrator.counts());
  const asked = { filter: filters[show], find: find.trim(), after: cursorIn(query) };
  const { items, next, total } = await found(orchestrator, asked, counts[show]);
  const tasks = await Promise.all(items.map((task) => lineOf(orchestrator, task)));
  return { total, next, tasks, counts };
};
