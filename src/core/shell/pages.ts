import * as z from 'zod';
import { isObject } from '../../base/boundary/is-object.ts';
import { lazily } from '../../base/boundary/lazily.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { byPriority } from '../../base/feedback/weight.ts';
import type {
  Store,
  TaskCounts,
  TaskIndexEntry,
  TaskOrder,
  TaskQuery,
  Which,
} from '../../base/ports/store.ts';
import { type InboxEntry, type StoredSummary, type TaskSummary } from '../kernel/summary.ts';
import { readStoredSummaries } from './stored-summary.ts';
import type { InboxPageQuery, Orchestrator, Page, TaskFilter, TaskPageQuery } from './surface.ts';

const orders = ['began', 'newest', 'urgent'] as const;

/** The place of a task in an order. */
interface Cursor {
  readonly order: TaskOrder;
  readonly taskId: string;
  readonly rank: string;
}

const cursorText = lazily(() => z.tuple([z.enum(orders), z.string(), z.string()]));

const textOf = ({ order, taskId, rank }: Cursor): string =>
  Buffer.from(JSON.stringify([order, taskId, rank])).toString('base64url');

const cursorIn = (text: string): Cursor | null => {
  try {
    const [order, taskId, rank] = cursorText().parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { order, taskId, rank };
  } catch {
    return null;
  }
};

const readCursor = (text: string, context: z.RefinementCtx): Cursor => {
  const cursor = cursorIn(text);
  if (cursor !== null) return cursor;
  context.addIssue({ code: 'custom', message: 'expected the `next` of an earlier page' });
  return z.NEVER;
};

/** The maximum of a page, and the number of entries that are read at once to read all. */
const maxLimit = 1_000;
const chunk = 500;

const limitError = 'expected a whole number from 1 to 1,000';
const place = lazily(() => ({
  limit: z.int(limitError).min(1, limitError).max(maxLimit, limitError),
  after: z.string().transform(readCursor).nullish(),
}));

const checkOrder = (
  { after, order }: { readonly after?: Cursor | null | undefined; readonly order: TaskOrder },
  context: z.RefinementCtx,
): void => {
  if (after == null || after.order === order) return;
  const message = `is a place in the order ${after.order}: read the first page in the order ${order}`;
  context.addIssue({ code: 'custom', path: ['after'], message });
};

const filterSchema = lazily(() =>
  z.strictObject({
    taskId: z.string().optional(),
    threadId: z.string().optional(),
    within: z.string().optional(),
    isSettled: z.boolean().optional(),
    isAsking: z.boolean().optional(),
  }),
);
const taskPageSchema = lazily(() =>
  filterSchema()
    .extend({ ...place(), order: z.enum(['began', 'newest']).default('began') })
    .superRefine(checkOrder),
);
const inboxPageSchema = lazily(() =>
  filterSchema()
    .pick({ within: true })
    .extend({ ...place(), order: z.enum(orders).default('began') })
    .superRefine(checkOrder),
);

/** Returns the filter without members that are undefined. */
const whichOf = ({
  taskId,
  threadId,
  within,
  isSettled,
  isAsking,
}: z.output<ReturnType<typeof filterSchema>>): Which => ({
  ...(taskId !== undefined && { taskId }),
  ...(threadId !== undefined && { threadId }),
  ...(within !== undefined && { within }),
  ...(isSettled !== undefined && { isSettled }),
  ...(isAsking !== undefined && { isAsking }),
});

/** Reads all matching entries, a bounded number at once. */
export async function* entriesOf(
  store: Pick<Store, 'taskIndex'>,
  which: Which,
): AsyncGenerator<TaskIndexEntry> {
  let after: TaskIndexEntry | undefined;
  for (;;) {
    const query: TaskQuery = { ...which, limit: chunk, ...(after !== undefined && { after }) };
    const entries = await store.taskIndex(query);
    yield* entries;
    after = entries.at(-1);
    if (entries.length < chunk) return;
  }
}

/** Reads the ids of all matching tasks. */
export const taskIdsOf = async (
  store: Pick<Store, 'taskIndex'>,
  which: Which,
): Promise<readonly string[]> => {
  const taskIds: string[] = [];
  for await (const { taskId } of entriesOf(store, which)) taskIds.push(taskId);
  return taskIds;
};

/** Returns the parents of all open tasks that are calls of others. */
export const openParents = async (store: Pick<Store, 'taskIndex'>): Promise<ReadonlySet<string>> => {
  const parents = new Set<string>();
  for await (const { parent } of entriesOf(store, { isSettled: false, isNested: true }))
    if (parent !== null) parents.add(parent);
  return parents;
};

const summaryIn = ({ summary }: StoredSummary): readonly TaskSummary[] => [summary];

const questionsIn = ({ open }: StoredSummary): readonly InboxEntry[] => open;

const asking = (within: string | undefined): Which => ({ ...whichOf({ within }), isAsking: true });

type Failed = Parameters<typeof readStoredSummaries>[1];

/** The lists of an orchestrator: whole, or in pages. */
export const createLists = (
  store: Pick<Store, 'taskIndex' | 'counts'>,
  checkOpen: (operation: string) => void,
  failed: Failed,
): Pick<Orchestrator, 'list' | 'inbox' | 'counts'> => {
  const readAll = async <Item>(
    which: Which,
    itemsOf: (summary: StoredSummary) => readonly Item[],
  ): Promise<readonly Item[]> => {
    const items: Item[] = [];
    for await (const entry of entriesOf(store, which))
      items.push(...readStoredSummaries([entry], failed).flatMap(itemsOf));
    return deepFreeze(items);
  };

  const readPage = async <Item>(
    which: Which,
    { limit, order, after }: { limit: number; order: TaskOrder; after?: Cursor | null | undefined },
    itemsOf: (summary: StoredSummary) => readonly Item[],
  ): Promise<Page<Item>> => {
    const query = { ...which, order, limit: limit + 1, ...(after != null && { after }) };
    const entries = await store.taskIndex(query);
    const shown = entries.slice(0, limit);
    const last = entries.length > limit ? shown.at(-1) : undefined;
    return deepFreeze({
      items: readStoredSummaries(shown, failed).flatMap(itemsOf),
      next: last === undefined ? null : textOf({ order, ...last }),
    });
  };

  function list(query: TaskPageQuery): Promise<Page<TaskSummary>>;
  function list(only?: TaskFilter): Promise<readonly TaskSummary[]>;
  async function list(given: TaskPageQuery | TaskFilter = {}) {
    checkOpen('list');
    if (!isPage(given)) return readAll(whichOf(parseDocument('filter', filterSchema(), given)), summaryIn);
    const query = parseDocument('page', taskPageSchema(), given);
    return readPage(whichOf(query), query, summaryIn);
  }

  function inbox(query: InboxPageQuery): Promise<Page<InboxEntry>>;
  function inbox(within?: string): Promise<readonly InboxEntry[]>;
  async function inbox(given?: InboxPageQuery | string) {
    checkOpen('inbox');
    if (given === undefined || typeof given === 'string') return readAll(asking(given), questionsIn);
    const query = parseDocument('page', inboxPageSchema(), given);
    const page = await readPage(asking(query.within), query, questionsIn);
    if (query.order !== 'urgent') return page;
    return deepFreeze({ ...page, items: page.items.toSorted(byPriority) });
  }

  const counts = async (): Promise<TaskCounts> => {
    checkOpen('counts');
    return deepFreeze({ ...(await store.counts()) });
  };

  return { list, inbox, counts };
};

const isPage = (given: TaskPageQuery | TaskFilter): given is TaskPageQuery =>
  isObject(given) && ['limit', 'after', 'order'].some((name) => Object.hasOwn(given, name));
