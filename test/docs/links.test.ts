import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = [
  'README.md',
  'AGENTS.md',
  'SECURITY.md',
  '.github/CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

/** What a page says outside its blocks of code, where nothing is a link or a heading. */
const proseOf = (page: string): string =>
  readFileSync(join(root, page), 'utf8').replaceAll(/^```.*?^```$/gms, '');

/** The anchors of a page's headings, as GitHub makes them: the second of one name ends in `-1`. */
const anchorsOf = (page: string): ReadonlySet<string> => {
  const seen = new Map<string, number>();
  const anchors = [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
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

const faultOf = (page: string, link: string): string | null => {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, target))) return `${page}: ${link}: there is no such file`;
  if (anchor === undefined) return null;
  if (statSync(join(root, target)).isDirectory() || !anchorsOf(target).has(anchor))
    return `${page}: ${link}: there is no such heading`;
  return null;
};

it('Every link in the README and the documents leads to an existing file and heading', () => {
  const links = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, link = '']) => [page, link] as const),
  );
  expect(pages.length).toBeGreaterThan(60);
  expect(links.length).toBeGreaterThan(300);
  expect(links.filter(([, link]) => link.includes('#')).length).toBeGreaterThan(5);
  expect(links.flatMap(([page, link]) => faultOf(page, link) ?? [])).toEqual([]);
});

it('The first page links every way to embed, the concepts, the glossary and the reference', () => {
  const linked = [...proseOf('docs/start.md').matchAll(/\]\(([^)#\s]+)/g)].map(([, link = '']) => link);
  const embed = pages.flatMap((page) => (page.startsWith('docs/embed/') ? page.slice('docs/'.length) : []));
  const wanted = ['concepts.md', 'glossary.md', 'api/README.md', ...embed];
  expect(wanted.filter((page) => !linked.includes(page))).toEqual([]);
});
