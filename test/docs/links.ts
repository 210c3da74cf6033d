import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Reads what a page below `root` says outside its blocks of code, where nothing is a link or a heading. */
export const proseOf = (root: string, page: string): string =>
  readFileSync(join(root, page), 'utf8').replaceAll(/^```.*?^```$/gms, '');

/** Returns the links of a page: `docs/start.md#first`, `https://example.com`. */
export const linksOf = (root: string, page: string): readonly string[] =>
  [...proseOf(root, page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);

/** The anchors of a page's headings, as GitHub makes them: the second of one name ends in `-1`. */
const anchorsOf = (root: string, page: string): ReadonlySet<string> => {
  const seen = new Map<string, number>();
  const anchors = [...proseOf(root, page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set(anchors);
};

/** Returns what is wrong with a link to a file below `root`; `null` if it leads to a file and a heading. */
export const faultOf = (root: string, page: string, link: string): string | null => {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, target))) return `${page}: ${link}: there is no such file`;
  if (anchor === undefined) return null;
  if (statSync(join(root, target)).isDirectory() || !anchorsOf(root, target).has(anchor))
    return `${page}: ${link}: there is no such heading`;
  return null;
};
