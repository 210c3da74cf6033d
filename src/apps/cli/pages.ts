import type { Page, PageQuery } from '../../core/shell/surface.ts';
import { usage } from './stop.ts';
import type { Terminal } from './terminal.ts';

/** The flags of a command that prints a list. */
export const pageFlags = {
  limit: { description: 'print one page: at most this many tasks, 1 to 1000', value: 'COUNT' },
  after: { description: 'print the page after the one that ended with this', value: 'CURSOR' },
} as const;

interface Given {
  readonly limit: string | undefined;
  readonly after: string | undefined;
}

/** The number of tasks that are read at once to print all. */
const chunk = 200;

type Read<Item> = (query: PageQuery) => Promise<Page<Item>>;

async function* all<Item>(read: Read<Item>): AsyncGenerator<Item> {
  let after: string | null = null;
  do {
    const page: Page<Item> = await read({ limit: chunk, after });
    yield* page.items;
    after = page.next;
  } while (after !== null);
}

/**
 * Prints one page if a limit is given, or else everything. Names the cursor of the next page on stderr, or in the JSON.
 * Says on stderr if there is nothing.
 */
export const printPages = async <Item>(
  { limit, after, json }: Given & { readonly json: boolean },
  { out, err }: Pick<Terminal, 'out' | 'err'>,
  {
    name,
    read,
    print,
  }: {
    readonly name: string;
    readonly read: Read<Item>;
    readonly print: (item: Item, at: number) => Promise<void>;
  },
): Promise<void> => {
  if (limit === undefined && after !== undefined) throw usage('--after: expected --limit COUNT with it');
  const page = limit === undefined ? undefined : await read({ limit: Number(limit), after: after ?? null });
  if (json) {
    const items: Item[] = [];
    for await (const item of page?.items ?? all(read)) items.push(item);
    return out.json({ [name]: items, ...(page !== undefined && { next: page.next }) });
  }
  let at = 0;
  for await (const item of page?.items ?? all(read)) {
    await print(item, at);
    at += 1;
  }
  if (at === 0) await err.line(`no ${name}`);
  if (page !== undefined && page.next !== null) await err.line(`more: --limit ${limit} --after ${page.next}`);
};
