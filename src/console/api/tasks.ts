import * as z from 'zod';
import { parseDocument } from '../../boundary/parse-document.ts';
import type { Orchestrator } from '../../orchestrator/surface.ts';
import type { TaskSummary } from '../../orchestrator/summary.ts';
import { taskFilters, type TaskFilter, type TaskPage } from '../wire.ts';
import { offsetIn, pageOf } from './page-of.ts';

/** Tasks on one page of the list. */
const size = 50;

const Query = z.object({ show: z.enum(taskFilters).default('all'), find: z.string().max(200).default('') });

const isShown: Record<TaskFilter, (task: TaskSummary) => boolean> = {
  all: () => true,
  asking: ({ state }) => state === 'needsHumanDecision' || state === 'followup',
  open: ({ isSettled }) => !isSettled,
  settled: ({ isSettled }) => isSettled,
};

const says = ({ taskId, threadId, taskClass, state, reasons }: TaskSummary, words: string): boolean =>
  [taskId, threadId, taskClass, state, ...reasons.map(({ code }) => code)].some((text) =>
    text.toLowerCase().includes(words),
  );

/** Returns a page of the tasks that match a query, the newest first. */
export const taskPage = async (orchestrator: Orchestrator, query: URLSearchParams): Promise<TaskPage> => {
  const { show, find } = parseDocument('query', Query, Object.fromEntries(query));
  const all = (await orchestrator.list()).toReversed();
  const words = find.trim().toLowerCase();
  const shown = all.filter((task) => isShown[show](task) && says(task, words));
  const { items, ...place } = pageOf(shown, offsetIn(query), size);
  const count = (filter: TaskFilter): number => all.filter(isShown[filter]).length;
  return {
    ...place,
    tasks: items,
    counts: {
      all: all.length,
      asking: count('asking'),
      open: count('open'),
      settled: count('settled'),
    },
  };
};
