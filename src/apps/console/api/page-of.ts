import * as z from 'zod';
import { parseDocument } from '../../../base/boundary/parse-document.ts';

const Place = z.object({ offset: z.coerce.number().int().min(0).default(0) });

/** Returns the page offset of a URL. Throws `document_invalid`. */
export const offsetIn = (query: URLSearchParams): number =>
  parseDocument('query', Place, Object.fromEntries(query)).offset;

/** Returns the cursor of a URL; `null` for the first page. */
export const cursorIn = (query: URLSearchParams): string | null => query.get('after');

/** Returns a page of a list, with its position. An offset beyond the end returns the last page. */
export const pageOf = <Item>(
  items: readonly Item[],
  offset: number,
  size: number,
): { readonly total: number; readonly offset: number; readonly items: readonly Item[] } => {
  const total = items.length;
  const last = total === 0 ? 0 : Math.floor((total - 1) / size) * size;
  const from = Math.min(offset, last);
  return { total, offset: from, items: items.slice(from, from + size) };
};
